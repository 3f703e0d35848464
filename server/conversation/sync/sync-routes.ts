import type { FastifyReply } from 'fastify';
import { keyChanges } from '../../../shared/api/encryption-keys.ts';
import { getFilter, postFilter } from '../../../shared/api/filters.ts';
import { getSync } from '../../../shared/api/sync.ts';
import { changingOwn, readingOwn } from '../../identity/accounts/own-data-policy.ts';
import type { Cache } from '../../platform/core/cache.ts';
import { notFound } from '../../platform/core/matrix-error.ts';
import type { Requester } from '../../platform/core/requester.ts';
import { type StreamPositions, settledPositions } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type UserPolicy, userOrGuest } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { sendJson, whenClosed } from '../../platform/http/send-json.ts';
import { readDeviceListChanges } from '../encryption/device-list-changes.ts';
import { type KeyCounts, readKeyCounts } from '../encryption/one-time-key-store.ts';
import { acknowledgeInbox } from '../encryption/to-device-store.ts';
import type { Presence } from '../presence/presence.ts';
import type { UnansweredSends } from '../rooms/events/restricted-senders.ts';
import { findFilter, keepFilter } from './filter-store.ts';
import { longPoll, type PollContext, type WaitingClient } from './long-poll.ts';
import type { ShownRoom } from './read-rooms.ts';
import { readSync, type SyncAnswer } from './read-sync.ts';
import { requestedFilter, requireSmall } from './requested-filter.ts';
import { readSyncToken, type SyncContext } from './sync-question.ts';
import { isEmpty, syncReply } from './sync-reply.ts';

/** A device has one sync at a time; only a bug or an attack opens hundreds. */
export const syncs: UserPolicy = {
  ...userOrGuest,
  concurrency: { name: 'sync', perUser: 100, refusal: 'Too many pending sync requests for this account' },
};

/** By device: up to which change nothing waits for it, as its own syncs have shown. */
export type EmptyInboxes = Cache<string, number>;

type Context = SyncContext &
  PollContext & { presence: Presence; unansweredSends: UnansweredSends; emptyInboxes: EmptyInboxes };

export const syncRoutes: Routes<Context> = (app, context) => {
  const { db, clock, presence, unansweredSends, emptyInboxes, syncReplies } = context;

  app.get('/sync', { schema: getSync, config: { policy: syncs } }, async ({ query, requester }, reply) => {
    const { full_state: fullState, use_state_after } = query;
    const isUnstable = query['org.matrix.msc4222.use_state_after'];
    const told = query.since === undefined ? undefined : readSyncToken(query.since);
    const since = told && (await context.settled.reach(told)) ? told : undefined;
    const filter = await requestedFilter(db, requester.userId, query.filter);
    const stateAfter = use_state_after || isUnstable;
    const question = { requester, filter, since, fullState, stateAfter, inPieces: !since || fullState };
    const { userId, deviceId } = requester;
    const device = `${userId} ${deviceId}`;
    if (since && deviceId !== null && (emptyInboxes.get(device) ?? 0) < since.changes) {
      await acknowledgeInbox(db, { userId, deviceId, upTo: since.changes });
    }
    async function* answeredOf(pieces: AsyncIterable<ShownRoom[]>) {
      for await (const rooms of pieces) {
        await unansweredSends.answered(requester, ownTransactions(rooms));
        yield rooms;
      }
    }
    const replyOf = async (answer: SyncAnswer, upTo: StreamPositions) => {
      if (deviceId !== null && answer.parts.inbox.events.length === 0) emptyInboxes.set(device, upTo.changes);
      await unansweredSends.answered(requester, ownTransactions(answer.rooms));
      const state = use_state_after ? 'state_after' : isUnstable ? 'org.matrix.msc4222.state_after' : 'state';
      const keys = await keysLeft(db, requester);
      const others = answeredOf(answer.others);
      return syncReply({ ...answer, others }, upTo, { now: clock.now(), keys, filter, state });
    };
    const leave = context.waiting.enter();
    const disconnect = presence.connect(userId, query.set_presence);
    try {
      // Otherwise the user's own presence would end the next long poll at once.
      if (!since) await presence.settle();
      const timeout = since && !fullState ? query.timeout : 0;
      const found = await longPoll(context, { userId, timeout, client: clientOf(reply) }, (upTo, isLast) =>
        syncReplies.make(userId, reply.raw, async () => {
          const answer = await readSync(context, question, upTo);
          return isLast || !isEmpty(answer) ? replyOf(answer, upTo) : undefined;
        }),
      );
      // Nobody is there to read it.
      return sendJson(reply, found ?? '{}');
    } finally {
      disconnect();
      leave();
    }
  });
};

/** What a device has left of its keys; whoever has no device has none. */
export const keysLeft = async (db: Database, { userId, deviceId }: Requester): Promise<KeyCounts> =>
  deviceId === null
    ? { oneTimeKeys: { signed_curve25519: 0 }, unusedFallbackKeys: [] }
    : readKeyCounts(db, { userId, deviceId });

/** Whoever breaks off waits for nothing, and who is put out meanwhile is told nothing. */
export const clientOf = ({ raw, request }: FastifyReply): WaitingClient => ({
  whenGone: (callback) => whenClosed(raw, callback),
  identifyAgain: () => request.identifyAgain(),
});

const ownTransactions = (rooms: readonly ShownRoom[]) =>
  rooms.flatMap(({ timeline }) =>
    timeline.flatMap(({ unsigned: { transaction_id: id } }) => (typeof id === 'string' ? [id] : [])),
  );

export const filterRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.post(
    '/user/:userId/filter',
    { schema: postFilter, config: { policy: changingOwn('create filters') } },
    async ({ params, body }) => {
      requireSmall(JSON.stringify(body));
      return { filter_id: await keepFilter(db, params.userId, body) };
    },
  );

  app.get(
    '/user/:userId/filter/:filterId',
    { schema: getFilter, config: { policy: readingOwn('get filters') } },
    async ({ params }) => {
      const filter = await findFilter(db, params.userId, params.filterId);
      if (!filter) throw notFound('No such filter');
      return filter;
    },
  );
};

/** Whose keys have changed since a sync. Matrix specification, client-server API, `GET /keys/changes`. */
export const keyChangeRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.get(
    '/keys/changes',
    { schema: keyChanges, config: { policy: userOrGuest } },
    async ({ query: { from }, requester: { userId } }) => {
      const after = readSyncToken(from);
      // Up to now, whatever the request says, as at the reference homeserver: what changed later is news, too.
      return readDeviceListChanges(db, { userId, after, upTo: await settledPositions(db) });
    },
  );
};
