/** The tags of rooms: account data of a type of its own, of which each request changes one part. */
import type { JsonObject } from '../../shared/api/common.ts';
import { isObject } from '../../shared/is-object.ts';
import { findAccountData, setAccountData } from '../accounts/account-data-store.ts';
import { jsonInTurns } from '../core/json-in-turns.ts';
import type { Database } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';

type Tags = Record<string, JsonObject>;

/** A room's tags with what each says, by tag. */
export async function listTags(db: Database, userId: string, roomId: string): Promise<Tags> {
  const content = await findAccountData(db, { userId, roomId, type: 'm.tag' });
  // Clients may write whatever they like where they write account data.
  const tags = content?.tags;
  return isObject(tags) ? (tags as Tags) : {};
}

/** Of a user who is locked, as for `deleteTag`: a change of one tag keeps the others. */
export async function setTag(
  tx: Tx,
  userId: string,
  roomId: string,
  tag: string,
  value: JsonObject,
): Promise<void> {
  const tags = await listTags(tx, userId, roomId);
  // By an assignment `__proto__` would be something else.
  Object.defineProperty(tags, tag, { value, writable: true, enumerable: true, configurable: true });
  await setTags(tx, userId, roomId, tags);
}

export async function deleteTag(tx: Tx, userId: string, roomId: string, tag: string): Promise<void> {
  const tags = await listTags(tx, userId, roomId);
  if (!Object.hasOwn(tags, tag)) return;
  delete tags[tag];
  await setTags(tx, userId, roomId, tags);
}

/** There may be very many. */
const setTags = async (tx: Tx, userId: string, roomId: string, tags: Tags) =>
  setAccountData(tx, { userId, roomId, type: 'm.tag' }, await jsonInTurns({ tags }, 2));
