/** The tags of rooms: account data of a type of its own, of which each request changes one part. */
import type { JsonObject } from '../../shared/api/common.ts';
import { findAccountData, setAccountData } from '../accounts/account-data-store.ts';
import type { Database } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';

type Tags = Record<string, JsonObject>;

/** A room's tags with what each says, by tag. */
export async function listTags(db: Database, userId: string, roomId: string): Promise<Tags> {
  const content = await findAccountData(db, { userId, roomId, type: 'm.tag' });
  // Clients may write whatever they like where they write account data.
  const tags = content?.tags;
  return typeof tags === 'object' && tags !== null && !Array.isArray(tags) ? (tags as Tags) : {};
}

/** Of a user who is locked, as for `deleteTag`: a change of one tag keeps the others. */
export async function setTag(
  tx: Tx,
  userId: string,
  roomId: string,
  tag: string,
  value: JsonObject,
): Promise<void> {
  const tags = new Map(Object.entries(await listTags(tx, userId, roomId)));
  await setTags(tx, userId, roomId, tags.set(tag, value));
}

export async function deleteTag(tx: Tx, userId: string, roomId: string, tag: string): Promise<void> {
  const tags = new Map(Object.entries(await listTags(tx, userId, roomId)));
  if (tags.delete(tag)) await setTags(tx, userId, roomId, tags);
}

const setTags = (tx: Tx, userId: string, roomId: string, tags: Map<string, JsonObject>) =>
  setAccountData(tx, { userId, roomId, type: 'm.tag' }, JSON.stringify({ tags: Object.fromEntries(tags) }));
