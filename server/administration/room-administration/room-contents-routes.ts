import {
  fetchEvent,
  getEventAtTime,
  getRoomContext,
  getRoomMembers,
  getRoomMessages,
  getRoomState,
} from '../../../shared/api/room-administration.ts';
import { requestedEventFilter } from '../../conversation/rooms/events/event-filter.ts';
import { findEvent } from '../../conversation/rooms/events/event-store.ts';
import { readContext, readEventAtTime, readMessages } from '../../conversation/rooms/events/history.ts';
import {
  asEventAtTime,
  asEventContext,
  asHistoryQuery,
  asMessagesPage,
} from '../../conversation/rooms/events/history-routes.ts';
import { listJoinedMembers } from '../../conversation/rooms/membership/membership-store.ts';
import { findRoom } from '../../conversation/rooms/room-store.ts';
import { statePages } from '../../conversation/rooms/state/current-state-store.ts';
import { stateJson } from '../../conversation/rooms/state/state-routes.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { jsonChunks } from '../../platform/core/json.ts';
import { notFound } from '../../platform/core/matrix-error.ts';
import type { Requester } from '../../platform/core/requester.ts';
import type { Database } from '../../platform/database/schema.ts';
import { administrator, longReplies } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { sendJson, streamJson } from '../../platform/http/send-json.ts';

const readingMuch = { ...administrator, concurrency: longReplies };

/** Room contents for admins, members or not. */
export const roomContentsRoutes: Routes<{ db: Database; clock: Clock }> = (app, { db, clock }) => {
  const readerFor = (requester: Requester) => ({
    requester,
    now: clock.now(),
    seesEverything: true as const,
  });
  const requireRoom = async (roomId: string) => {
    if (!(await findRoom(db, roomId))) throw notFound('Room not found');
  };

  app.get(
    '/v1/rooms/:room_id/members',
    { schema: getRoomMembers, config: { policy: administrator } },
    async ({ params }) => {
      await requireRoom(params.room_id);
      const members = await listJoinedMembers(db, params.room_id);
      return { members, total: members.length };
    },
  );

  app.get(
    '/v1/rooms/:room_id/state',
    { schema: getRoomState, config: { policy: readingMuch } },
    async ({ params, requester }, reply) => {
      await requireRoom(params.room_id);
      const reader = { ...readerFor(requester), upTo: undefined };
      const state = stateJson(db, statePages(db, params.room_id), reader);
      return streamJson(reply, wrapInObject('state', state));
    },
  );

  app.get(
    '/v1/rooms/:room_id/messages',
    { schema: getRoomMessages, config: { policy: readingMuch } },
    async ({ params, query, requester }, reply) => {
      const page = await readMessages(db, readerFor(requester), params.room_id, asHistoryQuery(query));
      return sendJson(reply, JSON.stringify(asMessagesPage(page, query.from)));
    },
  );

  app.get(
    '/v1/rooms/:room_id/context/:event_id',
    { schema: getRoomContext, config: { policy: readingMuch } },
    async ({ params, query, requester }, reply) => {
      const options = { limit: query.limit, filter: requestedEventFilter(query.filter) };
      const context = await readContext(db, readerFor(requester), params.room_id, params.event_id, options);
      return streamJson(reply, jsonChunks(asEventContext(context), 2));
    },
  );

  app.get(
    '/v1/rooms/:room_id/timestamp_to_event',
    { schema: getEventAtTime, config: { policy: administrator } },
    async ({ params, query, requester }) =>
      asEventAtTime(await readEventAtTime(db, readerFor(requester), params.room_id, query)),
  );

  app.get(
    '/v1/fetch_event/:event_id',
    { schema: fetchEvent, config: { policy: administrator } },
    async ({ params }) => {
      const event = await findEvent(db, params.event_id);
      if (!event) throw notFound('Event not found');
      const { unsigned, ...pdu } = event.pdu;
      const age = clock.now() - unsigned.age_ts;
      return { event: { ...pdu, event_id: event.eventId, unsigned: { ...unsigned, age } } };
    },
  );
};

/** Wraps JSON as the only property of an object. */
async function* wrapInObject(name: string, value: AsyncIterable<string>): AsyncGenerator<string> {
  yield `{${JSON.stringify(name)}:`;
  yield* value;
  yield '}';
}
