import { type QueryClient, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { type EventReportItem, maximumReportsPerPage } from '../../../../shared/api/reports.ts';
import { deletionsSent } from '../../../api/deletion-turns.ts';
import {
  askReports,
  type EventReportFilter,
  type EventReportOrder,
  eventReportTotalQuery,
} from '../../../api/event-reports.ts';
import { isReadable } from '../../../api/listed-reports.ts';
import {
  type FramedPage,
  pageOf,
  refreshedFrame,
  reportFrameQuery,
  reportPageQuery,
  reportPagesKey,
  rowOf,
} from '../../../api/report-frame.ts';
import type { Moment } from '../../../api/report-order.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import type { ReportRows } from '../desk/report-rows.ts';
import { framedRows } from './framed-rows.ts';

const noPages: ReadonlyMap<number, FramedPage> = new Map();
const noMarks: ReadonlyMap<number, unknown> = new Map();
/** Rows that only flash by while one drags the scroll bar are not asked for. */
const settleMilliseconds = 60;
const pollMilliseconds = 20_000;
const mostLookedThrough = 20_000;

/**
 * All reports that match, in the order of time, of which those on screen and their neighbours are loaded; without
 * those that have one of `marks`.
 */
export function useFramedRows(
  filter: EventReportFilter,
  dir: EventReportOrder,
  marks: ReadonlyMap<number, unknown> = noMarks,
) {
  const { queryClient, deletedReports } = useConsole();
  const server = useServer();
  const tombstones = useSyncExternalStore(deletedReports.subscribe, () => deletedReports.of(server.id));
  const frameQuery = useMemo(() => reportFrameQuery(server, filter, dir), [server, filter, dir]);
  const query = useQuery(frameQuery);
  const frame = query.data;

  const [wanted, setWanted] = useState<readonly number[]>([0]);
  /** The same ones as before are no news: the whole list would be drawn anew for them. */
  const kept = useRef(noPages);
  const keepPages = useCallback((pages: ReadonlyMap<number, FramedPage>) => {
    const isSame =
      pages.size === kept.current.size &&
      [...pages].every(([page, content]) => kept.current.get(page) === content);
    if (!isSame) kept.current = pages;
    return kept.current;
  }, []);
  const pages = useQueries({
    queries: frame ? wanted.map((page) => reportPageQuery(server, filter, dir, frame, page)) : [],
    combine: useCallback(
      (results: UseQueryResult<FramedPage>[]) => ({
        byNumber: frame
          ? keepPages(cachedPages(queryClient, reportPagesKey(server, filter, dir, frame)))
          : noPages,
        error: results.find(({ error }) => error)?.error ?? undefined,
        isFetching: results.some(({ isFetching }) => isFetching),
        /** Which pages are of another time than the frame, by when they came. */
        old: results
          .filter(({ data }) => data?.ofFrame === false)
          .map(({ dataUpdatedAt }) => dataUpdatedAt)
          .join(),
      }),
      [queryClient, server, filter, dir, frame, keepPages],
    ),
  });

  const framed = useMemo(
    () => framedRows(frame, pages.byNumber, tombstones, marks),
    [frame, pages.byNumber, tombstones, marks],
  );

  /** The rows on screen, for whoever has to find them again. */
  const onScreen = useRef({ first: 0, last: 0 });
  const latest = useRef({ frame, framed, pages: pages.byNumber });
  latest.current = { frame, framed, pages: pages.byNumber };

  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  const look = useCallback((first: number, last: number) => {
    onScreen.current = { first, last };
    const { framed: rows, frame: current } = latest.current;
    if (!current) return;
    const [from, to] = [pageOf(rows.numberOf(first)), pageOf(rows.numberOf(last))];
    const end = pageOf(Math.max(0, current.size - 1));
    const next: number[] = [];
    for (let page = Math.max(0, from - 1); page <= Math.min(end, to + 1); page++) next.push(page);
    clearTimeout(settling.current);
    const apply = () =>
      setWanted((before) => (before.join() === next.join() || next.length === 0 ? before : next));
    settling.current = setTimeout(apply, settleMilliseconds);
  }, []);
  useEffect(() => () => clearTimeout(settling.current), []);

  /** How many reports others have deleted since the list was opened. */
  const [goneByOthers, setGoneByOthers] = useState(0);

  const refreshing = useRef<Promise<void>>(undefined);
  const refresh = useCallback(() => {
    const before = queryClient.getQueryData(frameQuery.queryKey);
    if (!before || refreshing.current) return;
    // All that there was is being deleted: what is still there of it would only come to go.
    if (latest.current.framed.count === 0 && deletedReports.isDeleting(server.id)) return;
    const work = async () => {
      const { first, last } = onScreen.current;
      const { framed: rows, pages: known } = latest.current;
      const asked = Date.now();
      const seen = queryClient.getQueryState(frameQuery.queryKey)?.dataUpdatedAt ?? asked;
      const report = rows.at(first) ?? rows.at(last);
      const row = report && rows.rowOf(report.id);
      const next = await refreshedFrame(askReports(server, filter), dir, before, {
        first: rows.numberOf(first),
        last: rows.numberOf(last),
        anchor: report && row !== undefined ? { row: rows.numberOf(row), report } : undefined,
      });
      for (const [page, content] of next.pages) {
        queryClient.setQueryData(reportPageQuery(server, filter, dir, next.frame, page).queryKey, content);
      }
      if (next.pages.size > 0) setWanted([...next.pages.keys()]);
      queryClient.setQueryData(frameQuery.queryKey, next.frame);
      // Whatever counts by the poll counts what the list has, unless nobody knows which of those being deleted that is.
      if (deletedReports.isCalmSince(server.id, asked)) {
        const { size, arrived, latestId: newestId } = next.frame;
        const { queryKey } = eventReportTotalQuery(server, filter);
        const total = { total: size + arrived, newestId, deletionsBefore: deletionsSent(server.id) };
        queryClient.setQueryData(queryKey, total, { updatedAt: asked });
      }
      // Only of these it is certain that they were in the list as it was, and are not in it as it is.
      const inList = new Set([...known.values()].flatMap((page) => page.event_reports.map(({ id }) => id)));
      const here = deletedReports.between(server.id, seen, asked).filter((id) => inList.has(id));
      const others = before.size - next.frame.size - here.length;
      if (others > 0) setGoneByOthers((known) => known + others);
      // Of a time when the frame did not know yet how many had come in.
      await queryClient.refetchQueries({
        queryKey: reportPagesKey(server, filter, dir, next.frame),
        type: 'active',
        predicate: ({ state }) => (state.data as FramedPage | undefined)?.ofFrame === false,
      });
    };
    refreshing.current = work()
      // The next answer of the poll tells of the same difference, and its failure is shown.
      .catch(() => {})
      .finally(() => {
        refreshing.current = undefined;
      });
  }, [queryClient, deletedReports, frameQuery, server, filter, dir]);

  // Who else works on the same server shows within its interval: what came in, and what is gone.
  const poll = useQuery({
    ...eventReportTotalQuery(server, filter),
    enabled: frame !== undefined,
    refetchInterval: pollMilliseconds,
  });
  const { data: polled, dataUpdatedAt: polledAt } = poll;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is compared once, with the frame of its time
  useEffect(() => {
    const { frame: current } = latest.current;
    if (!polled || !current) return;
    const same = polled.total === current.size + current.arrived && polled.newestId === current.latestId;
    if (!same) refresh();
  }, [polled, polledAt, refresh]);
  useEffect(() => {
    if (pages.old !== '') refresh();
  }, [pages.old, refresh]);

  const rows: ReportRows = useMemo(() => ({ ...framed, look }), [framed, look]);
  return {
    rows,
    /** How many match, with those that have a mark. */
    total: framed.total,
    unexpected: framed.unexpected,
    query,
    arrived: frame?.arrived ?? 0,
    revision: frame?.revision ?? 0,
    goneByOthers,
    isFetching: query.isFetching || pages.isFetching,
    /** Rows that could not be loaded, or news that could not be asked for. */
    missing: pages.error,
    stale: poll.isError && poll.data ? { error: poll.error, since: poll.dataUpdatedAt } : undefined,
    async retry() {
      if (query.isError) await query.refetch();
      if (poll.isError) await poll.refetch();
      await queryClient.refetchQueries({
        queryKey: [server.id, 'event-reports', 'page'],
        type: 'active',
        predicate: ({ state }) => state.status === 'error',
      });
    },
    /** Opens the list anew, with what has come in since. */
    renew: useCallback(
      () => queryClient.fetchQuery({ ...frameQuery, staleTime: 0 }),
      [queryClient, frameQuery],
    ),
    /** The first row from one on whose report fits, if it isn't further than anyone would wait for. */
    findFrom: useCallback(
      async (row: number, fits: (report: EventReportItem) => boolean) => {
        const { frame: current, framed: known } = latest.current;
        if (!current) return undefined;
        const ask = askReports(server, filter);
        const before = dir === 'b' ? current.arrived : 0;
        const start = known.numberOf(row);
        const end = Math.min(current.size, start + mostLookedThrough);
        for (let number = start; number < end; number += maximumReportsPerPage) {
          const limit = Math.min(maximumReportsPerPage, end - number);
          const { event_reports: run } = await ask({ dir, from: before + number, limit });
          const index = run.findIndex((report) => isReadable(report) && fits(report));
          if (index !== -1) return known.rowOfNumber(number + index);
        }
        return undefined;
      },
      [server, filter, dir],
    ),
    /** The row of a moment, which need not be loaded. */
    find: useCallback(
      async (moment: Moment) => {
        const { frame: current, framed: known } = latest.current;
        if (!current) return undefined;
        const number = await rowOf(askReports(server, filter), dir, current, moment);
        return Math.min(known.count - 1, known.rowOfNumber(number));
      },
      [server, filter, dir],
    ),
  };
}

/** Every page of the list that is in memory, looked at or not. */
function cachedPages(
  queryClient: QueryClient,
  queryKey: readonly unknown[],
): ReadonlyMap<number, FramedPage> {
  const found = queryClient.getQueriesData<FramedPage>({ queryKey });
  return new Map(found.flatMap(([key, page]) => (page ? [[key.at(-1) as number, page] as const] : [])));
}
