/** What else is reported of those that something is done to, beside the reports that it is done because of. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { type EventReportItem, maximumReportsPerPage } from '../../shared/api/reports.ts';
import { type AskReports, askReports, type EventReportFilter } from '../api/event-reports.ts';
import { askFiledReports } from '../api/filed-report-walk.ts';
import type { Offered } from '../api/offered.ts';
import type { Moment } from '../api/report-order.ts';
import { nextReports, type WalkPlace, walkStart } from '../api/report-walk.ts';
import type { ReportKind } from '../team/entries.ts';
import type { Server } from '../transport/server.ts';
import { type Item, keyOf } from './subject.ts';

type Found = Moment & Partial<Pick<EventReportItem, 'event_id'>>;

/** Reports that the server lists by a filter, and the item that each is on. */
type Source = {
  of: ReportKind;
  /** Its name among the others. */
  name: string;
  ask(signal: AbortSignal): AskReports<Found>;
  /** `keyOf` of its item; undefined where it is on something else that the filter lets through. */
  itemOf(report: Found): string | undefined;
};

/** So many lists are begun without being asked for: each costs a request. */
const mostUnasked = 10;
/** In more than these one doesn't look for more. */
export const mostLookedIn = 100;

/** The lists that hold all reports on these; of one person in one room, those of what they sent there. */
export function sourcesOf(
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
  const onOneOf = ({ event_id: id = '' }: Found) => (events.has(id) ? id : undefined);
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

/** Whether so few lists are looked into before anybody has asked for it. */
export const isUnasked = (sources: readonly Source[]) => sources.length <= mostUnasked;

type Place = { source: number; place: WalkPlace<Found> };
type Step = {
  source: number;
  found: { id: number; on: string }[];
  looked: number;
  total: number;
  next: WalkPlace<Found> | undefined;
};

/** The first look into each list is a short one, which is enough for most. */
const firstStep = 100;

/** Looks into each list once, then through what there is more of them, newest first. */
export const furtherReportsQuery = (server: Server, sources: readonly Source[]) =>
  infiniteQueryOptions({
    // In one string: what is done to an item is no reason to begin anew.
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
    initialPageParam: { source: 0, place: walkStart } as Place,
    getNextPageParam: (_, steps): Place | undefined => nextPlace(sources.length, steps),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: false,
  });

function nextPlace(sources: number, steps: readonly Step[]): Place | undefined {
  const last = new Map(steps.map((step) => [step.source, step]));
  if (last.size < sources) return { source: last.size, place: walkStart };
  for (const [source, { next }] of last) if (next) return { source, place: next };
  return undefined;
}
