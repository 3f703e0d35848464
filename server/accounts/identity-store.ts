/** What users are known by elsewhere: addresses, telephone numbers, accounts at identity providers. */
import type { Database } from '../database/schema.ts';

export type Threepid = { medium: string; address: string; validatedTs: number; addedTs: number };
export type ExternalId = { authProvider: string; externalId: string };

export async function listThreepids(db: Database, userId: string): Promise<Threepid[]> {
  const rows = await db
    .selectFrom('user_threepids')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('medium')
    .orderBy('address')
    .execute();
  return rows.map((row) => ({
    medium: row.medium,
    address: row.address,
    validatedTs: row.validated_ts,
    addedTs: row.added_ts,
  }));
}

/**
 * Gives a user these addresses and no others; one that another user had is taken from them. Those that
 * the user has already stay as they are. Call it in a transaction.
 */
export async function replaceThreepids(
  db: Database,
  userId: string,
  threepids: Pick<Threepid, 'medium' | 'address'>[],
  now: number,
): Promise<void> {
  const keyOf = ({ medium, address }: Pick<Threepid, 'medium' | 'address'>) => `${medium}\0${address}`;
  const wanted = new Map(threepids.map((threepid) => [keyOf(threepid), threepid]));
  for (const threepid of await listThreepids(db, userId)) {
    if (wanted.delete(keyOf(threepid))) continue;
    await db
      .deleteFrom('user_threepids')
      .where('medium', '=', threepid.medium)
      .where('address', '=', threepid.address)
      .execute();
  }
  for (const { medium, address } of wanted.values()) {
    const values = { user_id: userId, validated_ts: now, added_ts: now };
    await db
      .insertInto('user_threepids')
      .values({ medium, address, ...values })
      .onConflict((conflict) => conflict.columns(['medium', 'address']).doUpdateSet(values))
      .execute();
  }
}

export async function listExternalIds(db: Database, userId: string): Promise<ExternalId[]> {
  const rows = await db
    .selectFrom('user_external_ids')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('auth_provider')
    .orderBy('external_id')
    .execute();
  return rows.map((row) => ({ authProvider: row.auth_provider, externalId: row.external_id }));
}

/**
 * Gives a user these accounts at identity providers and no others. Call it in a transaction, and roll it
 * back where it is false: one of them is another user's.
 */
export async function replaceExternalIds(
  db: Database,
  userId: string,
  externalIds: ExternalId[],
): Promise<boolean> {
  await db.deleteFrom('user_external_ids').where('user_id', '=', userId).execute();
  const distinct = new Map(externalIds.map((id) => [`${id.authProvider}\0${id.externalId}`, id]));
  for (const { authProvider, externalId } of distinct.values()) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('user_external_ids')
      .values({ auth_provider: authProvider, external_id: externalId, user_id: userId })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) return false;
  }
  return true;
}
