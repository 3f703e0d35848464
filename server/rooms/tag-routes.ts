import { deleteRoomTag, getRoomTags, putRoomTag } from '../../shared/api/account-data.ts';
import { requireSelf } from '../accounts/require-self.ts';
import { forbidden } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import type { Routes } from '../http/routes.ts';
import { findMembership } from './membership-store.ts';
import { deleteTag, listTags, setTag } from './tag-store.ts';

/** What users call their rooms for themselves. */
export const tagRoutes: Routes<{ db: Database }> = (app, { db }) => {
  const tagsPath = '/user/:userId/rooms/:roomId/tags';

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
