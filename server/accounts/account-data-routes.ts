import {
  getAccountData,
  getRoomAccountData,
  putAccountData,
  putRoomAccountData,
} from '../../shared/api/account-data.ts';
import { isRoomId } from '../core/identifiers.ts';
import { invalidParameter, MatrixError, notFound } from '../core/matrix-error.ts';
import type { Routes } from '../http/routes.ts';
import { sendJson } from '../http/send-json.ts';
import type { AccountDataContext } from './account-data.ts';
import * as changing from './account-data.ts';
import { findAccountDataJson } from './account-data-store.ts';
import { changingOwn, readingOwn } from './own-data-policy.ts';

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
      await changing.putAccountData(context, params, body);
      return {};
    },
  );

  app.get(
    roomPath,
    { schema: getRoomAccountData, config: { policy: readingOwn('get account data') } },
    async ({ params }, reply) => {
      requireRoomId(params.roomId);
      // Those are of a user, and of no room; deployed servers say so with what is empty.
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
      await changing.putAccountData(context, params, body);
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
