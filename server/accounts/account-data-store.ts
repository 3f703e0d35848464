/** What clients keep for their users. */
import type { JsonObject } from '../../shared/api/common.ts';
import type { Database } from '../database/schema.ts';

export type AccountDataKey = {
  userId: string;
  /** Left out for what concerns no room. */
  roomId?: string;
  type: string;
};

export async function findAccountData(
  db: Database,
  { userId, roomId = '', type }: AccountDataKey,
): Promise<JsonObject | undefined> {
  const row = await db
    .selectFrom('account_data')
    .select('content')
    .where('user_id', '=', userId)
    .where('room_id', '=', roomId)
    .where('type', '=', type)
    .executeTakeFirst();
  return row && (JSON.parse(row.content) as JsonObject);
}

export async function setAccountData(
  db: Database,
  { userId, roomId = '', type }: AccountDataKey,
  value: JsonObject,
): Promise<void> {
  const content = JSON.stringify(value);
  await db
    .insertInto('account_data')
    .values({ user_id: userId, room_id: roomId, type, content })
    .onConflict((conflict) => conflict.columns(['user_id', 'room_id', 'type']).doUpdateSet({ content }))
    .execute();
}
