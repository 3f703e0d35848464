import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { eventReportQuery } from '../../../api/event-reports.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import type { ReportListState } from './use-report-list.ts';

/**
 * One function for as long as the component is on screen, which does what the latest rendering says: the part of the
 * screen that it is given to isn't rendered anew for another one.
 */
export function useSteady<Given extends unknown[], Result>(work: (...given: Given) => Result) {
  const latest = useRef(work);
  useLayoutEffect(() => {
    latest.current = work;
  });
  return useCallback((...given: Given) => latest.current(...given), []);
}

/**
 * An address can open a report that is far from the list's beginning: the list goes there, once.
 *
 * @param scrollToRow shows a row in the middle of the list
 */
export function useAddressSeek(
  reportId: number | undefined,
  { framed: { find }, isFramed }: ReportListState,
  scrollToRow: (row: number) => void,
) {
  const { queryClient } = useConsole();
  const server = useServer();
  const sought = useRef(reportId);
  const latest = useRef(scrollToRow);
  latest.current = scrollToRow;
  useEffect(() => {
    const id = sought.current;
    if (!isFramed || id === undefined) return;
    sought.current = undefined;
    const seek = async () => {
      const report = await queryClient.fetchQuery(eventReportQuery(server, id));
      const row = await find(report);
      if (row !== undefined) latest.current(row);
    };
    // Where it is gone, the report's own place says so.
    seek().catch(() => {});
  }, [isFramed, find, queryClient, server]);
}
