import { keyChanges } from '../../shared/api/encryption-keys.ts';
import { settledPlaces } from '../database/changes.ts';
import type { Database } from '../database/schema.ts';
import { readDeviceListChanges } from '../encryption/device-list-changes.ts';
import { userOrGuest } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { readSyncToken } from './sync-token.ts';

/** Whose keys have changed since a sync. Matrix specification, client-server API, `GET /keys/changes`. */
export const keyChangeRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.get(
    '/keys/changes',
    { schema: keyChanges, config: { policy: userOrGuest } },
    async ({ query: { from }, requester: { userId } }) => {
      const after = readSyncToken(from);
      // Up to now, whatever the request says, as at the reference homeserver: what changed later is news, too.
      return readDeviceListChanges(db, { userId, after, upTo: await settledPlaces(db) });
    },
  );
};
