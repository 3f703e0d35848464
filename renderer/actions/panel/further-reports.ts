/** Finds other open reports on an action's items. */
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type EventReportItem, maximumReportsPerPage } from '../../../shared/api/reports.ts';
import type { ReportKind } from '../../../shared/team/entries.ts';
import { askReports, type EventReportFilter } from '../../api/reports/event-reports.ts';
import { askFiledReports } from '../../api/reports/filed-reports.ts';
import type { Moment } from '../../api/reports/report-order.ts';
import type { AskReports } from '../../api/reports/report-source.ts';
import { maxGathered, nextReports, type WalkPlace, walkStart } from '../../api/reports/report-walk.ts';
import { type Offered, offeredQuery } from '../../api/supported-endpoints.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { useTeamValue } from '../../team/use-team.ts';
import type { Server } from '../../transport/server.ts';
import type { Action } from '../action.ts';
import { type Item, keyOf } from '../items.ts';

type FoundReport = Moment & Partial<Pick<EventReportItem, 'event_id'>>;

/** A filtered report list. */
type Source = {
  of: ReportKind;
  /** Unique name. */
  name: string;
  ask(signal: AbortSignal): AskReports<FoundReport>;
  /** Returns the item's `keyOf`; undefined if the report is on another item that the filter matches. */
  itemOf(report: FoundReport): string | undefined;
};

/** More lists are loaded only on request. */
const maxAutomatic = 10;
/** Not offered for more lists. */
const maxLists = 100;

/** Returns the lists with all reports on the items; for a member, on their events in the room. */
function sourcesOf(
  server: Server,
  items: readonly Item[],
  offered: Pick<Offered, 'has'> | undefined,
): Source[] {
  const sources = new Map<string, Source>();
  const events = new Set(items.flatMap((item) => (item.kind === 'event' ? keyOf(item) : [])));
  const add = (source: Source) => sources.set(source.name, source);
  const ofEvents = (filter: EventReportFilter, itemOf: Source['itemOf']) =>
    add({
      of: 'report',
      name: JSON.stringify([filter, ...events]),
      ask: (signal) => askReports(server, filter, signal),
      itemOf,
    });
  const filed = (kind: 'user' | 'room', about: string) =>
    offered?.has(`${kind}Reports`) &&
    add({
      of: `${kind}_report`,
      name: `${kind} ${about}`,
      ask: (signal) => askFiledReports(server, kind, { about }, signal),
      itemOf: () => about,
    });
  const onOneOf = ({ event_id: id = '' }: FoundReport) => (events.has(id) ? id : undefined);
  for (const item of items) {
    const key = keyOf(item);
    if (item.kind === 'user') {
      ofEvents({ event_sender_user_id: item.userId }, () => key);
      filed('user', item.userId);
    } else if (item.kind === 'member')
      ofEvents({ room_id: item.roomId, event_sender_user_id: item.userId }, () => key);
    else if (item.kind === 'room') {
      ofEvents({ room_id: item.roomId }, () => key);
      filed('room', item.roomId);
    } else if (item.kind === 'event')
      ofEvents(
        { room_id: item.roomId, ...(item.sender !== undefined && { event_sender_user_id: item.sender }) },
        onOneOf,
      );
  }
  return [...sources.values()];
}

const isAutomatic = (sources: readonly Source[]) => sources.length <= maxAutomatic;

type WalkPosition = { source: number; place: WalkPlace<FoundReport> };
type Step = {
  source: number;
  found: { id: number; on: string }[];
  looked: number;
  total: number;
  next: WalkPlace<FoundReport> | undefined;
};

/** A short first page of each list, which is enough for most. */
const firstStep = 100;

/** Loads the first page of each list, then the others, newest first. */
const furtherReportsQuery = (server: Server, sources: readonly Source[]) =>
  infiniteQueryOptions({
    // One string, so that invalidating an item doesn't restart it.
    queryKey: [server.id, 'further-reports', JSON.stringify(sources.map(({ name }) => name))],
    queryFn: async ({ pageParam: { source, place }, signal }): Promise<Step> => {
      const { ask, itemOf } = sources[source] as Source;
      const limit = place.last === undefined ? firstStep : maximumReportsPerPage;
      const { reports, next, total } = await nextReports(ask(signal), 'b', place, limit);
      const found = reports.flatMap((report) => {
        const on = itemOf(report);
        return on === undefined ? [] : [{ id: report.id, on }];
      });
      return { source, found, total, looked: reports.length, next };
    },
    initialPageParam: { source: 0, place: walkStart } as WalkPosition,
    getNextPageParam: (_, steps): WalkPosition | undefined => nextPlace(sources.length, steps),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: false,
  });

function nextPlace(sources: number, steps: readonly Step[]): WalkPosition | undefined {
  const last = new Map(steps.map((step) => [step.source, step]));
  if (last.size < sources) return { source: last.size, place: walkStart };
  for (const [source, { next }] of last) if (next) return { source, place: next };
  return undefined;
}

export type FurtherReports = ReturnType<typeof useFurtherReports>;

/** Returns the other open reports found so far. */
export function useFurtherReports(
  { resolvesReports }: Action,
  items: readonly Item[],
  isIncludedAtFirst: boolean,
) {
  const server = useServer();
  const { deletedReports } = useConsole();
  const [isIncluded, setIncluded] = useState(isIncludedAtFirst);
  const [isStopped, setStopped] = useState(false);
  const marksOf = useTeamValue((team) => team.marksOf);
  const areMarksLoading = useTeamValue((team) => team.areMarksLoading);
  const offered = useQuery(offeredQuery(server)).data;

  const [sources, isTooMany] = useMemo(() => {
    const all = resolvesReports ? sourcesOf(server, items, offered) : [];
    const isTooMany = all.length > maxLists;
    return [isTooMany ? [] : all, isTooMany];
  }, [server, resolvesReports, items, offered]);
  const isBegun = sources.length > 0 && (isIncluded || isAutomatic(sources));
  const query = useInfiniteQuery({
    ...furtherReportsQuery(server, sources),
    enabled: isBegun,
  });
  const { data, error, hasNextPage, isFetching, fetchNextPage } = query;

  const known = useMemo(() => {
    const own = new Set(
      items.flatMap(({ reports = [], reportKind = 'report' }) => reports.map((id) => `${reportKind} ${id}`)),
    );
    const gone = deletedReports.of(server.id);
    const open = new Map<string, Map<ReportKind, number[]>>();
    let [count, escalated] = [0, 0];
    for (const { source, found } of data?.pages ?? []) {
      const { of = 'report' } = sources[source] ?? {};
      for (const { id, on } of found) {
        if (own.has(`${of} ${id}`) || (of === 'report' && gone.has(id))) continue;
        const mark = marksOf[of].get(id)?.state;
        if (mark === 'escalated') escalated += 1;
        if (mark !== undefined || count === maxGathered) continue;
        count += 1;
        const ofItem = open.get(on) ?? new Map<ReportKind, number[]>();
        const ids = ofItem.get(of) ?? [];
        ids.push(id);
        open.set(on, ofItem.set(of, ids));
      }
    }
    return { open, count, escalated };
  }, [data, items, sources, marksOf, deletedReports, server.id]);

  const total = useMemo(() => {
    const last = new Map(data?.pages.map((page) => [page.source, page.total]));
    return { lists: last.size, reports: [...last.values()].reduce((sum, each) => sum + each, 0) };
  }, [data]);
  const looked = data?.pages.reduce((sum, page) => sum + page.looked, 0) ?? 0;
  const isCounted = total.lists === sources.length;
  const isFull = known.count >= maxGathered;
  const goesOn = isBegun && hasNextPage && !error && !isFull && (isCounted ? isIncluded && !isStopped : true);

  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);

  return {
    ...known,
    /** Whether there are lists to load. */
    isOffered: sources.length > 0,
    /** Whether there are too many lists. */
    isTooMany,
    /** Whether the number of reports to scan is known. */
    isCounted,
    total: total.reports,
    looked,
    isIncluded,
    isFull,
    isStopped,
    isComplete: isCounted && !hasNextPage && !areMarksLoading,
    isLooking: isBegun && !(isStopped && isCounted) && (isFetching || goesOn || (!error && areMarksLoading)),
    error,
    want(wanted: boolean) {
      setIncluded(wanted);
      setStopped(false);
      if (wanted && error) void fetchNextPage();
    },
    stop: () => setStopped(true),
    goOn() {
      setStopped(false);
      if (error) void fetchNextPage();
    },
  };
}

/** Other reports to resolve, by item key. */
export type Further = {
  open: ReadonlyMap<string, ReadonlyMap<ReportKind, number[]>>;
  isLooking: boolean;
  isIncluded: boolean;
};

/** Requested, but not loading yet. */
export const loadingFurther: Further = { open: new Map(), isLooking: true, isIncluded: true };
export const noFurther: Further = { open: new Map(), isLooking: false, isIncluded: false };

/** Adds the other reports to their items. */
export function withFurther(items: readonly Item[], { open }: Further): readonly Item[] {
  if (open.size === 0) return items;
  return items.map((item) => {
    const of = open.get(keyOf(item));
    return of ? { ...item, further: [...of].map(([kind, reports]) => ({ of: kind, reports })) } : item;
  });
}
