import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { EventReportItem } from '../../../../shared/api/event-reports.ts';
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
) {
  const { queryClient, deletedReports } = useConsole();
  const server = useServer();
  const options = useMemo(
    () =>
      known ? knownReportsQuery(server, filter, dir, known) : reportWalkQuery(server, filter, dir, span),
    [server, filter, dir, known, span],
  );
  // One more whose number is known takes nothing off the screen while it comes.
  const query = useInfiniteQuery({
    ...(options as ReturnType<typeof reportWalkQuery>),
    enabled,
    ...(known && { placeholderData: keepPreviousData }),
  });
  const tombstones = useSyncExternalStore(deletedReports.subscribe, () => deletedReports.of(server.id));

  const walked = useMemo(() => query.data?.pages.flatMap(({ reports }) => reports) ?? none, [query.data]);
  const reports = useMemo(
    () => (tombstones.size === 0 ? walked : walked.filter(({ id }) => !tombstones.has(id))),
    [walked, tombstones],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision is the reason to look again
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
  }, [enabled, revision, options, known]);

  useEffect(() => {
    const there = deletedReports.of(server.id);
    const gone = query.data?.pages
      .flatMap((page) => page.gone ?? [])
      .filter((id) => there.get(id) !== 'gone');
    if (gone) deletedReports.findGone(server.id, gone);
  }, [query.data, deletedReports, server.id]);

  const { hasNextPage, isFetching, fetchNextPage } = query;
  const latest = query.data?.pages.at(-1);
  return {
    query,
    reports,
    /** The same with those that were deleted here. */
    walked,
    /** They were asked for by their numbers. */
    isOneByOne: known !== undefined,
    /** How many were looked through, and how many there are. */
    looked: reports.length,
    total: latest ? Math.max(reports.length, latest.total - (walked.length - reports.length)) : undefined,
    isComplete: latest !== undefined && !hasNextPage,
    further: useCallback(() => {
      if (hasNextPage && !isFetching) void fetchNextPage();
    }, [hasNextPage, isFetching, fetchNextPage]),
    renew: useCallback(() => queryClient.resetQueries(options), [queryClient, options]),
  };
}
