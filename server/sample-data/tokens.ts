/** Registration tokens in every state. */
import { insertRegistrationToken } from '../accounts/registration-token-store.ts';
import type { Database } from '../database/schema.ts';

const day = 24 * 60 * 60 * 1000;

export async function addTokens({ db }: { db: Database }, now: number): Promise<void> {
  const tokens = [
    { token: 'summer-school', usesAllowed: 30, expiryTime: now + 40 * day },
    { token: 'board-members', usesAllowed: null, expiryTime: null },
    { token: 'closed-for-now', usesAllowed: 0, expiryTime: null },
    { token: 'open-day', usesAllowed: 100, expiryTime: now - 3 * day },
  ];
  for (const token of tokens) await insertRegistrationToken(db, token);
}
