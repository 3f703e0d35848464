import {
  getAccountData,
  getAllAccountData,
  getRoomAccountData,
  putAccountData,
  putRoomAccountData,
} from '../../../shared/api/account-data.ts';
import type { Config } from '../../platform/config/config.ts';
import { isRoomId } from '../../platform/core/identifiers.ts';
import { jsonChunks } from '../../platform/core/json.ts';
import { invalidParameter, MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { administrator, longReplies } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { sendJson, streamJson } from '../../platform/http/send-json.ts';
import { changingOwn, readingOwn } from '../accounts/own-data-policy.ts';
import { requireOwnUserId } from '../accounts/user-administration.ts';
import { findUser } from '../accounts/user-store.ts';
import { type AccountDataContext, putAccountData as storeAccountData } from './account-data.ts';
import { type AccountData, findAccountDataJson, readAccountDataSince } from './account-data-store.ts';

export const accountDataRoutes: Routes<AccountDataContext> = (app, context) => {
  const { db } = context;
  const path = '/user/:userId/account_data/:type';
  const roomPath = '/user/:userId/rooms/:roomId/account_data/:type';

  app.get(
    path,
    { schema: getAccountData, config: { policy: readingOwn('get account data') } },
    async ({ params }, reply) => {
      const content = await findAccountDataJson(db, params);
      if (content === undefined) throw notFound('Account data not found');
      return sendJson(reply, content);
    },
  );

  app.put(
    path,
    { schema: putAccountData, config: { policy: changingOwn('add account data') } },
    async ({ params, body }) => {
      refuseManagedType(params.type);
      await storeAccountData(context, params, body);
      return {};
    },
  );

  app.get(
    roomPath,
    { schema: getRoomAccountData, config: { policy: readingOwn('get account data') } },
    async ({ params }, reply) => {
      requireRoomId(params.roomId);
      // Push rules are global; as in Synapse, a room's are empty.
      if (params.type === 'm.push_rules') return {};
      const content = await findAccountDataJson(db, params);
      if (content === undefined) throw notFound('Room account data not found');
      return sendJson(reply, content);
    },
  );

  app.put(
    roomPath,
    { schema: putRoomAccountData, config: { policy: changingOwn('add account data') } },
    async ({ params, body }) => {
      requireRoomId(params.roomId);
      refuseManagedType(params.type);
      await storeAccountData(context, params, body);
      return {};
    },
  );
};

function requireRoomId(roomId: string): void {
  if (!isRoomId(roomId)) throw invalidParameter(`${roomId} is not a valid room ID`);
}

/** These have endpoints of their own. */
const managedTypes: ReadonlyMap<string, string> = new Map([
  ['m.fully_read', '/rooms/!roomId:server.name/read_markers'],
  ['m.push_rules', '/pushrules'],
]);

function refuseManagedType(type: string): void {
  const endpoint = managedTypes.get(type);
  if (endpoint === undefined) return;
  throw new MatrixError(405, 'M_BAD_JSON', `Cannot set ${type} through this API. Use ${endpoint}`);
}

/** Account data for administrators. */
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
