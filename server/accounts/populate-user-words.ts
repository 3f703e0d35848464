/** The background update by which people are found who were there before. */
import type { BackgroundUpdate } from '../tasks/background-updates.ts';
import { insertUserWords } from './user-words-store.ts';

const usersAtOnce = 200;

export const populateUserWords: BackgroundUpdate = async (tx, { after }) => {
  const rows = await tx
    .selectFrom('users')
    .select(['user_id', 'display_name'])
    .where('user_id', '>', typeof after === 'string' ? after : '')
    .orderBy('user_id')
    .limit(usersAtOnce)
    .execute();
  for (const { user_id, display_name } of rows) await insertUserWords(tx, user_id, display_name);
  const last = rows.at(-1)?.user_id;
  return { items: rows.length, ...(last !== undefined && { progress: { after: last } }) };
};
