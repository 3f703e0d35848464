import {
  deleteRegistrationToken as deleteSchema,
  getRegistrationToken,
  listRegistrationTokens as listSchema,
  postRegistrationToken,
  putRegistrationToken,
} from '../../../shared/api/registration.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { countPendingUses } from '../login/interactive-session-store.ts';
import {
  deleteRegistrationToken,
  findRegistrationToken,
  listRegistrationTokens,
  type RegistrationToken,
  updateRegistrationToken,
} from './registration-store.ts';
import { createRegistrationToken, isValid, pendingUsesOf, requireFuture } from './registration-tokens.ts';

export const registrationTokenRoutes: Routes<{ db: Database; clock: Clock }> = (app, context) => {
  const { db, clock } = context;
  const path = '/v1/registration_tokens';

  const asReply = (
    { token, usesAllowed, completed, expiryTime }: RegistrationToken,
    pendingUses: number,
  ) => ({
    token,
    uses_allowed: usesAllowed,
    pending: pendingUses,
    completed,
    expiry_time: expiryTime,
  });
  const reply = async (token: RegistrationToken) => asReply(token, await pendingUsesOf(context, token.token));
  const noSuch = (token: string) => notFound(`No such registration token: ${token}`);

  app.get(path, { schema: listSchema, config: { policy: administrator } }, async ({ query: { valid } }) => {
    const tokens = await listRegistrationTokens(db);
    const pendingUses = await countPendingUses(db, clock.now());
    const pendingOf = ({ token }: RegistrationToken) => pendingUses.get(token) ?? 0;
    const matching = tokens.filter(
      (token) => valid === undefined || isValid(context, token, pendingOf(token)) === valid,
    );
    return { registration_tokens: matching.map((token) => asReply(token, pendingOf(token))) };
  });

  app.post(
    `${path}/new`,
    { schema: postRegistrationToken, config: { policy: administrator } },
    async ({ body }) => reply(await createRegistrationToken(context, body)),
  );

  app.get(
    `${path}/:token`,
    { schema: getRegistrationToken, config: { policy: administrator } },
    async ({ params: { token } }) => {
      const found = await findRegistrationToken(db, token);
      if (!found) throw noSuch(token);
      return reply(found);
    },
  );

  app.put(
    `${path}/:token`,
    { schema: putRegistrationToken, config: { policy: administrator } },
    async ({ params: { token }, body }) => {
      requireFuture(context, body.expiry_time);
      const changed = await updateRegistrationToken(db, token, {
        ...(body.uses_allowed !== undefined && { usesAllowed: body.uses_allowed }),
        ...(body.expiry_time !== undefined && { expiryTime: body.expiry_time }),
      });
      if (!changed) throw noSuch(token);
      return reply(changed);
    },
  );

  app.delete(
    `${path}/:token`,
    { schema: deleteSchema, config: { policy: administrator } },
    async ({ params: { token } }) => {
      if (!(await deleteRegistrationToken(db, token))) throw noSuch(token);
      return {};
    },
  );
};
