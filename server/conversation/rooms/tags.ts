/** Room tags, stored as account data of type `m.tag`. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { isObject } from '../../../shared/is-object.ts';
import { type AccountDataContext, changeAccountData } from '../../identity/account-data/account-data.ts';
import { findAccountData, setAccountData } from '../../identity/account-data/account-data-store.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

type Tags = Record<string, JsonObject>;

export async function listTags(db: Database, userId: string, roomId: string): Promise<Tags> {
  const content = await findAccountData(db, { userId, roomId, type: 'm.tag' });
  // Clients can also write this as account data, without any check.
  const tags = content?.tags;
  return isObject(tags) ? (tags as Tags) : {};
}

type TagKey = { userId: string; roomId: string; tag: string };

export const addTag = (context: AccountDataContext, { userId, roomId, tag }: TagKey, value: JsonObject) =>
  changeAccountData(context, userId, async (tx) => {
    const tags = await listTags(tx, userId, roomId);
    // An assignment to `__proto__` would set the prototype.
    Object.defineProperty(tags, tag, { value, writable: true, enumerable: true, configurable: true });
    await setTags(tx, userId, roomId, tags);
  });

export const removeTag = (context: AccountDataContext, { userId, roomId, tag }: TagKey) =>
  changeAccountData(context, userId, async (tx) => {
    const tags = await listTags(tx, userId, roomId);
    if (!Object.hasOwn(tags, tag)) return;
    delete tags[tag];
    await setTags(tx, userId, roomId, tags);
  });

const setTags = (tx: Tx, userId: string, roomId: string, tags: Tags) =>
  setAccountData(tx, { userId, roomId, type: 'm.tag' }, JSON.stringify({ tags }));
