import { getState, getStateEvent, putState } from '../../../../shared/api/events.ts';
import { mapYielding } from '../../../platform/concurrency/yield.ts';
import { notFound } from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { type Call, longReplies, type UserPolicy, userOrGuest } from '../../../platform/http/policy.ts';
import type { Routes } from '../../../platform/http/routes.ts';
import { streamJson } from '../../../platform/http/send-json.ts';
import { requireReadable } from '../access.ts';
import { type RoomContext, timeOf } from '../events/append-events.ts';
import { type EventReader, serveEvents, visibleContent } from '../events/client-event.ts';
import type { StoredEvent } from '../events/event-store.ts';
import { onlyLeaving, pretendToSetState } from '../events/restricted-senders.ts';
import { invitationLimits, stateMembership } from '../membership/membership.ts';
import { statePages } from './current-state-store.ts';
import { findState, findStateAt, statePagesAt } from './room-state-store.ts';
import { sendState } from './send-state.ts';

/** Yields a JSON array of client events; each page is sorted oldest first. */
export async function* stateJson(
  db: Database,
  pages: AsyncGenerator<StoredEvent[]>,
  reader: EventReader,
): AsyncGenerator<string> {
  yield '[';
  let separator = '';
  for await (const page of pages) {
    page.sort((one, other) => one.streamOrdering - other.streamOrdering);
    const served = await serveEvents(
      db,
      page.map((event) => ({ event })),
      reader,
    );
    if (served.length === 0) continue;
    yield separator + (await mapYielding(served, (event) => JSON.stringify(event))).join();
    separator = ',';
  }
  yield ']';
}

/** An empty state key may be omitted, with or without the slash. */
const statePaths = [
  '/rooms/:roomId/state/:eventType',
  '/rooms/:roomId/state/:eventType/',
  '/rooms/:roomId/state/:eventType/:stateKey',
];

export const stateRoutes: Routes<RoomContext & { db: Database }> = (app, context) => {
  const { db, clock } = context;
  const setsState: UserPolicy = {
    access: 'user',
    limits: [
      { of: 'message', by: 'user' },
      { of: 'joins', by: (call) => (comesIn(call) ? [{ name: call.requester.userId }] : []) },
      ...invitationLimits((call) => (stateMembership(call) === 'invite' ? [call.params.stateKey ?? ''] : [])),
    ],
    suspended: onlyLeaving,
    guests: 'may',
    shadowBanned: pretendToSetState(context.signingKey, clock),
  };

  app.get(
    '/rooms/:roomId/state',
    { schema: getState, config: { policy: { ...userOrGuest, concurrency: longReplies } } },
    async ({ params: { roomId }, requester }, reply) => {
      const { upTo } = await requireReadable(db, roomId, requester.userId);
      const pages = upTo === undefined ? statePages(db, roomId) : statePagesAt(db, roomId, upTo);
      return streamJson(reply, stateJson(db, pages, { requester, now: clock.now(), upTo }));
    },
  );

  for (const path of statePaths) {
    app.put(
      path,
      { schema: putState, config: { policy: setsState } },
      async ({ params, query, body, requester }) => ({
        event_id: await sendState(context, params.roomId, {
          type: params.eventType,
          stateKey: params.stateKey ?? '',
          sender: requester.userId,
          content: body,
          time: timeOf(requester, query),
        }),
      }),
    );

    app.get(
      path,
      { schema: getStateEvent, config: { policy: userOrGuest } },
      async ({ params, query, requester }) => {
        const { roomId, eventType, stateKey = '' } = params;
        const { upTo } = await requireReadable(db, roomId, requester.userId);
        const event =
          upTo === undefined
            ? (await findState(db, roomId, [[eventType, stateKey]]))[0]
            : await findStateAt(db, roomId, [eventType, stateKey], upTo);
        if (!event) throw notFound('Event not found.');
        if (query.format === 'content') return visibleContent(event);
        const [served] = await serveEvents(db, [{ event }], { requester, now: clock.now(), upTo });
        return served ?? {};
      },
    );
  }
};

const comesIn = (call: Call) => ['join', 'knock'].includes(stateMembership(call) ?? '');
