/** Room tags, stored as account data of type `m.tag`. Client-server API, "Room Tagging". */
import { deleteRoomTag, getRoomTags, putRoomTag } from '../../../shared/api/account-data.ts';
import type { JsonObject } from '../../../shared/api/common.ts';
import { isObject } from '../../../shared/is-object.ts';
import { type AccountDataContext, changeAccountData } from '../../identity/account-data/account-data.ts';
import { findAccountData, setAccountData } from '../../identity/account-data/account-data-store.ts';
import { changingOwn, readingOwn } from '../../identity/accounts/own-data-policy.ts';
import { maximumKeyBytes } from '../../platform/core/identifiers.ts';
import { forbidden, invalidParameter } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { findMembership } from './membership/membership-store.ts';

type Tags = Record<string, JsonObject>;

async function listTags(db: Database, userId: string, roomId: string): Promise<Tags> {
  const content = await findAccountData(db, { userId, roomId, type: 'm.tag' });
  // Clients can also write this as account data, without any check.
  const tags = content?.tags;
  return isObject(tags) ? (tags as Tags) : {};
}

type TagKey = { userId: string; roomId: string; tag: string };

const addTag = (context: AccountDataContext, { userId, roomId, tag }: TagKey, value: JsonObject) =>
  changeAccountData(context, userId, async (tx) => {
    const tags = await listTags(tx, userId, roomId);
    // An assignment to `__proto__` would set the prototype.
    Object.defineProperty(tags, tag, { value, writable: true, enumerable: true, configurable: true });
    await setTags(tx, userId, roomId, tags);
  });

const removeTag = (context: AccountDataContext, { userId, roomId, tag }: TagKey) =>
  changeAccountData(context, userId, async (tx) => {
    const tags = await listTags(tx, userId, roomId);
    if (!Object.hasOwn(tags, tag)) return;
    delete tags[tag];
    await setTags(tx, userId, roomId, tags);
  });

const setTags = (tx: Parameters<typeof setAccountData>[0], userId: string, roomId: string, tags: Tags) =>
  setAccountData(tx, { userId, roomId, type: 'm.tag' }, JSON.stringify({ tags }));

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
