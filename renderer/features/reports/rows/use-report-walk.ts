import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import { patiently } from '../../../api/at-leisure.ts';
import { askReports, type EventReportFilter, type EventReportOrder } from '../../../api/event-reports.ts';
import {
  goneReports,
  knownReportsQuery,
  reportWalkQuery,
  type Span,
  type WalkStep,
} from '../../../api/report-walk.ts';
import { useConsole, useServer } from '../../../console-context.ts';

const none: readonly EventReportItem[] = [];

export type ReportWalk = ReturnType<typeof useReportWalk>;

/**
 * The reports that were looked through, from one end on. `revision` is another one when reports were deleted
 * on the server; those that were looked through are then found and left out.
 */
export function useReportWalk(
  filter: EventReportFilter,
  dir: EventReportOrder,
  enabled: boolean,
  revision: number,
  /** The numbers of the only ones that there are to look through, where they are known. */
  known?: readonly number[],
  /** Of these alone. */
  span?: Span,
  /** Whether all are to be looked through, however many there are. */
  isThrough = false,
) {
  const { queryClient, deletedReports } = useConsole();
  const server = useServer();
  const options = useMemo(
    () =>
      known
        ? knownReportsQuery(server, filter, dir, known)
        : reportWalkQuery(server, filter, dir, span, isThrough),
    [server, filter, dir, known, span, isThrough],
  );
  // Whoever waits for the first of them wants to read what is wrong.
  const isBegun = queryClient.getQueryData(options.queryKey) !== undefined;
  // One more whose number is known takes nothing off the screen while it comes.
  const query = useInfiniteQuery({
    ...(options as ReturnType<typeof reportWalkQuery>),
    enabled,
    ...(known && { placeholderData: keepPreviousData }),
    ...(isThrough && isBegun && patiently),
  });
  const data = useNowAndThen(query.data, options, isThrough && query.hasNextPage && !query.isError);
  const tombstones = useSyncExternalStore(deletedReports.subscribe, () => deletedReports.of(server.id));

  const walked = useMemo(
    () => (data ? none.concat(...data.pages.map(({ reports }) => reports)) : none),
    [data],
  );
  const reports = useMemo(
    () => (tombstones.size === 0 ? walked : walked.filter(({ id }) => !tombstones.has(id))),
    [walked, tombstones],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision is the reason to look again, and other steps are none
  useEffect(() => {
    const data = queryClient.getQueryData<InfiniteData<WalkStep>>(options.queryKey);
    if (!enabled || !data || known) return;
    const held = data.pages
      .flatMap((page) => page.reports)
      .filter(({ id }) => deletedReports.of(server.id).get(id) !== 'gone');
    const aborted = new AbortController();
    goneReports(askReports(server, filter, aborted.signal), dir, held)
      .then((gone) => deletedReports.findGone(server.id, gone))
      .catch(() => {});
    return () => aborted.abort();
  }, [enabled, revision, server, filter, dir, span, known]);

  useEffect(() => {
    const there = deletedReports.of(server.id);
    const gone = query.data?.pages
      .flatMap((page) => page.gone ?? [])
      .filter((id) => there.get(id) !== 'gone');
    if (gone) deletedReports.findGone(server.id, gone);
  }, [query.data, deletedReports, server.id]);

  const { hasNextPage, isFetching, fetchNextPage } = query;
  const latest = data?.pages.at(-1);
  return {
    query,
    reports,
    /** The same with those that were deleted here. */
    walked,
    /** They were asked for by their numbers. */
    isOneByOne: known !== undefined,
    unexpected: useMemo(() => data?.pages.flatMap(({ unexpected }) => unexpected ?? []) ?? [], [data]),
    /** How many were looked through, and how many there are. */
    looked: reports.length,
    total: latest ? Math.max(reports.length, latest.total - (walked.length - reports.length)) : undefined,
    isComplete: latest !== undefined && !latest.next,
    /** Why the server is asked again in a while, and not now. */
    waitsFor: isFetching && isThrough ? query.failureReason : null,
    further: useCallback(() => {
      if (hasNextPage && !isFetching) void fetchNextPage();
    }, [hasNextPage, isFetching, fetchNextPage]),
    /** Asks for no more; what has come stays. */
    halt: useCallback(() => void queryClient.cancelQueries(options), [queryClient, options]),
    renew: useCallback(() => queryClient.resetQueries(options), [queryClient, options]),
  };
}

type Walked = InfiniteData<WalkStep>;

/** In milliseconds: longer where there is more to be put in groups and in order each time. */
const restOf = ({ pages }: Walked) => {
  const looked = pages.at(-1)?.next?.from ?? 0;
  return looked < 5_000 ? 0 : 1_000 + looked / 200;
};

/** What comes in quickly, shown now and then while it does. */
function useNowAndThen(data: Walked | undefined, of: unknown, isComing: boolean): Walked | undefined {
  const [shown, setShown] = useState({ of, data });
  const shownAt = useRef(0);
  useEffect(() => {
    if (!data || !isComing) return;
    const show = () => {
      shownAt.current = Date.now();
      setShown({ of, data });
    };
    const timer = setTimeout(show, shownAt.current + restOf(data) - Date.now());
    return () => clearTimeout(timer);
  }, [data, of, isComing]);
  return isComing && shown.of === of && shown.data ? shown.data : data;
}
