import { deleteRoomTag, getRoomTags, putRoomTag } from '../../shared/api/tags.ts';
import { changingOwn, readingOwn } from '../accounts/own-data-policy.ts';
import { maximumKeyBytes } from '../core/identifiers.ts';
import { forbidden, invalidParameter } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import type { Routes } from '../http/routes.ts';
import { findMembership } from './membership-store.ts';
import { deleteTag, listTags, setTag } from './tag-store.ts';

/** What users call their rooms for themselves. */
export const tagRoutes: Routes<{ db: Database }> = (app, { db }) => {
  const tagsPath = '/user/:userId/rooms/:roomId/tags';

  app.get(
    tagsPath,
    { schema: getRoomTags, config: { policy: readingOwn('get tags') } },
    async ({ params }) => {
      return { tags: await listTags(db, params.userId, params.roomId) };
    },
  );

  app.put(
    `${tagsPath}/:tag`,
    { schema: putRoomTag, config: { policy: changingOwn('add tags') } },
    async ({ params, body }) => {
      const { userId, roomId, tag } = params;
      if (Buffer.byteLength(tag) > maximumKeyBytes) {
        throw invalidParameter(`tag parameter's length is over ${maximumKeyBytes} bytes`);
      }
      if (!(await findMembership(db, roomId, userId))) {
        throw forbidden(`User ${userId} has no membership in room ${roomId}`);
      }
      await setTag(db, userId, roomId, tag, body);
      return {};
    },
  );

  app.delete(
    `${tagsPath}/:tag`,
    { schema: deleteRoomTag, config: { policy: changingOwn('remove tags') } },
    async ({ params }) => {
      await deleteTag(db, params.userId, params.roomId, params.tag);
      return {};
    },
  );
};
