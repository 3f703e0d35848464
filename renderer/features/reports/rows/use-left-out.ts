import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { EventReportItem } from '../../../../shared/api/event-reports.ts';
import { type EventReportFilter, eventReportQuery } from '../../../api/event-reports.ts';
import { matches } from '../../../api/report-walk.ts';
import { useServer } from '../../../console-context.ts';
import type { Mark } from '../../../team/entries.ts';
import { useAreMarksKnown } from '../../../team/use-team.ts';
import type { ReportSearch } from '../report-search.ts';
import { isInQueue, type Messages, sieve } from './sieve.ts';

/**
 * A report that the list will never come to, and what leaves it out; without `report` where the server has none of
 * that number.
 */
export type LeftOut = { id: number; report: EventReportItem | undefined; by: 'filters' | 'queue' };

/**
 * The report whose place somebody waits for, if the filters leave it out: to look for it would be in vain. One that
 * has been marked or deleted while it was open still stands where it stood.
 *
 * @param sought its number
 */
export function useLeftOut(
  sought: number | undefined,
  search: ReportSearch,
  filter: EventReportFilter,
  marks: ReadonlyMap<number, Mark>,
  messages: Messages,
): LeftOut | undefined {
  const { queue, text, reason, since, until, report: openId } = search;
  const areMarksKnown = useAreMarksKnown();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the marks as they were when it was opened
  const marksThen = useMemo(() => marks, [openId, queue, text, reason, since, until, areMarksKnown]);
  // Whoever shows it asks for it.
  const { data, isError } = useQuery({ ...eventReportQuery(useServer(), sought ?? 0), enabled: false });
  const name = JSON.stringify([sought, queue, text, reason, since, until, filter]);
  const [judged, setJudged] = useState<{ name: string; leftOut: LeftOut | undefined }>();

  if (sought === undefined) return undefined;
  if (judged?.name === name) return judged.leftOut;
  if ((!data && !isError) || (queue && !areMarksKnown)) return undefined;
  const isMeant =
    data !== undefined &&
    matches(data, filter) &&
    sieve([data], { text, reason, since, until }, marksThen, messages).length > 0;
  const isIn = isMeant && isInQueue(queue, marksThen.get(sought));
  const leftOut = isIn
    ? undefined
    : { id: sought, report: data, by: isMeant ? ('queue' as const) : ('filters' as const) };
  setJudged({ name, leftOut });
  return leftOut;
}
