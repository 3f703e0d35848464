import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { AnyReport, ReportOrder, ReportSource } from '../../../api/reports/report-source.ts';
import {
  goneReports,
  knownReportsQuery,
  reportWalkQuery,
  type Span,
  type WalkStep,
} from '../../../api/reports/report-walk.ts';
import { persistently } from '../../../api/scan-pace.ts';
import { useConsole } from '../../../console-context.ts';
import { useTombstones } from './report-rows.ts';

const none: readonly never[] = [];

export type Scan<Report extends AnyReport> = ReturnType<typeof useScan<Report>>;

type Options = {
  enabled?: boolean;
  /** Changes when reports were deleted on the server: those are then found and left out. */
  revision?: number;
  /** The ids of the only reports to load. */
  ids?: readonly number[] | undefined;
  span?: Span | undefined;
  /** Whether all reports will be read. */
  toEnd?: boolean;
};

/** The reports read so far, from one end of the server's list on. */
export function useScan<Report extends AnyReport>(
  source: ReportSource<Report>,
  dir: ReportOrder,
  { enabled = true, revision = 0, ids, span, toEnd = false }: Options,
) {
  const { queryClient, deletedReports } = useConsole();
  const { deletionsKey } = source;
  const options = useMemo(
    () => (ids ? knownReportsQuery(source, dir, ids) : reportWalkQuery(source, dir, span, toEnd)),
    [source, dir, ids, span, toEnd],
  );
  // The failure of the first request is shown at once.
  const isBegun = queryClient.getQueryData(options.queryKey) !== undefined;
  const query = useInfiniteQuery({
    ...(options as ReturnType<typeof reportWalkQuery<Report>>),
    enabled,
    // Another ID keeps the visible rows while its report loads.
    ...(ids && { placeholderData: keepPreviousData }),
    ...(toEnd && isBegun && persistently),
  });
  const data = useThrottled(query.data, options, toEnd && query.hasNextPage && !query.isError);
  const tombstones = useTombstones(source.of);

  const scanned = useMemo(
    (): readonly Report[] =>
      data ? none.concat(...data.pages.map(({ reports }) => reports as never[])) : none,
    [data],
  );
  const reports = useMemo(
    () => (tombstones.size === 0 ? scanned : scanned.filter(({ id }) => !tombstones.has(id))),
    [scanned, tombstones],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: checks again only after another revision
  useEffect(() => {
    const data = queryClient.getQueryData<Scanned<Report>>(options.queryKey);
    if (!enabled || !data || ids) return;
    const held = data.pages
      .flatMap((page) => page.reports)
      .filter(({ id }) => deletedReports.of(deletionsKey).get(id) !== 'gone');
    const aborted = new AbortController();
    goneReports(source.ask(aborted.signal), dir, held)
      .then((gone) => deletedReports.findGone(deletionsKey, gone))
      .catch(() => {});
    return () => aborted.abort();
  }, [enabled, revision, source, dir, span, ids]);

  useEffect(() => {
    const there = deletedReports.of(deletionsKey);
    const gone = query.data?.pages
      .flatMap((page) => (page as WalkStep<Report>).gone ?? [])
      .filter((id) => there.get(id) !== 'gone');
    if (gone) deletedReports.findGone(deletionsKey, gone);
  }, [query.data, deletedReports, deletionsKey]);

  const { hasNextPage, isFetching, fetchNextPage } = query;
  const latest = data?.pages.at(-1);
  return {
    query,
    reports,
    /** Includes reports that were deleted here. */
    scanned,
    unexpected: useMemo(
      () => data?.pages.flatMap((page) => (page as WalkStep<Report>).unexpected ?? []) ?? [],
      [data],
    ),
    /** Number of reports read, and of all that there are to read. */
    looked: reports.length,
    total: latest ? Math.max(reports.length, latest.total - (scanned.length - reports.length)) : undefined,
    isComplete: latest !== undefined && !latest.next,
    /** The reason why the next request waits. */
    waitsFor: isFetching && toEnd ? query.failureReason : null,
    further: useCallback(() => {
      if (hasNextPage && !isFetching) void fetchNextPage();
    }, [hasNextPage, isFetching, fetchNextPage]),
    halt: useCallback(() => void queryClient.cancelQueries(options), [queryClient, options]),
    renew: useCallback(() => queryClient.resetQueries(options), [queryClient, options]),
  };
}

type Scanned<Report> = InfiniteData<WalkStep<Report>>;

/** Returns the milliseconds between two renderings, more for more reports to sort and group. */
const restOf = ({ pages }: Scanned<unknown>) => {
  const looked = pages.at(-1)?.next?.from ?? 0;
  return looked < 5_000 ? 0 : 1_000 + looked / 200;
};

/** Throttles data that arrives quickly. */
function useThrottled<Data extends Scanned<unknown>>(
  data: Data | undefined,
  of: unknown,
  isReading: boolean,
): Data | undefined {
  const [shown, setShown] = useState({ of, data });
  const shownAt = useRef(0);
  useEffect(() => {
    if (!data || !isReading) return;
    const show = () => {
      shownAt.current = Date.now();
      setShown({ of, data });
    };
    const timer = setTimeout(show, shownAt.current + restOf(data) - Date.now());
    return () => clearTimeout(timer);
  }, [data, of, isReading]);
  return isReading && shown.of === of && shown.data ? shown.data : data;
}
