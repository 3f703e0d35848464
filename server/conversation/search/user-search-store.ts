/** User directory search. */
import { sql } from 'kysely';
import { usersWithWord, wordBegins } from '../../identity/accounts/user-words-store.ts';
import { searchedWords } from '../../platform/core/words.ts';
import type { Database } from '../../platform/database/schema.ts';

type FoundUser = { userId: string; displayName: string | null; avatarUrl: string | null };

type UserSearch = {
  term: string;
  /** The searching user, who finds users in public rooms, including themselves, and others in shared rooms. */
  userId: string;
  /** Whether all users are found (`search_all_users`). */
  findsAll: boolean;
  limit: number;
};

/** Users examined; a single letter may match far more. */
const candidates = 2_000;

/**
 * Returns users whose display name or localpart has words with all prefixes in the term, best matches first, without
 * deactivated and locked users.
 */
export async function findUsersByName(
  db: Database,
  { term, userId, findsAll, limit }: UserSearch,
): Promise<FoundUser[]> {
  // The longest word is likely the rarest.
  const [longest, ...others] = searchedWords(term).sort((one, other) => other.length - one.length);
  if (longest === undefined) return [];
  let query = db
    .selectFrom(usersWithWord(db, longest, candidates).as('found'))
    .innerJoin('users', 'users.user_id', 'found.user_id')
    .select(['users.user_id', 'display_name', 'avatar_url'])
    .where('deactivated', '=', 0)
    .where('locked', '=', 0);
  for (const word of others) query = query.where(wordBegins('users.user_id', word));
  if (findsAll) {
    query = query.where('users.user_id', '!=', userId);
  } else {
    query = query.where(
      sql<boolean>`exists (
        select 1 from memberships as theirs join rooms on rooms.room_id = theirs.room_id
        where theirs.user_id = users.user_id and theirs.membership = 'join' and (
          rooms.join_rule = 'public' or rooms.history_visibility = 'world_readable' or exists (
            select 1 from memberships as own
            where own.room_id = theirs.room_id and own.user_id = ${userId} and own.membership = 'join'
              and theirs.user_id <> own.user_id
          )
        )
      )`,
    );
  }
  const rows = await query
    .groupBy('users.user_id')
    .orderBy(({ fn }) => fn.min('found.word'))
    .orderBy('users.user_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    userId: row.user_id,
    displayName: row.display_name,
    avatarUrl: row.avatar_url,
  }));
}
