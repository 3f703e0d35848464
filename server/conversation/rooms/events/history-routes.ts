import {
  type EventAtTime,
  type EventContext,
  getContext,
  getEvent,
  getEventAtTime,
  getMessages,
  type MessagesPage,
  type MessagesQuery,
} from '../../../../shared/api/events.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import { jsonChunks } from '../../../platform/core/json.ts';
import type { Requester } from '../../../platform/core/requester.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { type UserPolicy, user, userOrGuest } from '../../../platform/http/policy.ts';
import type { Routes } from '../../../platform/http/routes.ts';
import { sendJson, streamJson } from '../../../platform/http/send-json.ts';
import { requestedEventFilter } from './event-filter.ts';
import type { StoredEvent } from './event-store.ts';
import {
  type EventSurroundings,
  type HistoryPage,
  type HistoryQuery,
  readContext,
  readEvent,
  readEventAtTime,
  readMessages,
} from './history.ts';
import { parseStreamToken, streamToken } from './stream-token.ts';

type Context = { db: Database; clock: Clock };

const readingHistory: UserPolicy = {
  ...userOrGuest,
  concurrency: { name: 'history', perUser: 10, refusal: 'Too many concurrent history requests' },
};

export const historyRoutes: Routes<Context> = (app, { db, clock }) => {
  const readerFor = (requester: Requester) => ({ requester, now: clock.now() });

  app.get(
    '/rooms/:roomId/messages',
    { schema: getMessages, config: { policy: readingHistory } },
    async ({ params, query, requester }, reply) => {
      const page = await readMessages(db, readerFor(requester), params.roomId, asHistoryQuery(query));
      return sendJson(reply, JSON.stringify(asMessagesPage(page, query.from)));
    },
  );

  app.get(
    '/rooms/:roomId/event/:eventId',
    { schema: getEvent, config: { policy: userOrGuest } },
    ({ params, requester }) => readEvent(db, readerFor(requester), params.roomId, params.eventId),
  );

  app.get(
    '/rooms/:roomId/context/:eventId',
    { schema: getContext, config: { policy: userOrGuest } },
    async ({ params, query, requester }, reply) => {
      const context = await readContext(db, readerFor(requester), params.roomId, params.eventId, {
        limit: query.limit,
        filter: requestedEventFilter(query.filter),
      });
      // The state may be very large.
      return streamJson(reply, jsonChunks(asEventContext(context), 2));
    },
  );
};

export const eventAtTimeRoutes: Routes<Context> = (app, { db, clock }) => {
  app.get(
    '/rooms/:roomId/timestamp_to_event',
    { schema: getEventAtTime, config: { policy: user } },
    async ({ params, query, requester }) =>
      asEventAtTime(await readEventAtTime(db, { requester, now: clock.now() }, params.roomId, query)),
  );
};

/** @throws MatrixError 400 for invalid tokens and filters */
export function asHistoryQuery({ dir: direction, from, to, limit, filter }: MessagesQuery): HistoryQuery {
  return {
    direction,
    from: parseStreamToken('from', from),
    to: parseStreamToken('to', to),
    limit,
    filter: requestedEventFilter(filter),
  };
}

/** @param from token of the request, returned as `start` */
export const asMessagesPage = (
  { events, members, start, end }: HistoryPage,
  from: string | undefined,
): MessagesPage => ({
  chunk: events,
  ...(members.length > 0 && { state: members }),
  start: from || streamToken(start),
  ...(end !== undefined && { end: streamToken(end) }),
});

export const asEventContext = ({
  before,
  event,
  after,
  state,
  start,
  end,
}: EventSurroundings): EventContext => ({
  events_before: before,
  event,
  events_after: after,
  state,
  start: streamToken(start),
  end: streamToken(end),
});

export const asEventAtTime = ({ eventId, pdu }: StoredEvent): EventAtTime => ({
  event_id: eventId,
  origin_server_ts: pdu.origin_server_ts,
});
