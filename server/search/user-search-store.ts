/** Finding people by their names. */
import { sql } from 'kysely';
import type { Database } from '../database/schema.ts';
import { holds, localpartHolds } from '../database/text-search.ts';

export type FoundUser = { userId: string; displayName: string | null; avatarUrl: string | null };

export type UserSearch = {
  term: string;
  /** Who searches: they find who shares a room with them or is in a public one. */
  userId: string;
  /** Whether they find everyone. */
  findsAll: boolean;
  limit: number;
};

/** Users whose name or identifier holds a text, by identifier. Accounts that have ended or are locked are left out. */
export async function findUsersByName(
  db: Database,
  { term, userId, findsAll, limit }: UserSearch,
): Promise<FoundUser[]> {
  let query = db
    .selectFrom('users')
    .select(['user_id', 'display_name', 'avatar_url'])
    .where('deactivated', '=', 0)
    .where('locked', '=', 0)
    .where('user_id', '!=', userId)
    .where((eb) =>
      eb.or([holds(eb.ref('display_name'), term), localpartHolds(eb.ref('user_id'), '@', term)]),
    );
  if (!findsAll) {
    query = query.where(
      sql<boolean>`exists (
        select 1 from memberships as theirs join rooms on rooms.room_id = theirs.room_id
        where theirs.user_id = users.user_id and theirs.membership = 'join' and (
          rooms.join_rule = 'public' or rooms.history_visibility = 'world_readable' or exists (
            select 1 from memberships as own
            where own.room_id = theirs.room_id and own.user_id = ${userId} and own.membership = 'join'
          )
        )
      )`,
    );
  }
  const rows = await query.orderBy('user_id').limit(limit).execute();
  return rows.map((row) => ({
    userId: row.user_id,
    displayName: row.display_name,
    avatarUrl: row.avatar_url,
  }));
}
