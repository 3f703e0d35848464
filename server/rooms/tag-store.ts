import type { JsonObject } from '../../shared/api/common.ts';
import type { Database } from '../database/schema.ts';

/** A room's tags with what each says, by tag. */
export async function listTags(
  db: Database,
  userId: string,
  roomId: string,
): Promise<Record<string, JsonObject>> {
  const rows = await db
    .selectFrom('room_tags')
    .select(['tag', 'content'])
    .where('user_id', '=', userId)
    .where('room_id', '=', roomId)
    .orderBy('tag')
    .execute();
  return Object.fromEntries(rows.map(({ tag, content }) => [tag, JSON.parse(content) as JsonObject]));
}

export async function setTag(
  db: Database,
  userId: string,
  roomId: string,
  tag: string,
  value: JsonObject,
): Promise<void> {
  const content = JSON.stringify(value);
  await db
    .insertInto('room_tags')
    .values({ user_id: userId, room_id: roomId, tag, content })
    .onConflict((conflict) => conflict.columns(['user_id', 'room_id', 'tag']).doUpdateSet({ content }))
    .execute();
}

export async function deleteTag(db: Database, userId: string, roomId: string, tag: string): Promise<void> {
  await db
    .deleteFrom('room_tags')
    .where('user_id', '=', userId)
    .where('room_id', '=', roomId)
    .where('tag', '=', tag)
    .execute();
}
