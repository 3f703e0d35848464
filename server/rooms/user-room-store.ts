/** The rooms that one user has to do with. */
import type { Database } from '../database/schema.ts';

export type RoomsOfUser = {
  memberships: string[];
  /** Only rooms after this one, by identifier. */
  after: string;
  limit: number;
};

/** Rooms in which the user has one of these memberships, by identifier: a page for whoever walks over all. */
export async function listRoomsOfUser(
  db: Database,
  userId: string,
  { memberships, after, limit }: RoomsOfUser,
): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .select('room_id')
    .where('user_id', '=', userId)
    .where('membership', 'in', memberships)
    .where('room_id', '>', after)
    .orderBy('room_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.room_id);
}
