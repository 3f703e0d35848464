import type { JsonObject } from '../../../shared/api/common.ts';
import { getEventAlone, getEvents, getInitialSync, getRoomInitialSync } from '../../../shared/api/sync.ts';
import { stringifyLong } from '../../platform/core/json.ts';
import { forbidden, notFound, unknownError } from '../../platform/core/matrix-error.ts';
import type { Requester } from '../../platform/core/requester.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { asStatus } from '../presence/presence.ts';
import type { PresenceRecord } from '../presence/presence-store.ts';
import { roomAccess } from '../rooms/access.ts';
import { listPublished } from '../rooms/directory/public-room-store.ts';
import { type Reader, serveEvents } from '../rooms/events/client-event.ts';
import { findEvent } from '../rooms/events/event-store.ts';
import { readEvent, readMessages } from '../rooms/events/history.ts';
import { listState } from '../rooms/state/current-state-store.ts';
import { longPoll, type PollContext } from './long-poll.ts';
import type { ShownRoom } from './read-rooms.ts';
import { readSync, type SyncResult } from './read-sync.ts';
import type { StrippedRoom } from './stripped-rooms.ts';
import { readSyncToken, type SyncContext, syncToken } from './sync-request.ts';
import { syncPolicy } from './sync-routes.ts';

export const legacySyncRoutes: Routes<SyncContext & PollContext> = (app, context) => {
  const { db, clock, settled, syncReplies } = context;

  app.get(
    '/events',
    { schema: getEvents, config: { policy: syncPolicy } },
    async ({ query, requester }, reply) => {
      const since = query.from ? readSyncToken(query.from) : await settled();
      const { room_id: roomId, timeout } = query;
      if (roomId === undefined && requester.guest)
        throw unknownError('Guest users must specify room_id param');
      const isPeek = roomId !== undefined && (await requireMemberOrPeek(db, roomId, requester.userId)).isPeek;
      const poll = { userId: requester.userId, peekedRoom: isPeek ? roomId : undefined, timeout };
      const start = syncToken(since);
      const body = await longPoll(context, reply, poll, async (upTo, isLast) => {
        const news = isPeek
          ? await readPeek(db, { requester, now: clock.now() }, roomId, { after: since, upTo })
          : { events: await readNews(roomId, requester, since, upTo), upTo };
        if (!isLast && news.events.length === 0) return undefined;
        return stringifyLong({ chunk: news.events, start, end: syncToken(news.upTo) }, 3);
      });
      return sendJson(reply, body ?? JSON.stringify({ chunk: [], start, end: start }));
    },
  );

  async function readNews(
    roomId: string | undefined,
    requester: Requester,
    since: StreamPositions,
    upTo: StreamPositions,
  ): Promise<object[]> {
    const filter = roomId === undefined ? {} : { room: { rooms: [roomId] } };
    const request = { requester, filter, since, fullState: false, stateAfter: false };
    const result = await readSync(context, request, upTo);
    return eventsOf(result, await allRooms(result), clock.now());
  }

  app.get(
    '/events/:eventId',
    { schema: getEventAlone, config: { policy: { ...syncPolicy, guests: 'refused' } } },
    async ({ params: { eventId }, requester }) => {
      const found = await findEvent(db, eventId);
      if (!found) throw notFound('Event not found.');
      return readEvent(db, { requester, now: clock.now() }, found.pdu.room_id, eventId);
    },
  );

  app.get(
    '/initialSync',
    { schema: getInitialSync, config: { policy: { ...syncPolicy, guests: 'refused' } } },
    async ({ query, requester }, reply) => {
      const body = await syncReplies.make(requester.userId, reply.raw, async () =>
        stringifyLong(await readEverything(query, requester), 5),
      );
      return sendJson(reply, body ?? '{}');
    },
  );

  async function readEverything(query: { limit: number; archived: boolean }, requester: Requester) {
    const upTo = await settled();
    const filter = { room: { timeline: { limit: query.limit }, include_leave: query.archived } };
    const request = { requester, filter, since: undefined, fullState: false, stateAfter: true };
    const result = await readSync(context, request, upTo);
    const rooms = await allRooms(result);
    const published = await listPublished(
      db,
      rooms.map(({ update }) => update.roomId),
    );
    return {
      end: syncToken(upTo),
      rooms: [
        ...rooms.map((room) => ({
          ...asLegacyRoom(room, result, upTo),
          visibility: published.has(room.update.roomId) ? 'public' : 'private',
        })),
        ...result.stripped.map(asStrippedRoom),
      ],
      presence: result.sections.presence.map(presenceEvent(clock.now())),
      receipts: [...result.sections.ephemeral.keys()].flatMap((roomId) => receiptsOf(result, roomId)),
      account_data: result.sections.accountData,
    };
  }

  app.get(
    '/rooms/:roomId/initialSync',
    { schema: getRoomInitialSync, config: { policy: syncPolicy } },
    async ({ params: { roomId }, query, requester }, reply) => {
      const body = await syncReplies.make(requester.userId, reply.raw, async () =>
        stringifyLong(await readRoom(roomId, query, requester), 4),
      );
      return sendJson(reply, body ?? '{}');
    },
  );

  async function readRoom(roomId: string, query: { limit: number }, requester: Requester) {
    const upTo = await settled();
    const { isPeek } = await requireMemberOrPeek(db, roomId, requester.userId);
    if (isPeek) return readPreview(db, { requester, now: clock.now() }, roomId, upTo, query.limit);
    const filter = { room: { rooms: [roomId], timeline: { limit: query.limit }, include_leave: true } };
    const request = { requester, filter, since: undefined, fullState: false, stateAfter: true };
    const result = await readSync(context, request, upTo);
    const room = (await allRooms(result)).find(({ update }) => update.roomId === roomId);
    if (!room) throw forbidden(`User ${requester.userId} not in room ${roomId}`);
    return {
      ...asLegacyRoom(room, result, upTo),
      presence: result.sections.presence.map(presenceEvent(clock.now())),
      receipts: receiptsOf(result, roomId),
    };
  }
};

async function allRooms({ rooms }: SyncResult): Promise<ShownRoom[]> {
  const all: ShownRoom[] = [];
  for await (const chunk of rooms) all.push(...chunk);
  return all;
}

function eventsOf({ stripped, sections }: SyncResult, rooms: readonly ShownRoom[], now: number): object[] {
  return [
    ...rooms.flatMap(({ timeline }) => timeline),
    ...stripped.flatMap(({ roomId, events }) =>
      events.slice(-1).map((event) => ({ ...event, room_id: roomId })),
    ),
    ...[...sections.ephemeral].flatMap(([room_id, events]) => events.map((event) => ({ ...event, room_id }))),
    ...sections.presence.map(presenceEvent(now)),
    ...sections.accountData,
    ...[...sections.roomAccountData].flatMap(([room_id, data]) =>
      data.map((event) => ({ ...event, room_id })),
    ),
  ];
}

function asLegacyRoom(
  { update, timeline, start, state }: ShownRoom,
  { sections }: SyncResult,
  upTo: StreamPositions,
) {
  return {
    room_id: update.roomId,
    membership: update.section,
    messages: { chunk: timeline, start: `s${start}`, end: syncToken(upTo) },
    state,
    account_data: sections.roomAccountData.get(update.roomId) ?? [],
  };
}

const asStrippedRoom = ({ roomId, section, events }: StrippedRoom) => {
  const own = events.at(-1);
  return {
    room_id: roomId,
    membership: section,
    ...(section === 'invite' && own && { inviter: own.sender, invite: own }),
  };
};

const receiptsOf = ({ sections }: SyncResult, roomId: string): JsonObject[] =>
  (sections.ephemeral.get(roomId) ?? [])
    .filter(({ type }) => type === 'm.receipt')
    .map((event) => ({ ...event, room_id: roomId }));

const presenceEvent = (now: number) => (record: PresenceRecord) => ({
  type: 'm.presence',
  content: { user_id: record.userId, ...asStatus(record, now) },
});

const maxPeekedEvents = 100;

/** @throws MatrixError 403 if the user can't read or preview the room */
async function requireMemberOrPeek(
  db: Database,
  roomId: string,
  userId: string,
): Promise<{ isPeek: boolean }> {
  const access = await roomAccess(db, roomId, userId);
  if (!access) throw forbidden(`User ${userId} not in room ${roomId}, and room previews are disabled`);
  return { isPeek: access.peeking };
}

/** Reads new events of a previewed room, and the position up to which they are complete. */
async function readPeek(
  db: Database,
  reader: Reader,
  roomId: string,
  { after, upTo }: { after: StreamPositions; upTo: StreamPositions },
): Promise<{ events: JsonObject[]; upTo: StreamPositions }> {
  const range = { from: after.events, to: upTo.events, limit: maxPeekedEvents };
  const page = await readMessages(db, reader, roomId, { direction: 'f', ...range, filter: {} });
  return { events: page.events, upTo: { ...upTo, events: page.end ?? upTo.events } };
}

/** Matrix specification, client-server API, "Room Previews". */
async function readPreview(
  db: Database,
  reader: Reader,
  roomId: string,
  upTo: StreamPositions,
  limit: number,
): Promise<JsonObject> {
  const range = { from: upTo.events, to: undefined, limit };
  const page = await readMessages(db, reader, roomId, { direction: 'b', ...range, filter: {} });
  const state = (await listState(db, roomId)).map((event) => ({ event }));
  return {
    room_id: roomId,
    messages: { chunk: page.events.reverse(), start: `s${page.end ?? 0}`, end: syncToken(upTo) },
    // The room is world-readable, so its current state is public.
    state: await serveEvents(db, state, { ...reader, upTo: undefined }),
    account_data: [],
    presence: [],
    receipts: [],
  };
}
