/** Room aliases. */
import type { Database } from '../../../platform/database/schema.ts';

export async function findRoomByAlias(db: Database, alias: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('room_aliases')
    .select('room_id')
    .where('alias', '=', alias)
    .executeTakeFirst();
  return row?.room_id;
}

export async function findAlias(
  db: Database,
  alias: string,
): Promise<{ roomId: string; creator: string } | undefined> {
  const row = await db
    .selectFrom('room_aliases')
    .select(['room_id', 'creator'])
    .where('alias', '=', alias)
    .executeTakeFirst();
  return row && { roomId: row.room_id, creator: row.creator };
}

/** Returns a room's aliases, oldest first. */
export async function listAliases(db: Database, roomId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('room_aliases')
    .select('alias')
    .where('room_id', '=', roomId)
    .orderBy('created_ts')
    .orderBy('alias')
    .execute();
  return rows.map((row) => row.alias);
}

export async function deleteAlias(db: Database, alias: string): Promise<void> {
  await db.deleteFrom('room_aliases').where('alias', '=', alias).execute();
}

type NewAlias = { alias: string; roomId: string; creator: string; createdTs: number };

/** Returns false if the alias is taken. */
export async function insertAlias(db: Database, alias: NewAlias): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('room_aliases')
    .values({
      alias: alias.alias,
      room_id: alias.roomId,
      creator: alias.creator,
      created_ts: alias.createdTs,
    })
    .onConflict((conflict) => conflict.column('alias').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Points all aliases of a room to another one. Returns them. */
export async function moveAliases(db: Database, fromRoomId: string, toRoomId: string): Promise<string[]> {
  const rows = await db
    .updateTable('room_aliases')
    .set({ room_id: toRoomId })
    .where('room_id', '=', fromRoomId)
    .returning('alias')
    .execute();
  return rows.map((row) => row.alias).sort();
}
