import type { JsonObject } from '../../../shared/api/common.ts';
import { postSlidingSync, type SlidingExtensions } from '../../../shared/api/sliding-sync.ts';
import { stringifyLong } from '../../platform/core/json.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import type { KeyCounts } from '../encryption/one-time-key-store.ts';
import { acknowledgeInbox } from '../encryption/to-device-store.ts';
import type { Presence } from '../presence/presence.ts';
import type { UnansweredSends } from '../rooms/events/restricted-senders.ts';
import { longPoll, type PollContext } from '../sync/long-poll.ts';
import type { EphemeralEvent } from '../sync/read-sync.ts';
import { readSyncToken, type SyncContext, syncToken } from '../sync/sync-request.ts';
import { countKeys, syncPolicy } from '../sync/sync-routes.ts';
import type { ChangesPage } from '../thread-subscriptions/thread-subscriptions.ts';
import {
  areEmpty,
  type Extensions,
  parseInboxToken,
  readExtensions,
  threadExtension,
} from './sliding-extensions.ts';
import {
  type Connection,
  findPosition,
  keepPosition,
  type PositionContext,
  type SentRooms,
} from './sliding-position-store.ts';
import { readSlidingSync, type SlidingResult } from './sliding-sync.ts';

type Context = SyncContext &
  PollContext &
  PositionContext & { presence: Presence; unansweredSends: UnansweredSends };

export const slidingSyncRoutes: Routes<Context> = (app, context) => {
  const { db, clock, presence, unansweredSends } = context;

  app.post(
    '/org.matrix.simplified_msc3575/sync',
    { schema: postSlidingSync, config: { policy: syncPolicy } },
    async ({ query, body, requester }, reply) => {
      const { userId, deviceId } = requester;
      const connection = { userId, deviceId: deviceId ?? '', connectionId: body.conn_id ?? '' };
      const { position, since, sent } = await readPosition(context, connection, query.pos);
      const { lists } = body;
      const extensions = await knownExtensions(context, body.extensions);
      const acknowledged = parseInboxToken(extensions.to_device?.since);
      if (extensions.to_device?.enabled && acknowledged !== undefined && deviceId !== null) {
        await acknowledgeInbox(db, { userId, deviceId, upTo: acknowledged });
      }
      const disconnect = presence.connect(userId, query.set_presence);
      try {
        const timeout = since ? query.timeout : 0;
        const found = await longPoll(context, reply, { userId, timeout }, async (upTo, isLast) => {
          const answer = await readSlidingSync(context, { requester, body, since, sent }, upTo);
          const newRooms = Object.keys(answer.rooms).filter((roomId) => answer.rooms[roomId]?.initial);
          const beside = await readExtensions(
            context,
            { requester, extensions, since, requested: answer.requested, newRooms: new Set(newRooms) },
            upTo,
          );
          const isNews = Object.keys(answer.rooms).length > 0 || !areEmpty(beside);
          return isLast || isNews ? replyOf(answer, beside, upTo) : undefined;
        });
        return found ? sendJson(reply, found) : { pos: query.pos ?? '', rooms: {}, extensions: {} };
      } finally {
        disconnect();
      }

      async function replyOf(
        answer: SlidingResult,
        beside: Extensions,
        upTo: StreamPositions,
      ): Promise<string> {
        const to =
          position !== undefined && !answer.hasMoved
            ? position
            : await keepPosition(context, connection, {
                from: position,
                sent: answer.sent,
                now: clock.now(),
              });
        await unansweredSends.answered(requester, answer.ownTransactions);
        const keys = extensions.e2ee?.enabled ? await countKeys(db, requester) : undefined;
        const body = {
          pos: `${to}/${syncToken(upTo)}`,
          ...(lists && { lists: answer.lists }),
          rooms: answer.rooms,
          extensions: asExtensions(beside, keys),
        };
        // Down to the content of account data, which is stored as JSON.
        return stringifyLong(body, 7);
      }
    },
  );
};

/** @throws MatrixError 400 `M_UNKNOWN_POS` for an expired position, so that the client starts over */
async function readPosition(
  { db, settled }: Pick<Context, 'db' | 'settled'>,
  connection: Connection,
  pos: string | undefined,
) {
  const nothing: SentRooms = { rooms: {}, requiredStates: [] };
  if (pos === undefined || pos === '') return { position: undefined, since: undefined, sent: nothing };
  const [, number, token] = /^(\d{1,15})\/(s\d{1,15}_\d{1,15})$/.exec(pos) ?? [];
  const position = Number(number);
  const sent = token === undefined ? undefined : await findPosition(db, connection, position);
  const since = token === undefined || !sent ? undefined : readSyncToken(token);
  if (!sent || !since || !(await settled.reach(since))) {
    throw new MatrixError(400, 'M_UNKNOWN_POS', 'Unknown position');
  }
  return { position, since, sent };
}

/** Ignores to-device tokens that are ahead of the server's positions. */
async function knownExtensions(
  { settled }: Pick<Context, 'settled'>,
  { to_device: inbox, ...others }: SlidingExtensions = {},
): Promise<SlidingExtensions> {
  if (!inbox) return others;
  const { since, ...rest } = inbox;
  const changes = parseInboxToken(since);
  const isKnown = changes !== undefined && (await settled.reach({ changes }));
  return { ...others, to_device: isKnown ? inbox : rest };
}

function asExtensions(
  { inbox, deviceLists, accountData, receipts, typing, threads }: Extensions,
  keys: KeyCounts | undefined,
): JsonObject {
  const { changed = [], left = [] } = deviceLists ?? {};
  const hasChanged = changed.length + left.length > 0;
  return {
    ...(inbox && { to_device: { next_batch: String(inbox.upTo), events: inbox.events } }),
    ...(keys && {
      e2ee: {
        ...(hasChanged && { device_lists: { changed, left } }),
        device_one_time_keys_count: keys.oneTimeKeys,
        device_unused_fallback_key_types: keys.unusedFallbackKeys,
      },
    }),
    ...(accountData && {
      account_data: { global: accountData.global, rooms: Object.fromEntries(accountData.rooms) },
    }),
    ...(receipts && { receipts: { rooms: byRoom(receipts) } }),
    ...(typing && { typing: { rooms: byRoom(typing) } }),
    ...(threads && { [threadExtension]: asThreads(threads) }),
  };
}

const asThreads = ({ next, ...changes }: ChangesPage) => ({
  ...changes,
  ...(next !== undefined && { prev_batch: String(next) }),
});

const byRoom = (events: readonly EphemeralEvent[]) =>
  Object.fromEntries(events.map(({ roomId, type, content }) => [roomId, { type, content }]));
