import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { askFiledReports } from '../../../api/filed-report-walk.ts';
import { type FiledKind, filedReportQuery } from '../../../api/filed-reports.ts';
import { filedTotalsQuery } from '../../../api/filed-totals.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import { areFewer, type ReportSource, type Total, useGoneMarks } from '../desk/use-gone-marks.ts';

/** Takes the marks of reports on users or on rooms that others deleted back. */
export function useGoneFiledMarks(kind: FiledKind, openId: number | undefined) {
  const { queryClient } = useConsole();
  const server = useServer();
  const source = useMemo(
    (): ReportSource => ({
      of: `${kind}_report`,
      ask: (signal) => askFiledReports(server, kind, {}, signal),
      askOne: (id) =>
        queryClient.fetchQuery({ ...filedReportQuery(server, kind, id), staleTime: 0, retry: false }),
    }),
    [queryClient, server, kind],
  );
  // The tabs above the list ask for it every so often.
  const now = useQuery({ ...filedTotalsQuery(server), enabled: false }).data?.[kind];
  useGoneMarks(source, now, useGoneByOthers(source, now), openId);
}

/** How often some were deleted while one looked: their list says only how many there are. */
function useGoneByOthers(source: ReportSource, now: Total | undefined): number {
  const before = useRef<{ source: ReportSource; total: Total }>(undefined);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (!now) return;
    const last = before.current?.source === source ? before.current.total : undefined;
    before.current = { source, total: now };
    if (!last || (last.total === now.total && last.newestId === now.newestId)) return;
    areFewer(source.ask(new AbortController().signal), last, now)
      .then((fewer) => fewer && setTimes((known) => known + 1))
      // It is compared again with the next answer.
      .catch(() => {
        before.current = { source, total: last };
      });
  }, [source, now]);
  return times;
}
