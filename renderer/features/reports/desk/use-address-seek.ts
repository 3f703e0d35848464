import { useEffect, useRef } from 'react';
import type { AnyReport } from '../../../api/reports/report-source.ts';
import { useConsole } from '../../../console-context.ts';
import type { ReportList } from '../list/use-report-list.ts';

/** Scrolls once to the report in the address, at any distance from the list's beginning. */
export function useAddressSeek<Report extends AnyReport>(
  { source, search, strategy, window }: ReportList<Report>,
  scrollToRow: (row: number) => void,
) {
  const { queryClient } = useConsole();
  const wanted = useRef(search.report);
  const latest = useRef(scrollToRow);
  useEffect(() => {
    latest.current = scrollToRow;
  });
  const { find } = window;
  const isReady = strategy?.kind === 'window' && window.query.data !== undefined;
  useEffect(() => {
    const id = wanted.current;
    if (!isReady || id === undefined) return;
    wanted.current = undefined;
    const seek = async () => {
      const report = await queryClient.fetchQuery(source.detail(id));
      const row = await find(report);
      if (row !== undefined) latest.current(row);
    };
    // The report itself shows why it can't be loaded.
    seek().catch(() => {});
  }, [isReady, find, queryClient, source]);
}
