import { deleteRoomTag, getRoomTags, putRoomTag } from '../../../shared/api/account-data.ts';
import type { AccountDataContext } from '../../identity/account-data/account-data.ts';
import { changingOwn, readingOwn } from '../../identity/accounts/own-data-policy.ts';
import { maximumKeyBytes } from '../../platform/core/identifiers.ts';
import { forbidden, invalidParameter } from '../../platform/core/matrix-error.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { findMembership } from './membership/membership-store.ts';
import { addTag, listTags, removeTag } from './tags.ts';

export const tagRoutes: Routes<AccountDataContext> = (app, context) => {
  const { db } = context;
  const tagsPath = '/user/:userId/rooms/:roomId/tags';

  app.get(
    tagsPath,
    { schema: getRoomTags, config: { policy: readingOwn('get tags') } },
    async ({ params }) => ({ tags: await listTags(db, params.userId, params.roomId) }),
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
      await addTag(context, params, body);
      return {};
    },
  );

  app.delete(
    `${tagsPath}/:tag`,
    { schema: deleteRoomTag, config: { policy: changingOwn('remove tags') } },
    async ({ params }) => {
      await removeTag(context, params);
      return {};
    },
  );
};
