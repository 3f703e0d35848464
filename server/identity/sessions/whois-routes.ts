import { getWhoIs, type WhoIs } from '../../../shared/api/users.ts';
import type { Config } from '../../platform/config/config.ts';
import { isUserId } from '../../platform/core/identifiers.ts';
import { forbidden, invalidParameter } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { administrator, type UserPolicy, user } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { requireOwnUserId } from '../accounts/user-administration.ts';
import { type Connection, listConnections } from './connection-store.ts';
import type { LastSeen } from './last-seen.ts';

type Context = { db: Database; config: Config; lastSeen: LastSeen };

const selfOrAdministrator: UserPolicy = {
  ...user,
  self: {
    parameter: 'user_id',
    orAdministrator: true,
    refusal: (userId) =>
      isUserId(userId) ? forbidden('You are not a server admin') : invalidParameter('Invalid user id'),
  },
};

/** Matrix specification, client-server API, "Server administration". */
export const whoIsRoutes: Routes<Context> = (app, context) => {
  app.get(
    '/admin/whois/:user_id',
    { schema: getWhoIs, config: { policy: selfOrAdministrator } },
    ({ params }) => whoIs(context, params.user_id),
  );
};

/** The same for administrators. */
export const whoIsAdministrationRoutes: Routes<Context> = (app, context) => {
  app.get('/v1/whois/:user_id', { schema: getWhoIs, config: { policy: administrator } }, ({ params }) =>
    whoIs(context, params.user_id),
  );
};

async function whoIs({ db, config, lastSeen }: Context, text: string): Promise<WhoIs> {
  const userId = requireOwnUserId(text, config.serverName, 'Can only whois a local user');
  await lastSeen.settle();
  return asWhoIs(userId, await listConnections(db, userId));
}

/** All connections are under one device with an empty ID, as in Synapse. */
const asWhoIs = (userId: string, connections: readonly Connection[]): WhoIs => ({
  user_id: userId,
  devices: {
    '': {
      sessions: [
        {
          connections: connections.map(({ ip, userAgent, lastSeenTs }) => ({
            ip,
            last_seen: lastSeenTs,
            user_agent: userAgent,
          })),
        },
      ],
    },
  },
});
