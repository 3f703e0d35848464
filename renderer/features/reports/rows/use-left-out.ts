import { useQuery } from '@tanstack/react-query';
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import { type EventReportFilter, eventReportQuery, matches } from '../../../api/event-reports.ts';
import { useServer } from '../../../console-context.ts';
import type { Mark } from '../../../team/entries.ts';
import { type LeftOut, useLeftOutBy } from '../desk/left-out.ts';
import type { ReportSearch } from '../report-search.ts';
import { type Messages, sieve } from './sieve.ts';

const noMarks: ReadonlyMap<number, Mark> = new Map();

/**
 * The report whose place somebody waits for, if the filters leave it out: to look for it would be in vain.
 *
 * @param sought its number
 */
export function useLeftOut(
  sought: number | undefined,
  search: ReportSearch,
  filter: EventReportFilter,
  marks: ReadonlyMap<number, Mark>,
  messages: Messages,
): LeftOut<EventReportItem> | undefined {
  const { queue, text, reason, since, until, report: openId } = search;
  const asked = useQuery({ ...eventReportQuery(useServer(), sought ?? 0), enabled: false });
  return useLeftOutBy<EventReportItem>({
    sought,
    openId,
    filters: JSON.stringify([text, reason, since, until, filter]),
    asked,
    isMeant: (report) =>
      matches(report, filter) &&
      sieve([report], { text, reason, since, until }, noMarks, messages).length > 0,
    queue,
    marks,
  });
}
