/** 3PIDs and external IDs of users, and OpenID tokens by which they identify themselves to others. */
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type Threepid = { medium: string; address: string; validatedTs: number; addedTs: number };
type Address = Pick<Threepid, 'medium' | 'address'>;
/** The ID of a user at an identity provider. */
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

/** Sets a user's 3PIDs, removing those of other users. Existing ones keep their timestamps. */
export async function replaceThreepids(
  tx: Tx,
  userId: string,
  threepids: Address[],
  now: number,
): Promise<void> {
  const keyOf = ({ medium, address }: Address) => [medium, address];
  const before: Address[] = await listThreepids(tx, userId);
  for (const { item, isAdded } of changesBetween(before, threepids.map(normalize), keyOf)) {
    const { medium, address } = item;
    if (isAdded) {
      const values = { user_id: userId, validated_ts: now, added_ts: now };
      await tx
        .insertInto('user_threepids')
        .values({ medium, address, ...values })
        .onConflict((conflict) => conflict.columns(['medium', 'address']).doUpdateSet(values))
        .execute();
    } else {
      await deleteThreepid(tx, userId, item);
    }
  }
}

/** Deletes a user's 3PID, but not another user's, who may have got the address in the meantime. */
export async function deleteThreepid(db: Database, userId: string, threepid: Address): Promise<void> {
  const { medium, address } = normalize(threepid);
  await db
    .deleteFrom('user_threepids')
    .where('medium', '=', medium)
    .where('address', '=', address)
    .where('user_id', '=', userId)
    .execute();
}

/** Mail servers ignore the case of addresses. */
const normalize = ({ medium, address }: Address): Address => ({
  medium,
  address: medium === 'email' ? address.toLowerCase() : address,
});

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

/** Sets a user's external IDs. Returns false if one belongs to another user; then roll back the transaction. */
export async function replaceExternalIds(
  tx: Tx,
  userId: string,
  externalIds: ExternalId[],
): Promise<boolean> {
  const keyOf = ({ authProvider, externalId }: ExternalId) => [authProvider, externalId];
  for (const { item, isAdded } of changesBetween(await listExternalIds(tx, userId), externalIds, keyOf)) {
    const { authProvider, externalId } = item;
    if (isAdded) {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('user_external_ids')
        .values({ auth_provider: authProvider, external_id: externalId, user_id: userId })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows !== 1n) return false;
    } else {
      await tx
        .deleteFrom('user_external_ids')
        .where('auth_provider', '=', authProvider)
        .where('external_id', '=', externalId)
        .where('user_id', '=', userId)
        .execute();
    }
  }
  return true;
}

/** Returns the items to add and to delete, ordered by key: concurrent changes lock them in the same order. */
function changesBetween<Item>(
  current: Item[],
  next: Item[],
  keyOf: (item: Item) => string[],
): { item: Item; isAdded: boolean }[] {
  const byKey = (items: Item[]) => new Map(items.map((item) => [JSON.stringify(keyOf(item)), item]));
  const [before, after] = [byKey(current), byKey(next)];
  return [...new Map([...before, ...after])]
    .filter(([key]) => before.has(key) !== after.has(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => ({ item, isAdded: after.has(key) }));
}

type OpenIdToken = { hash: string; userId: string; expiresTs: number };

export async function insertOpenIdToken(tx: Tx, { hash, userId, expiresTs }: OpenIdToken): Promise<void> {
  await tx
    .insertInto('openid_tokens')
    .values({ token_hash: hash, user_id: userId, expires_ts: expiresTs })
    .execute();
}

/** Returns undefined if the token is unknown or its user was deactivated. */
export async function findOpenIdToken(db: Database, hash: string): Promise<OpenIdToken | undefined> {
  const row = await db
    .selectFrom('openid_tokens')
    .innerJoin('users', 'users.user_id', 'openid_tokens.user_id')
    .select(['openid_tokens.user_id', 'openid_tokens.expires_ts'])
    .where('token_hash', '=', hash)
    .where('users.deactivated', '=', 0)
    .executeTakeFirst();
  return row && { hash, userId: row.user_id, expiresTs: row.expires_ts };
}

export async function deleteExpiredOpenIdTokens(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom('openid_tokens').where('expires_ts', '<=', now).execute();
}

export async function deleteOpenIdTokens(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('openid_tokens').where('user_id', '=', userId).execute();
}
