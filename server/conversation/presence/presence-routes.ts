import { getPresence, type PresenceStatus, putPresence } from '../../../shared/api/presence.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { requireUserId } from '../../platform/core/identifiers.ts';
import { forbidden } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type UserPolicy, user } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { Presence } from './presence.ts';
import { findPresence, type PresenceRecord, shareRoom } from './presence-store.ts';

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

/** Users who were active within this time are `currently_active`, in milliseconds. */
const activePeriod = 60_000;

/** Also the content of `m.presence`. */
export function asStatus({ presence, statusMsg, lastActiveTs }: PresenceRecord, now: number): PresenceStatus {
  const ago = Math.max(0, now - lastActiveTs);
  return {
    presence,
    ...(lastActiveTs > 0 && { last_active_ago: ago }),
    ...(statusMsg !== null && { status_msg: statusMsg }),
    ...(presence === 'online' && { currently_active: ago < activePeriod }),
  };
}
