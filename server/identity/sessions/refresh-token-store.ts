import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type RefreshToken = {
  tokenHash: string;
  userId: string;
  deviceId: string;
  /** The access token issued with it. */
  accessHash: string;
  /** The refresh token for which it was exchanged, if it was. */
  nextHash: string | null;
  /** Null if it never expires. */
  expiresTs: number | null;
  /** When the session ends, even if it is refreshed; null for never. */
  sessionEndsTs: number | null;
};

export async function insertRefreshToken(tx: Tx, token: Omit<RefreshToken, 'nextHash'>): Promise<void> {
  await tx
    .insertInto('refresh_tokens')
    .values({
      token_hash: token.tokenHash,
      user_id: token.userId,
      device_id: token.deviceId,
      access_hash: token.accessHash,
      next_hash: null,
      expires_ts: token.expiresTs,
      session_ends_ts: token.sessionEndsTs,
    })
    .execute();
}

export async function findRefreshToken(db: Database, tokenHash: string): Promise<RefreshToken | undefined> {
  const row = await db
    .selectFrom('refresh_tokens')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return (
    row && {
      tokenHash: row.token_hash,
      userId: row.user_id,
      deviceId: row.device_id,
      accessHash: row.access_hash,
      nextHash: row.next_hash,
      expiresTs: row.expires_ts,
      sessionEndsTs: row.session_ends_ts,
    }
  );
}

export async function setNextToken(tx: Tx, tokenHash: string, nextHash: string): Promise<void> {
  await tx
    .updateTable('refresh_tokens')
    .set({ next_hash: nextHash })
    .where('token_hash', '=', tokenHash)
    .execute();
}

/** Deletes the token that was exchanged for this one, with its access token. */
export async function deletePredecessors(tx: Tx, tokenHash: string): Promise<void> {
  const rows = await tx
    .deleteFrom('refresh_tokens')
    .where('next_hash', '=', tokenHash)
    .returning('access_hash')
    .execute();
  for (const { access_hash } of rows) {
    await tx.deleteFrom('access_tokens').where('token_hash', '=', access_hash).execute();
  }
}

/** Deletes an unused refresh token and its access token. */
export async function deleteUnused(tx: Tx, { tokenHash, accessHash }: RefreshToken): Promise<void> {
  await tx.deleteFrom('refresh_tokens').where('token_hash', '=', tokenHash).execute();
  await tx.deleteFrom('access_tokens').where('token_hash', '=', accessHash).execute();
}

/** Returns whether a refreshable access token was used; a deleted one counts as used. */
export async function wasUsed(db: Database, accessHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('access_tokens')
    .select('unused')
    .where('token_hash', '=', accessHash)
    .executeTakeFirst();
  return row?.unused !== 1;
}

/** Deletes the refresh tokens of a device, or of all devices except one. */
export async function deleteRefreshTokens(
  tx: Tx,
  userId: string,
  { deviceId, exceptDevice }: { deviceId?: string; exceptDevice?: string | null },
): Promise<void> {
  let tokens = tx.deleteFrom('refresh_tokens').where('user_id', '=', userId);
  if (deviceId !== undefined) tokens = tokens.where('device_id', '=', deviceId);
  if (exceptDevice != null) tokens = tokens.where('device_id', '!=', exceptDevice);
  await tokens.execute();
}
