import { type QueryClient, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { maximumReportsPerPage } from '../../../../shared/api/reports.ts';
import { deletionsSent } from '../../../api/reports/deleted-reports.ts';
import { isReadable } from '../../../api/reports/listed-reports.ts';
import {
  type FramedPage,
  pageOf,
  refreshedFrame,
  reportFrameQuery,
  reportPageQuery,
  reportPagesKey,
  rowOf,
} from '../../../api/reports/report-frame.ts';
import type { Moment } from '../../../api/reports/report-order.ts';
import {
  type AnyReport,
  type ReportOrder,
  type ReportSource,
  type ReportTotal,
  reportTotalQuery,
} from '../../../api/reports/report-source.ts';
import { useConsole } from '../../../console-context.ts';
import { type ReportRows, useTombstones } from './report-rows.ts';
import { windowRows } from './window-rows.ts';

const noPages = new Map<number, never>();
/** Rows skipped while dragging the scroll bar aren't loaded. */
const settleMilliseconds = 60;
const pollMilliseconds = 20_000;
const maxScanned = 20_000;

export type WindowSource<Report extends AnyReport> = ReturnType<typeof useWindowSource<Report>>;

/** The server's list without reports in `hidden`. Loads the rows on screen and their neighbors. */
export function useWindowSource<Report extends AnyReport>(
  source: ReportSource<Report>,
  dir: ReportOrder,
  hidden: ReadonlyMap<number, unknown>,
) {
  const { queryClient, deletedReports } = useConsole();
  const { server, deletionsKey } = source;
  const tombstones = useTombstones(source.of);
  const frameQuery = useMemo(() => reportFrameQuery(source, dir), [source, dir]);
  const query = useQuery(frameQuery);
  const frame = query.data;

  const [wanted, setWanted] = useState<readonly number[]>([0]);
  /** Keeps unchanged pages referentially equal, to avoid rendering the whole list. */
  const kept = useRef<ReadonlyMap<number, FramedPage<Report>>>(noPages);
  const keepPages = useCallback((pages: ReadonlyMap<number, FramedPage<Report>>) => {
    const isSame =
      pages.size === kept.current.size &&
      [...pages].every(([page, content]) => kept.current.get(page) === content);
    if (!isSame) kept.current = pages;
    return kept.current;
  }, []);
  const pages = useQueries({
    queries: frame ? wanted.map((page) => reportPageQuery(source, dir, frame, page)) : [],
    combine: useCallback(
      (results: UseQueryResult<FramedPage<Report>>[]) => ({
        byNumber: frame
          ? keepPages(cachedPages<Report>(queryClient, reportPagesKey(source, dir, frame)))
          : noPages,
        error: results.find(({ error }) => error)?.error ?? undefined,
        isFetching: results.some(({ isFetching }) => isFetching),
        /** Identifies the pages that don't belong to the frame. */
        old: results
          .filter(({ data }) => data?.ofFrame === false)
          .map(({ dataUpdatedAt }) => dataUpdatedAt)
          .join(),
      }),
      [queryClient, source, dir, frame, keepPages],
    ),
  });

  const framed = useMemo(
    () => windowRows<Report>(frame, pages.byNumber, tombstones, hidden),
    [frame, pages.byNumber, tombstones, hidden],
  );

  /** The rows on screen, to find them again. */
  const onScreen = useRef({ first: 0, last: 0 });
  const latest = useRef({ frame, framed, pages: pages.byNumber });
  latest.current = { frame, framed, pages: pages.byNumber };

  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  const look = useCallback((first: number, last: number) => {
    onScreen.current = { first, last };
    const { framed: rows, frame: current } = latest.current;
    if (!current) return;
    const [from, to] = [pageOf(rows.offsetOf(first)), pageOf(rows.offsetOf(last))];
    const end = pageOf(Math.max(0, current.size - 1));
    const next: number[] = [];
    for (let page = Math.max(0, from - 1); page <= Math.min(end, to + 1); page++) next.push(page);
    clearTimeout(settling.current);
    const apply = () =>
      setWanted((before) => (before.join() === next.join() || next.length === 0 ? before : next));
    settling.current = setTimeout(apply, settleMilliseconds);
  }, []);
  useEffect(() => () => clearTimeout(settling.current), []);

  /** Number of reports that others have deleted since the list was opened. */
  const [goneByOthers, setGoneByOthers] = useState(0);

  const refreshing = useRef<Promise<void>>(undefined);
  const refresh = useCallback(() => {
    const before = queryClient.getQueryData(frameQuery.queryKey);
    if (!before || refreshing.current) return;
    // While all reports are being deleted, the remaining rows would flicker.
    if (latest.current.framed.count === 0 && deletedReports.isDeleting(deletionsKey)) return;
    const work = async () => {
      const { first, last } = onScreen.current;
      const { framed: rows, pages: known } = latest.current;
      const startedAt = Date.now();
      const seen = queryClient.getQueryState(frameQuery.queryKey)?.dataUpdatedAt ?? startedAt;
      const report = rows.at(first) ?? rows.at(last);
      const row = report && rows.rowOf(report.id);
      const next = await refreshedFrame(source.ask(), dir, before, {
        first: rows.offsetOf(first),
        last: rows.offsetOf(last),
        anchor: report && row !== undefined ? { row: rows.offsetOf(row), report } : undefined,
      });
      for (const [page, content] of next.pages) {
        queryClient.setQueryData(reportPageQuery(source, dir, next.frame, page).queryKey, content);
      }
      if (next.pages.size > 0) setWanted([...next.pages.keys()]);
      queryClient.setQueryData(frameQuery.queryKey, next.frame);
      // The totals follow the list, except while deletions are in flight.
      if (deletedReports.isCalmSince(deletionsKey, startedAt)) {
        const { size, arrived, latestId: newestId } = next.frame;
        const { queryKey } = reportTotalQuery(source);
        const total: ReportTotal = {
          total: size + arrived,
          newestId,
          deletionsBefore: deletionsSent(source),
        };
        queryClient.setQueryData(queryKey, total, { updatedAt: startedAt });
      }
      // Only loaded reports are certain to have been in the list before.
      const inList = new Set([...known.values()].flatMap((page) => page.event_reports.map(({ id }) => id)));
      const here = deletedReports.between(deletionsKey, seen, startedAt).filter((id) => inList.has(id));
      const others = before.size - next.frame.size - here.length;
      if (others > 0) setGoneByOthers((known) => known + others);
      // Loaded before the frame knew how many had arrived.
      await queryClient.refetchQueries({
        queryKey: reportPagesKey(source, dir, next.frame),
        type: 'active',
        predicate: ({ state }) => (state.data as FramedPage<Report> | undefined)?.ofFrame === false,
      });
    };
    refreshing.current = work()
      // The next poll finds the same difference, and shows its failure.
      .catch(() => {})
      .finally(() => {
        refreshing.current = undefined;
      });
  }, [queryClient, deletedReports, deletionsKey, frameQuery, source, dir]);

  // Finds new and deleted reports.
  const poll = useQuery({
    ...reportTotalQuery(source),
    enabled: frame !== undefined,
    refetchInterval: pollMilliseconds,
  });
  const { data: polled, dataUpdatedAt: polledAt } = poll;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is compared once, with the current frame
  useEffect(() => {
    const { frame: current } = latest.current;
    if (!polled || !current) return;
    const same = polled.total === current.size + current.arrived && polled.newestId === current.latestId;
    if (!same) refresh();
  }, [polled, polledAt, refresh]);
  useEffect(() => {
    if (pages.old !== '') refresh();
  }, [pages.old, refresh]);

  const rows: ReportRows<Report> = useMemo(
    () => ({
      ...framed,
      look,
      isLeftOut(reportId) {
        const report = queryClient.getQueryData<Report>(source.detail(reportId).queryKey);
        return report !== undefined && !source.matches(report);
      },
    }),
    [framed, look, queryClient, source],
  );
  return {
    rows,
    /** Number of matches, including those with a mark. */
    total: framed.total,
    unexpected: framed.unexpected,
    query,
    arrived: frame?.arrived ?? 0,
    revision: frame?.revision ?? 0,
    goneByOthers,
    isFetching: query.isFetching || pages.isFetching,
    /** Why rows couldn't be loaded, or why the list couldn't be refreshed and since when. */
    missing: pages.error,
    stale: poll.isError && poll.data ? { error: poll.error, since: poll.dataUpdatedAt } : undefined,
    async retry() {
      if (query.isError) await query.refetch();
      if (poll.isError) await poll.refetch();
      await queryClient.refetchQueries({
        queryKey: [server.id, 'report-page', source.key],
        type: 'active',
        predicate: ({ state }) => state.status === 'error',
      });
    },
    /** Reopens the list with new reports. */
    renew: useCallback(
      () => queryClient.prefetchQuery({ ...frameQuery, staleTime: 0 }),
      [queryClient, frameQuery],
    ),
    /** Returns the first row from one on whose report fits, within `maxScanned` reports. */
    findFrom: useCallback(
      async (row: number, fits: (report: Report) => boolean) => {
        const { frame: current, framed: known } = latest.current;
        if (!current) return undefined;
        const ask = source.ask();
        const before = dir === 'b' ? current.arrived : 0;
        const start = known.offsetOf(row);
        const end = Math.min(current.size, start + maxScanned);
        for (let offset = start; offset < end; offset += maximumReportsPerPage) {
          const limit = Math.min(maximumReportsPerPage, end - offset);
          const { event_reports: run } = await ask({ dir, from: before + offset, limit });
          const index = run.findIndex((report) => isReadable(report) && fits(report));
          if (index !== -1) return known.rowOfOffset(offset + index);
        }
        return undefined;
      },
      [source, dir],
    ),
    /** Returns the row at a time, loaded or not. */
    find: useCallback(
      async (moment: Moment) => {
        const { frame: current, framed: known } = latest.current;
        if (!current) return undefined;
        const offset = await rowOf(source.ask(), dir, current, moment);
        return Math.min(known.count - 1, known.rowOfOffset(offset));
      },
      [source, dir],
    ),
  };
}

/** All pages of the list in memory, on screen or not. */
function cachedPages<Report>(
  queryClient: QueryClient,
  queryKey: readonly unknown[],
): ReadonlyMap<number, FramedPage<Report>> {
  const found = queryClient.getQueriesData<FramedPage<Report>>({ queryKey });
  return new Map(found.flatMap(([key, page]) => (page ? [[key.at(-1) as number, page] as const] : [])));
}
