import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { askReports, eventReportQuery, eventReportTotalQuery } from '../../api/event-reports.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { type ReportSource, useGoneMarks } from './desk/use-gone-marks.ts';

/** Takes the marks of reports on events that others deleted back. */
export function useGoneEventMarks(goneByOthers: number, openId: number | undefined) {
  const { queryClient } = useConsole();
  const server = useServer();
  const source = useMemo(
    (): ReportSource => ({
      of: 'report',
      ask: (signal) => askReports(server, {}, signal),
      askOne: (id) => queryClient.fetchQuery({ ...eventReportQuery(server, id), staleTime: 0, retry: false }),
    }),
    [queryClient, server],
  );
  const { data: now } = useQuery(eventReportTotalQuery(server, {}));
  useGoneMarks(source, now, goneByOthers, openId);
}
