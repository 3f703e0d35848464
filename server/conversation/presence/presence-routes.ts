import {
  getPresence,
  postReadMarkers,
  postReceipt,
  putPresence,
  putTyping,
} from '../../../shared/api/presence.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { requireUserId } from '../../platform/core/identifiers.ts';
import { forbidden, invalidParameter, MatrixError } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type UserPolicy, user } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { markRead, type ReadMark, type ReceiptContext } from '../receipts/receipts.ts';
import type { Typing } from '../typing/typing.ts';
import { asStatus, type Presence } from './presence.ts';
import { findPresence, shareRoom } from './presence-store.ts';

const changes: UserPolicy = {
  ...user,
  self: { parameter: 'userId', refusal: () => forbidden('Can only set your own presence state') },
  limits: [{ of: 'presence', by: 'user' }],
};

export const presenceRoutes: Routes<{ db: Database; clock: Clock; presence: Presence }> = (
  app,
  { db, clock, presence },
) => {
  const path = '/presence/:userId/status';

  app.get(path, { schema: getPresence, config: { policy: user } }, async ({ params, requester }) => {
    const userId = requireUserId(params.userId);
    if (userId !== requester.userId && !(await shareRoom(db, requester.userId, userId))) {
      throw forbidden('You are not allowed to see their presence.');
    }
    const found = await findPresence(db, userId);
    return found ? asStatus(found, clock.now()) : { presence: 'offline' as const };
  });

  app.put(path, { schema: putPresence, config: { policy: changes } }, async ({ params, body }) => {
    await presence.set(params.userId, body.presence, body.status_msg ?? null);
    return {};
  });
};

const othersTyping = () => new MatrixError(400, 'M_FORBIDDEN', "Cannot set another user's typing state");

/** Milliseconds. */
const defaultTimeout = 30_000;

const typingPolicy: UserPolicy = {
  ...user,
  self: { parameter: 'userId', refusal: othersTyping },
  shadowBanned: () => ({}),
};

export const typingRoutes: Routes<{ typing: Typing; presence: Presence }> = (app, { typing, presence }) => {
  app.put(
    '/rooms/:roomId/typing/:userId',
    { schema: putTyping, config: { policy: typingPolicy } },
    async ({ params: { roomId, userId }, body }) => {
      presence.noteActive(userId);
      if (body.typing) await typing.begin(roomId, userId, body.timeout ?? defaultTimeout);
      else await typing.end(roomId, userId);
      return {};
    },
  );
};

/** @throws MatrixError 400 */
function threadIdIn(type: ReadMark['type'], { thread_id: threadId }: { thread_id?: unknown }) {
  if (threadId === undefined) return undefined;
  if (type === 'm.fully_read') {
    throw invalidParameter('thread_id is not compatible with m.fully_read receipts.');
  }
  if (typeof threadId !== 'string' || threadId === '') {
    throw invalidParameter('thread_id field must be a non-empty string');
  }
  return threadId;
}

const types = ['m.fully_read', 'm.read', 'm.read.private'] as const;
const isType = (type: string): type is ReadMark['type'] => (types as readonly string[]).includes(type);

export const receiptRoutes: Routes<ReceiptContext & { presence: Presence }> = (app, context) => {
  const { presence } = context;

  app.post(
    '/rooms/:roomId/receipt/:receiptType/:eventId',
    { schema: postReceipt, config: { policy: user } },
    async ({ params: { roomId, receiptType: type, eventId }, body, requester }) => {
      if (!isType(type)) {
        throw new MatrixError(400, 'M_UNKNOWN', 'Receipt type must be m.read.private, m.read, m.fully_read');
      }
      const threadId = threadIdIn(type, body);
      await markRead(context, requester.userId, roomId, [{ type, eventId, threadId }]);
      presence.noteActive(requester.userId);
      return {};
    },
  );

  app.post(
    '/rooms/:roomId/read_markers',
    { schema: postReadMarkers, config: { policy: user } },
    async ({ params, body, requester }) => {
      const marks = types.flatMap((type) => {
        const eventId = body[type];
        return typeof eventId === 'string' ? [{ type, eventId }] : [];
      });
      await markRead(context, requester.userId, params.roomId, marks);
      presence.noteActive(requester.userId);
      return {};
    },
  );
};
