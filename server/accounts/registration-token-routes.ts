import {
  deleteRegistrationToken as deleteSchema,
  getRegistrationToken,
  listRegistrationTokens as listSchema,
  postRegistrationToken,
  putRegistrationToken,
} from '../../shared/api/registration-tokens.ts';
import { notFound } from '../core/matrix-error.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import {
  deleteRegistrationToken,
  findRegistrationToken,
  listRegistrationTokens,
  type RegistrationToken,
  updateRegistrationToken,
} from './registration-token-store.ts';
import { createRegistrationToken, isValid, requireFuture, type TokenContext } from './registration-tokens.ts';

export const registrationTokenRoutes: Routes<TokenContext> = (app, context) => {
  const { db, interactiveSessions } = context;
  const path = '/v1/registration_tokens';

  const asReply = (
    { token, usesAllowed, completed, expiryTime }: RegistrationToken,
    pendingUses = interactiveSessions.pendingUses(),
  ) => ({
    token,
    uses_allowed: usesAllowed,
    pending: pendingUses.get(token) ?? 0,
    completed,
    expiry_time: expiryTime,
  });
  const noSuch = (token: string) => notFound(`No such registration token: ${token}`);

  app.get(path, { schema: listSchema, config: { policy: administrator } }, async ({ query: { valid } }) => {
    const tokens = await listRegistrationTokens(db);
    const pendingUses = interactiveSessions.pendingUses();
    const wanted = tokens.filter(
      (token) => valid === undefined || isValid(context, token, pendingUses) === valid,
    );
    return { registration_tokens: wanted.map((token) => asReply(token, pendingUses)) };
  });

  app.post(
    `${path}/new`,
    { schema: postRegistrationToken, config: { policy: administrator } },
    async ({ body }) => asReply(await createRegistrationToken(context, body)),
  );

  app.get(
    `${path}/:token`,
    { schema: getRegistrationToken, config: { policy: administrator } },
    async ({ params: { token } }) => {
      const found = await findRegistrationToken(db, token);
      if (!found) throw noSuch(token);
      return asReply(found);
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
      return asReply(changed);
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
