import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  askFiledReports,
  type FiledKind,
  type FiledReport,
  filedReportQuery,
  filedReportWalkQuery,
  filedTotalsQuery,
} from '../../../api/filed-reports.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import type { Mark } from '../../../team/entries.ts';
import { marksUpTo, useUnreviewedFiled } from '../../../team/unreviewed.ts';
import { useAreMarksKnown, useMarks } from '../../../team/use-team.ts';
import type { ListStage } from '../desk/ListBody.tsx';
import { type LeftOut, useLeftOutBy } from '../desk/left-out.ts';
import type { QueueCounts } from '../desk/QueueTabs.tsx';
import { type ReportRows, useTombstones } from '../desk/report-rows.ts';
import { areFewer, type ReportSource, type Total, useGoneMarks } from '../desk/use-gone-marks.ts';
import { isInQueue } from '../rows/sieve.ts';
import { type FiledReportSearch, isFiltered, isMeant } from './filed-report-search.ts';

const none: readonly FiledReport[] = [];
const screenful = 30;
const queues = ['unreviewed', 'escalated', 'resolved'] as const;

export type FiledList = ReturnType<typeof useFiledList>;

/** The reports of a queue, as far as they were looked through: on and on until there is a screenful below what is seen. */
export function useFiledList(kind: FiledKind, search: FiledReportSearch) {
  const server = useServer();
  const queryClient = useQueryClient();
  const marks = useMarks(`${kind}_report`);
  const { queue, about, by, dir = 'b' } = search;
  const options = useMemo(
    () => filedReportWalkQuery(server, kind, { about, by, dir }),
    [server, kind, about, by, dir],
  );
  const query = useInfiniteQuery(options);
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const tombstones = useTombstones(`${kind}_report`);
  const walked = useMemo(() => {
    const all = data?.pages.flatMap(({ reports }) => reports) ?? none;
    return tombstones.size === 0 ? all : all.filter(({ id }) => !tombstones.has(id));
  }, [data, tombstones]);
  const found = useMemo(
    () => walked.filter(({ id }) => isInQueue(queue, marks.get(id))),
    [walked, queue, marks],
  );

  const [shownTo, setShownTo] = useState(0);
  const look = useCallback((_first: number, last: number) => setShownTo(last), []);
  const goesOn = hasNextPage && !isError && found.length < shownTo + screenful;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);

  const rows: ReportRows<FiledReport> = useMemo(() => {
    const places = new Map(found.map(({ id }, row) => [id, row]));
    return {
      count: found.length,
      at: (row) => found[row],
      rowOf: (reportId) => places.get(reportId),
      loaded: found,
      isLeftOut(reportId) {
        const report = queryClient.getQueryData(filedReportQuery(server, kind, reportId).queryKey);
        return report !== undefined && !isMeant(report, { about, by });
      },
      look,
    };
  }, [found, look, queryClient, server, kind, about, by]);

  const unexpected = useMemo(() => data?.pages.flatMap((page) => page.unexpected ?? []) ?? [], [data]);
  const total = data?.pages.at(-1)?.total;
  const now = useQuery({ ...filedTotalsQuery(server), enabled: false }).data?.[kind];
  const isWhole = !isFiltered(search) && total !== undefined && now !== undefined;
  const newest = walked.reduce((most, { id }) => Math.max(most, id), 0);
  const arrived =
    isWhole && (now.newestId ?? 0) > newest && hasNewest(dir, hasNextPage) ? now.total - total : 0;
  // What others deleted goes; what came in waits until someone wants to see it.
  const isLess = isWhole && now.total < total && !isFetching;
  const { refetch } = query;
  useEffect(() => {
    if (isLess) void refetch();
  }, [isLess, refetch]);

  const isComplete = data !== undefined && !hasNextPage;
  return {
    query,
    rows,
    unexpected,
    dir,
    stage: stageOf(search, { found: found.length, looked: walked.length, goesOn }),
    /** How many match, whatever queue they are in; undefined until that is known. */
    total,
    isComplete,
    /** How many there are to see; undefined where not all of a queue were looked through. */
    matching: !queue ? total : isComplete ? found.length : undefined,
    arrived: Math.max(0, arrived),
    counts: useCounts(kind, search, walked, isComplete, total),
    renew: () => queryClient.resetQueries(options),
  };
}

function stageOf(
  search: FiledReportSearch,
  { found, looked, goesOn }: { found: number; looked: number; goesOn: boolean },
): ListStage {
  if (found > 0) return 'found';
  if (goesOn) return 'looking';
  if (isFiltered(search)) return 'filtered out';
  return looked > 0 ? 'queue empty' : 'no reports';
}

/** The newest is known where the list begins with it, and where all of it is here. */
const hasNewest = (dir: 'f' | 'b', hasNextPage: boolean) => dir === 'b' || !hasNextPage;

/** Whole queues are known by the marks; of what filters leave, once all of it was looked through. */
function useCounts(
  kind: FiledKind,
  search: FiledReportSearch,
  walked: readonly FiledReport[],
  isComplete: boolean,
  total: number | undefined,
): QueueCounts {
  const server = useServer();
  const marks = useMarks(`${kind}_report`);
  const areMarksKnown = useAreMarksKnown();
  const unreviewed = useUnreviewedFiled(server)[kind];
  const newestId = useQuery({ ...filedTotalsQuery(server), enabled: false }).data?.[kind]?.newestId;
  if (total === undefined) return {};
  const all = { all: total };
  if (!areMarksKnown) return all;
  if (isComplete) {
    const count = (queue: (typeof queues)[number]) =>
      walked.filter(({ id }) => isInQueue(queue, marks.get(id))).length;
    return { ...all, ...Object.fromEntries(queues.map((queue) => [queue, count(queue)])) };
  }
  if (isFiltered(search) || unreviewed === undefined) return all;
  const known: Mark[] = marksUpTo(marks, newestId);
  const escalated = known.filter(({ state }) => state === 'escalated').length;
  return { ...all, unreviewed, escalated, resolved: known.length - escalated };
}

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
