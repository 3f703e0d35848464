import { createHmac } from 'node:crypto';
import { getTurnServer } from '../../shared/api/turn.ts';
import type { TurnConfig } from '../config/turn.ts';
import type { Clock } from '../core/clock.ts';
import { user, userOrGuest } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';

export const turnRoutes: Routes<{ config: { turn: TurnConfig }; clock: Clock }> = (
  app,
  { config, clock },
) => {
  const policy = config.turn?.allowsGuests === false ? user : userOrGuest;
  app.get('/voip/turnServer', { schema: getTurnServer, config: { policy } }, ({ requester }) =>
    config.turn ? credentialsFor(config.turn, requester.userId, clock.now()) : {},
  );
};

/** With a secret, a name that says until when it is good, and a password that only who knows the secret can make. */
function credentialsFor(turn: NonNullable<TurnConfig>, userId: string, now: number) {
  const common = { uris: turn.uris, ttl: Math.floor(turn.lifetimeMs / 1000) };
  if ('username' in turn) return { ...common, username: turn.username, password: turn.password };
  const username = `${Math.floor((now + turn.lifetimeMs) / 1000)}:${userId}`;
  const password = createHmac('sha1', turn.sharedSecret).update(username).digest('base64');
  return { ...common, username, password };
}
