import type { FastifyReply } from 'fastify';
import type { JsonObject } from '../../../shared/api/common.ts';
import {
  getEventAlone,
  getEvents,
  getInitialSync,
  getRoomInitialSync,
} from '../../../shared/api/legacy-sync.ts';
import { stringifyLong } from '../../platform/core/json.ts';
import { forbidden, notFound, unknownError } from '../../platform/core/matrix-error.ts';
import type { Requester } from '../../platform/core/requester.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { asStatus } from '../presence/presence-routes.ts';
import type { PresenceRecord } from '../presence/presence-store.ts';
import { roomAccess } from '../rooms/access.ts';
import { listPublished } from '../rooms/directory/public-room-store.ts';
import { type Reader, serveEvents } from '../rooms/events/client-event.ts';
import { findEvent } from '../rooms/events/event-store.ts';
import { readEvent, readMessages } from '../rooms/events/history.ts';
import { listState } from '../rooms/state/current-state-store.ts';
import { longPoll, type PollContext } from './long-poll.ts';
import type { ShownRoom } from './read-rooms.ts';
import { readSync, type SyncAnswer } from './read-sync.ts';
import type { StrippedRoom } from './stripped-rooms.ts';
import { readSyncToken, type SyncContext, syncToken } from './sync-question.ts';
import { isEmpty } from './sync-reply.ts';
import { clientOf, syncs } from './sync-routes.ts';

export const legacySyncRoutes: Routes<SyncContext & PollContext> = (app, context) => {
  const { db, clock, settled, syncReplies } = context;

  app.get(
    '/events',
    { schema: getEvents, config: { policy: syncs } },
    async ({ query, requester }, reply) => {
      const since = query.from ? readSyncToken(query.from) : await settled();
      const { room_id: roomId } = query;
      if (roomId === undefined && requester.guest)
        throw unknownError('Guest users must specify room_id param');
      if (roomId !== undefined && (await isPeek(db, roomId, requester.userId))) {
        return peekAt(roomId, { requester, since, timeout: query.timeout }, reply);
      }
      const filter = query.room_id === undefined ? {} : { room: { rooms: [query.room_id] } };
      const question = { requester, filter, since, fullState: false, stateAfter: false };
      const leave = context.waiting.enter();
      try {
        const found = await longPoll(
          context,
          { userId: requester.userId, timeout: query.timeout, client: clientOf(reply) },
          (upTo, isLast) =>
            syncReplies.make(requester.userId, reply.raw, async () => {
              const answer = await readSync(context, question, upTo);
              if (!isLast && isEmpty(answer)) return undefined;
              const chunk = eventsOf(answer, clock.now());
              return JSON.stringify({ chunk, start: syncToken(since), end: syncToken(upTo) });
            }),
        );
        const nothing = { chunk: [], start: syncToken(since), end: syncToken(since) };
        return found === undefined ? nothing : sendJson(reply, found);
      } finally {
        leave();
      }
    },
  );

  app.get(
    '/events/:eventId',
    { schema: getEventAlone, config: { policy: { ...syncs, guests: 'refused' } } },
    async ({ params: { eventId }, requester }) => {
      const found = await findEvent(db, eventId);
      if (!found) throw notFound('Event not found.');
      return readEvent(db, { requester, now: clock.now() }, found.pdu.room_id, eventId);
    },
  );

  app.get(
    '/initialSync',
    { schema: getInitialSync, config: { policy: { ...syncs, guests: 'refused' } } },
    async ({ query, requester }, reply) => {
      const made = await syncReplies.make(requester.userId, reply.raw, async () =>
        stringifyLong(await everything(query, requester), 5),
      );
      return sendJson(reply, made ?? '{}');
    },
  );

  async function everything(query: { limit: number; archived: boolean }, requester: Requester) {
    const upTo = await settled();
    const filter = { room: { timeline: { limit: query.limit }, include_leave: query.archived } };
    const question = { requester, filter, since: undefined, fullState: false, stateAfter: true };
    const answer = await readSync(context, question, upTo);
    const published = await listPublished(
      db,
      answer.rooms.map(({ update }) => update.roomId),
    );
    const visibilityOf = ({ update }: ShownRoom) => (published.has(update.roomId) ? 'public' : 'private');
    return {
      end: syncToken(upTo),
      rooms: [
        ...answer.rooms.map((room) => ({
          ...asLegacyRoom(room, answer, upTo),
          visibility: visibilityOf(room),
        })),
        ...answer.stripped.map(asStrippedRoom),
      ],
      presence: answer.parts.presence.map(presenceEvent(clock.now())),
      receipts: [...answer.parts.ephemeral.keys()].flatMap((roomId) => receiptsOf(answer, roomId)),
      account_data: answer.parts.accountData,
    };
  }

  app.get(
    '/rooms/:roomId/initialSync',
    { schema: getRoomInitialSync, config: { policy: syncs } },
    async ({ params: { roomId }, query, requester }, reply) => {
      const made = await syncReplies.make(requester.userId, reply.raw, async () =>
        stringifyLong(await oneRoom(roomId, query, requester), 4),
      );
      return sendJson(reply, made ?? '{}');
    },
  );

  async function oneRoom(roomId: string, query: { limit: number }, requester: Requester) {
    const upTo = await settled();
    if (await isPeek(db, roomId, requester.userId)) return previewOf(roomId, requester, upTo, query.limit);
    const filter = { room: { rooms: [roomId], timeline: { limit: query.limit }, include_leave: true } };
    const question = { requester, filter, since: undefined, fullState: false, stateAfter: true };
    const answer = await readSync(context, question, upTo);
    const room = answer.rooms.find(({ update }) => update.roomId === roomId);
    if (!room) throw forbidden(`User ${requester.userId} not in room ${roomId}`);
    return {
      ...asLegacyRoom(room, answer, upTo),
      presence: answer.parts.presence.map(presenceEvent(clock.now())),
      receipts: receiptsOf(answer, roomId),
    };
  }

  async function peekAt(
    roomId: string,
    { requester, since, timeout }: { requester: Requester; since: StreamPositions; timeout: number },
    reply: FastifyReply,
  ) {
    const leave = context.waiting.enter();
    try {
      const poll = { userId: requester.userId, peekedRoom: roomId, timeout, client: clientOf(reply) };
      const found = await longPoll(context, poll, async (upTo, isLast) => {
        const reader = { requester, now: clock.now() };
        const answer = await readPeek(db, reader, roomId, { after: since, upTo });
        return isLast || answer.events.length > 0 ? answer : undefined;
      });
      const { events, upTo } = found ?? { events: [], upTo: since };
      return { chunk: events, start: syncToken(since), end: syncToken(upTo) };
    } finally {
      leave();
    }
  }

  async function previewOf(roomId: string, requester: Requester, upTo: StreamPositions, limit: number) {
    const reader = { requester, now: clock.now() };
    const { events, start, state } = await readPreview(db, reader, roomId, { upTo, limit });
    const messages = { chunk: events, start: `s${start}`, end: syncToken(upTo) };
    return { room_id: roomId, messages, state, account_data: [], presence: [], receipts: [] };
  }
};

function eventsOf(answer: SyncAnswer, now: number): JsonObject[] {
  return [
    ...answer.rooms.flatMap(({ timeline }) => timeline),
    ...answer.stripped.flatMap(({ roomId, events }) =>
      events.slice(-1).map((event) => ({ ...event, room_id: roomId })),
    ),
    ...[...answer.parts.ephemeral].flatMap(([room_id, events]) =>
      events.map((event) => ({ ...event, room_id })),
    ),
    ...answer.parts.presence.map(presenceEvent(now)),
  ];
}

function asLegacyRoom(
  { update, timeline, start, state }: ShownRoom,
  { parts }: SyncAnswer,
  upTo: StreamPositions,
) {
  return {
    room_id: update.roomId,
    membership: update.section,
    messages: { chunk: timeline, start: `s${start}`, end: syncToken(upTo) },
    state,
    account_data: parts.roomAccountData.get(update.roomId) ?? [],
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

const receiptsOf = ({ parts }: SyncAnswer, roomId: string): JsonObject[] =>
  (parts.ephemeral.get(roomId) ?? [])
    .filter(({ type }) => type === 'm.receipt')
    .map((event) => ({ ...event, room_id: roomId }));

const presenceEvent = (now: number) => (record: PresenceRecord) => ({
  type: 'm.presence',
  content: { user_id: record.userId, ...asStatus(record, now) },
});

/**
 * Looking into a room without being in it, where its history is for everyone. Matrix specification, client-server
 * API, "Room Previews".
 */

const eventsAtOnce = 100;

/** Whether a user would look into a room from outside. @throws MatrixError 403 for a room that may not be looked into */
async function isPeek(db: Database, roomId: string, userId: string): Promise<boolean> {
  const access = await roomAccess(db, roomId, userId);
  if (!access) throw forbidden(`User ${userId} not in room ${roomId}, and room previews are disabled`);
  return access.peeking;
}

/** What has happened in a room between two places, and the place up to which this is all. */
async function readPeek(
  db: Database,
  reader: Reader,
  roomId: string,
  { after, upTo }: { after: StreamPositions; upTo: StreamPositions },
): Promise<{ events: JsonObject[]; upTo: StreamPositions }> {
  const range = { from: after.events, to: upTo.events, limit: eventsAtOnce };
  const page = await readMessages(db, reader, roomId, { direction: 'f', ...range, filter: {} });
  return { events: page.events, upTo: { ...upTo, events: page.end ?? upTo.events } };
}

/** The latest that was said in a room, in its order, and its state. */
async function readPreview(
  db: Database,
  reader: Reader,
  roomId: string,
  { upTo, limit }: { upTo: StreamPositions; limit: number },
): Promise<{ events: JsonObject[]; start: number; state: JsonObject[] }> {
  const range = { from: upTo.events, to: undefined, limit };
  const page = await readMessages(db, reader, roomId, { direction: 'b', ...range, filter: {} });
  const state = (await listState(db, roomId)).map((event) => ({ event }));
  return {
    events: page.events.reverse(),
    start: page.end ?? 0,
    // Everyone may look in: they see the present.
    state: await serveEvents(db, state, { ...reader, upTo: undefined }),
  };
}
