import { useQuery } from '@tanstack/react-query';
import { type FiledKind, type FiledReport, filedReportQuery } from '../../../api/filed-reports.ts';
import { useServer } from '../../../console-context.ts';
import { useMarks } from '../../../team/use-team.ts';
import { type LeftOut, useLeftOutBy } from '../desk/left-out.ts';
import { type FiledReportSearch, isMeant } from './filed-report-search.ts';

/** The open report, if the filters or the queue leave it out of the list beside it. */
export function useFiledLeftOut(
  kind: FiledKind,
  openId: number | undefined,
  search: FiledReportSearch,
): LeftOut<FiledReport> | undefined {
  const asked = useQuery({ ...filedReportQuery(useServer(), kind, openId ?? 0), enabled: false });
  const { queue, about, by } = search;
  return useLeftOutBy({
    sought: openId,
    openId,
    filters: JSON.stringify([kind, about, by]),
    asked,
    isMeant: (report) => isMeant(report, search),
    queue,
    marks: useMarks(`${kind}_report`),
  });
}
