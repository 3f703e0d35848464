import { keyChanges } from '../../../shared/api/encryption-keys.ts';
import { getSync } from '../../../shared/api/sync.ts';
import type { Cache } from '../../platform/core/cache.ts';
import type { Requester } from '../../platform/core/requester.ts';
import { type StreamPositions, settledPositions } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type UserPolicy, userOrGuest } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { readDeviceListChanges } from '../encryption/device-list-changes.ts';
import { type KeyCounts, readKeyCounts } from '../encryption/one-time-key-store.ts';
import { acknowledgeInbox } from '../encryption/to-device-store.ts';
import type { Presence } from '../presence/presence.ts';
import type { UnansweredSends } from '../rooms/events/restricted-senders.ts';
import { requestedFilter } from './filter-routes.ts';
import { longPoll, type PollContext } from './long-poll.ts';
import type { ShownRoom } from './read-rooms.ts';
import { readSync, type SyncResult } from './read-sync.ts';
import { isEmpty, syncReply } from './sync-reply.ts';
import { readSyncToken, type SyncContext } from './sync-request.ts';

/** A device has one sync at a time; only a bug or an attack opens hundreds. */
export const syncPolicy: UserPolicy = {
  ...userOrGuest,
  concurrency: { name: 'sync', perUser: 100, refusal: 'Too many pending sync requests for this account' },
};

/** By user and device, the position up to which no to-device messages are waiting. */
export type EmptyInboxes = Cache<string, number>;

type Context = SyncContext &
  PollContext & { presence: Presence; unansweredSends: UnansweredSends; emptyInboxes: EmptyInboxes };

export const syncRoutes: Routes<Context> = (app, context) => {
  const { db, clock, presence, unansweredSends, emptyInboxes, settled } = context;

  app.get(
    '/sync',
    { schema: getSync, config: { policy: syncPolicy } },
    async ({ query, requester }, reply) => {
      const { userId, deviceId } = requester;
      const device = `${userId} ${deviceId}`;
      const { full_state: fullState, use_state_after } = query;
      const isUnstable = query['org.matrix.msc4222.use_state_after'];
      const token = query.since === undefined ? undefined : readSyncToken(query.since);
      const since = token && (await settled.reach(token)) ? token : undefined;
      const filter = await requestedFilter(db, userId, query.filter);
      const request = { requester, filter, since, fullState, stateAfter: use_state_after || isUnstable };
      if (since && deviceId !== null && (emptyInboxes.get(device) ?? 0) < since.changes) {
        await acknowledgeInbox(db, { userId, deviceId, upTo: since.changes });
      }

      const replyOf = async (result: SyncResult, upTo: StreamPositions) => {
        if (deviceId !== null && result.sections.inbox.events.length === 0)
          emptyInboxes.set(device, upTo.changes);
        const state = use_state_after
          ? 'state_after'
          : isUnstable
            ? 'org.matrix.msc4222.state_after'
            : 'state';
        const keys = await countKeys(db, requester);
        const rooms = noteOwnSends(result.rooms);
        return syncReply({ ...result, rooms }, upTo, { now: clock.now(), keys, filter, state });
      };
      async function* noteOwnSends(chunks: SyncResult['rooms']) {
        for await (const rooms of chunks) {
          await unansweredSends.answered(requester, ownTransactions(rooms));
          yield rooms;
        }
      }

      const disconnect = presence.connect(userId, query.set_presence);
      try {
        // Otherwise the user's own presence would end the next long poll at once.
        if (!since) await presence.settle();
        const timeout = since && !fullState ? query.timeout : 0;
        const body = await longPoll(context, reply, { userId, timeout }, async (upTo, isLast) => {
          const result = await readSync(context, request, upTo);
          return isLast || !isEmpty(result) ? replyOf(result, upTo) : undefined;
        });
        // Undefined only if the client has disconnected.
        return sendJson(reply, body ?? '{}');
      } finally {
        disconnect();
      }
    },
  );
};

/** A device's remaining one-time and fallback keys; none without a device. */
export const countKeys = async (db: Database, { userId, deviceId }: Requester): Promise<KeyCounts> =>
  deviceId === null
    ? { oneTimeKeys: { signed_curve25519: 0 }, unusedFallbackKeys: [] }
    : readKeyCounts(db, { userId, deviceId });

const ownTransactions = (rooms: readonly ShownRoom[]) =>
  rooms.flatMap(({ timeline }) =>
    timeline.flatMap(({ unsigned: { transaction_id: id } }) => (typeof id === 'string' ? [id] : [])),
  );

/** Matrix specification, client-server API, `GET …/keys/changes`. */
export const keyChangeRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.get(
    '/keys/changes',
    { schema: keyChanges, config: { policy: userOrGuest } },
    async ({ query: { from }, requester: { userId } }) => {
      const after = readSyncToken(from);
      // Ignores `to`, as Synapse does: later changes are new as well.
      return readDeviceListChanges(db, { userId, after, upTo: await settledPositions(db) });
    },
  );
};
