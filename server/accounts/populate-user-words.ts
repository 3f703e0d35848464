/** The background update by which people are found who were there before. */
import type { BackgroundUpdate } from '../tasks/background-updates.ts';
import { insertUserWords, listNames } from './user-words-store.ts';

const usersAtOnce = 200;

export const populateUserWords: BackgroundUpdate = async (tx, { after }) => {
  const users = await listNames(tx, { after: typeof after === 'string' ? after : '', limit: usersAtOnce });
  for (const { userId, displayName } of users) await insertUserWords(tx, userId, displayName);
  const last = users.at(-1)?.userId;
  return { items: users.length, ...(last !== undefined && { progress: { after: last } }) };
};
