/** Search index of the user directory: the words of display names and localparts. */
import { sql } from 'kysely';
import { localpartOf } from '../../platform/core/identifiers.ts';
import { wordsOf } from '../../platform/core/words.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';
import type { BackgroundUpdate } from '../../platform/tasks/background-updates.ts';

/** Indexes a user who isn't indexed yet. */
export async function insertUserWords(tx: Tx, userId: string, displayName: string | null): Promise<void> {
  const words = new Set(wordsOf(`${localpartOf(userId)} ${displayName ?? ''}`));
  if (words.size === 0) return;
  await tx
    .insertInto('user_words')
    .values([...words].map((word) => ({ word, user_id: userId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function replaceUserWords(tx: Tx, userId: string, displayName: string | null): Promise<void> {
  await tx.deleteFrom('user_words').where('user_id', '=', userId).execute();
  await insertUserWords(tx, userId, displayName);
}

/** The highest code point. */
const highest = '\u{10FFFF}';

/** Selects users who have a word with this prefix, in the order of the words. */
export const usersWithWord = (db: Database, start: string, limit: number) =>
  db
    .selectFrom('user_words')
    .select(['word', 'user_id'])
    .where('word', '>=', start)
    .where('word', '<', start + highest)
    .orderBy('word')
    .orderBy('user_id')
    .limit(limit);

/** @param userId a column */
export const wordBegins = (userId: string, start: string) =>
  sql<boolean>`exists (
    select 1 from user_words as other
    where other.user_id = ${sql.ref(userId)} and other.word >= ${start} and other.word < ${start + highest}
  )`;

async function listNames(
  db: Database,
  { after, limit }: { after: string; limit: number },
): Promise<{ userId: string; displayName: string | null }[]> {
  const rows = await db
    .selectFrom('users')
    .select(['user_id', 'display_name'])
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ userId: row.user_id, displayName: row.display_name }));
}

const batchSize = 200;

/** Background update that indexes the users of older versions. */
export const populateUserWords: BackgroundUpdate = async (tx, { after }) => {
  const users = await listNames(tx, { after: typeof after === 'string' ? after : '', limit: batchSize });
  for (const { userId, displayName } of users) await insertUserWords(tx, userId, displayName);
  const last = users.at(-1)?.userId;
  return { items: users.length, ...(last !== undefined && { progress: { after: last } }) };
};
