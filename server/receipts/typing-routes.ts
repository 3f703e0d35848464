import { putTyping } from '../../shared/api/typing.ts';
import { type UserPolicy, user } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import type { Presence } from './presence.ts';
import { othersTyping, type Typing } from './typing.ts';

/** How long somebody writes who doesn't say it, in milliseconds. */
const defaultTimeout = 30_000;

const policy: UserPolicy = {
  ...user,
  self: { parameter: 'userId', refusal: othersTyping },
  shadowBanned: () => ({}),
};

export const typingRoutes: Routes<{ typing: Typing; presence: Presence }> = (app, { typing, presence }) => {
  app.put(
    '/rooms/:roomId/typing/:userId',
    { schema: putTyping, config: { policy } },
    async ({ params: { roomId, userId }, body }) => {
      presence.noteActive(userId);
      if (body.typing) await typing.begin(roomId, userId, body.timeout ?? defaultTimeout);
      else await typing.end(roomId, userId);
      return {};
    },
  );
};
