/** What clients keep for their users. */
import type { JsonObject } from '../../shared/api/common.ts';
import { mapInTurns } from '../core/event-loop-turns.ts';
import { parseInTurns } from '../core/parse-in-turns.ts';
import { builtOnce } from '../database/built-once.ts';
import { nextChange } from '../database/changes.ts';
import type { Database } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';

export type AccountDataKey = {
  userId: string;
  /** Left out for what concerns no room. */
  roomId?: string;
  type: string;
};

export async function findAccountData(db: Database, key: AccountDataKey): Promise<JsonObject | undefined> {
  const json = await findAccountDataJson(db, key);
  return json === undefined ? undefined : ((await parseInTurns(json)) as JsonObject);
}

/** The same as it is kept, which is JSON. */
export async function findAccountDataJson(
  db: Database,
  { userId, roomId = '', type }: AccountDataKey,
): Promise<string | undefined> {
  const {
    rows: [row],
  } = await selectContent(db, { userId, roomId, type });
  return row?.content;
}

const selectContent = builtOnce((db, { userId, roomId, type }: Required<AccountDataKey>) =>
  db
    .selectFrom('account_data')
    .select('content')
    .where('user_id', '=', userId)
    .where('room_id', '=', roomId)
    .where('type', '=', type),
);

/** @param content JSON */
export async function setAccountData(
  tx: Tx,
  { userId, roomId = '', type }: AccountDataKey,
  content: string,
): Promise<void> {
  const change = { content, stream_id: await nextChange(tx) };
  await tx
    .insertInto('account_data')
    .values({ user_id: userId, room_id: roomId, type, ...change })
    .onConflict((conflict) => conflict.columns(['user_id', 'room_id', 'type']).doUpdateSet(change))
    .execute();
}

export type AccountData = {
  /** Undefined for what concerns no room. */
  roomId: string | undefined;
  type: string;
  content: JsonObject;
};

export type ChangesOfUser = {
  userId: string;
  /** Only what was changed after this place in the order of changes; everything where it is undefined. */
  after: number | undefined;
  /** Only what was changed up to and with this place. */
  upTo: number;
};

/** What of a user's account data was set, of all rooms and of none, in the order of changes. */
export async function readAccountDataSince(
  db: Database,
  { userId, after = -1, upTo }: ChangesOfUser,
): Promise<AccountData[]> {
  const rows = await db
    .selectFrom('account_data')
    .select(['room_id', 'type', 'content'])
    .where('user_id', '=', userId)
    .where('stream_id', '>', after)
    .where('stream_id', '<=', upTo)
    .orderBy('stream_id')
    .execute();
  return mapInTurns(rows, (row) => ({
    roomId: row.room_id === '' ? undefined : row.room_id,
    type: row.type,
    content: JSON.parse(row.content) as JsonObject,
  }));
}

/** Forgets all that clients kept for a user. */
export async function deleteAllAccountData(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('account_data').where('user_id', '=', userId).execute();
}
