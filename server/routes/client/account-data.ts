import {
  deleteRoomTag,
  getAccountData,
  getRoomAccountData,
  getRoomTags,
  putAccountData,
  putRoomAccountData,
  putRoomTag,
} from '../../../shared/api/account-data.ts';
import { forbidden, invalidParameter, MatrixError, notFound } from '../../http/matrix-error.ts';
import type { Requester, Routes } from '../../http/routes.ts';
import { isRoomId } from '../../rooms/identifiers.ts';
import { deleteTag, findAccountData, listTags, setAccountData, setTag } from '../../storage/account-data.ts';
import { findMembership } from '../../storage/memberships.ts';

export const accountDataRoutes: Routes = (app, { db }) => {
  const path = '/user/:userId/account_data/:type';
  const roomPath = '/user/:userId/rooms/:roomId/account_data/:type';
  const tagsPath = '/user/:userId/rooms/:roomId/tags';

  app.get(path, { schema: getAccountData }, async ({ params, requester }) => {
    requireSelf(requester, params.userId, 'get account data');
    const content = await findAccountData(db, params);
    if (!content) throw notFound('Account data not found');
    return content;
  });

  app.put(path, { schema: putAccountData }, async ({ params, body, requester }) => {
    requireSelf(requester, params.userId, 'add account data');
    refuseManagedType(params.type);
    await setAccountData(db, params, body);
    return {};
  });

  app.get(roomPath, { schema: getRoomAccountData }, async ({ params, requester }) => {
    requireSelf(requester, params.userId, 'get account data');
    requireRoomId(params.roomId);
    const content = await findAccountData(db, params);
    if (!content) throw notFound('Room account data not found');
    return content;
  });

  app.put(roomPath, { schema: putRoomAccountData }, async ({ params, body, requester }) => {
    requireSelf(requester, params.userId, 'add account data');
    requireRoomId(params.roomId);
    refuseManagedType(params.type);
    await setAccountData(db, params, body);
    return {};
  });

  app.get(tagsPath, { schema: getRoomTags }, async ({ params, requester }) => {
    requireSelf(requester, params.userId, 'get tags');
    return { tags: await listTags(db, params.userId, params.roomId) };
  });

  app.put(`${tagsPath}/:tag`, { schema: putRoomTag }, async ({ params, body, requester }) => {
    const { userId, roomId, tag } = params;
    requireSelf(requester, userId, 'add tags');
    if (!(await findMembership(db, roomId, userId))) {
      throw forbidden(`User ${userId} has no membership in room ${roomId}`);
    }
    await setTag(db, userId, roomId, tag, body);
    return {};
  });

  app.delete(`${tagsPath}/:tag`, { schema: deleteRoomTag }, async ({ params, requester }) => {
    requireSelf(requester, params.userId, 'remove tags');
    await deleteTag(db, params.userId, params.roomId, params.tag);
    return {};
  });
};

function requireSelf(requester: Requester, userId: string, what: string): void {
  if (requester.userId !== userId) throw forbidden(`Cannot ${what} for other users.`);
}

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
