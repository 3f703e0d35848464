import { getAllAccountData } from '../../shared/api/account-data.ts';
import type { Config } from '../config/config.ts';
import { jsonChunks } from '../core/long-json.ts';
import { notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { administrator, longReplies } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { streamJson } from '../http/send-json.ts';
import { type AccountData, readAccountDataSince } from './account-data-store.ts';
import { requireOwnUserId } from './user-administration.ts';
import { findUser } from './user-store.ts';

/** Account data for admins. */
export const accountDataAdministrationRoutes: Routes<{ db: Database; config: Config }> = (
  app,
  { db, config },
) => {
  app.get(
    '/v1/users/:user_id/accountdata',
    { schema: getAllAccountData, config: { policy: { ...administrator, concurrency: longReplies } } },
    async ({ params }, reply) => {
      const userId = requireOwnUserId(params.user_id, config.serverName, 'Can only look up local users');
      if (!(await findUser(db, userId))) throw notFound('User not found');
      const data = await readAccountDataSince(db, {
        userId,
        after: undefined,
        upTo: Number.MAX_SAFE_INTEGER,
      });
      const byRoom = Map.groupBy(data, ({ roomId }) => roomId);
      const global = byRoom.get(undefined) ?? [];
      byRoom.delete(undefined);
      const all = {
        account_data: {
          global: byType(global),
          rooms: Object.fromEntries([...byRoom].map(([roomId, ofRoom]) => [String(roomId), byType(ofRoom)])),
        },
      };
      return streamJson(reply, jsonChunks(all, 4));
    },
  );
};

const byType = (data: readonly AccountData[]) =>
  Object.fromEntries(data.map(({ type, content }) => [type, content]));
