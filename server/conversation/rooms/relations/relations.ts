/** Pages of related events and threads. Client-server API, "Relationships API" and "Threads API". */
import type { ClientEvent } from '../../../../shared/api/events.ts';
import { relationsPerPage } from '../../../../shared/api/events.ts';
import { notFound } from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { BackgroundUpdate } from '../../../platform/tasks/background-updates.ts';
import {
  findVisibleEvent,
  type RoomAccess,
  requireReadable,
  roomAccess,
  visibleEvents,
  withoutIgnored,
} from '../access.ts';
import { type Reader, serveEvents } from '../events/client-event.ts';
import { listAllEvents, newestStreamOrdering } from '../events/event-order-store.ts';
import type { StoredEvent } from '../events/event-store.ts';
import { relationIn } from './relation.ts';
import { insertRelation, listRelated, listRelatedIds, listThreads } from './relation-store.ts';

type RelatedQuery = {
  relType?: string | undefined;
  type?: string | undefined;
  direction: 'b' | 'f';
  from: number | undefined;
  to: number | undefined;
  limit: number;
  /** Whether to include relations of relations. */
  recurse: boolean;
};

/** Limits for relations of relations. */
export const recursionDepth = 3;
const maximumFollowed = 500;

export type RelatedPage = {
  events: ClientEvent[];
  /** Position of the next page; undefined at the end. */
  next: number | undefined;
};

/** Returns events that relate to an event. @throws MatrixError 404 if the reader can't see the event */
export async function readRelated(
  db: Database,
  reader: Reader,
  roomId: string,
  eventId: string,
  { relType, type, direction, from, to, limit: requested, recurse }: RelatedQuery,
): Promise<RelatedPage> {
  const { userId } = reader.requester;
  const parent = await findVisibleEvent(db, roomId, userId, eventId);
  if (!parent) throw notFound('Event not found.');
  const access = (await roomAccess(db, roomId, userId)) ?? {
    upTo: parent.event.streamOrdering,
    peeking: true,
  };
  const newest = access.upTo ?? (await newestStreamOrdering(db, roomId));
  const parents = recurse ? await withFollowed(db, eventId) : [eventId];

  const backwards = direction === 'b';
  const limit = Math.min(requested, relationsPerPage.maximum);
  const found = await listRelated(db, parents, {
    relType,
    type,
    after: (backwards ? to : from) ?? 0,
    upTo: Math.min((backwards ? from : to) ?? newest, newest),
    direction,
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  const last = page.at(-1)?.streamOrdering;
  const next = found.length > limit && last !== undefined ? (backwards ? last - 1 : last) : undefined;
  return { events: await serveVisible(db, reader, roomId, page, access), next };
}

/** Returns the IDs of an event and its direct and indirect relations. */
async function withFollowed(db: Database, eventId: string): Promise<string[]> {
  const all = new Set([eventId]);
  let level = [eventId];
  for (let depth = 1; depth < recursionDepth && level.length > 0; depth++) {
    const related = await listRelatedIds(db, level, maximumFollowed - all.size);
    level = related.filter((each) => !all.has(each));
    for (const each of level) all.add(each);
    if (all.size >= maximumFollowed) break;
  }
  return [...all];
}

type ThreadsQuery = {
  participated: boolean;
  from: number | undefined;
  limit: number;
};

/** Returns the roots of a room's threads, by latest reply. @throws MatrixError 403 */
export async function readThreads(
  db: Database,
  reader: Reader,
  roomId: string,
  { participated, from, limit: requested }: ThreadsQuery,
): Promise<RelatedPage> {
  const { userId } = reader.requester;
  const access = await requireReadable(db, roomId, userId);
  const limit = Math.min(requested, relationsPerPage.maximum);
  const newest = access.upTo ?? Number.MAX_SAFE_INTEGER;
  const found = await listThreads(db, roomId, {
    participant: participated ? userId : undefined,
    upTo: Math.min(from ?? newest, newest),
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  const last = page.at(-1)?.latest;
  const next = found.length > limit && last !== undefined ? last - 1 : undefined;
  const roots = page.map(({ root }) => root);
  return { events: await serveVisible(db, reader, roomId, roots, access), next };
}

async function serveVisible(
  db: Database,
  reader: Reader,
  roomId: string,
  events: StoredEvent[],
  access: RoomAccess,
): Promise<ClientEvent[]> {
  const visible = await visibleEvents(db, roomId, reader.requester.userId, events, access);
  const requested = await withoutIgnored(db, reader.requester.userId, visible);
  return serveEvents(db, requested, { ...reader, upTo: access.upTo });
}

const eventsAtOnce = 200;

/** The background update that stores the relations of older events. */
export const populateRelations: BackgroundUpdate = async (tx, { after }) => {
  const position = typeof after === 'number' ? after : 0;
  const { events } = await listAllEvents(tx, {
    after: position,
    upTo: Number.MAX_SAFE_INTEGER,
    limit: eventsAtOnce,
  });
  for (const { eventId, streamOrdering, redactedBy, pdu } of events) {
    if (redactedBy !== null || pdu.state_key !== undefined) continue;
    const relation = relationIn(pdu.content);
    if (!relation) continue;
    const { room_id: roomId, sender, type } = pdu;
    await insertRelation(tx, { ...relation, eventId, roomId, sender, type, streamOrdering });
  }
  const last = events.at(-1)?.streamOrdering;
  return { items: events.length, ...(last !== undefined && { progress: { after: last } }) };
};
