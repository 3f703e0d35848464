/** What users are known by elsewhere: addresses, telephone numbers, accounts at identity providers. */
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type Threepid = { medium: string; address: string; validatedTs: number; addedTs: number };
type Address = Pick<Threepid, 'medium' | 'address'>;
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
 * the user has already stay as they are.
 */
export async function replaceThreepids(
  tx: Tx,
  userId: string,
  threepids: Address[],
  now: number,
): Promise<void> {
  const keyOf = ({ medium, address }: Address) => [medium, address];
  const before: Address[] = await listThreepids(tx, userId);
  for (const change of changesBetween(before, threepids.map(asKept), keyOf)) {
    const { medium, address } = change.item;
    if (change.isWanted) {
      const values = { user_id: userId, validated_ts: now, added_ts: now };
      await tx
        .insertInto('user_threepids')
        .values({ medium, address, ...values })
        .onConflict((conflict) => conflict.columns(['medium', 'address']).doUpdateSet(values))
        .execute();
    } else {
      // Meanwhile it may have been given to somebody else.
      await deleteThreepid(tx, userId, change.item);
    }
  }
}

/** Takes an address from a user, if it is theirs. */
export async function deleteThreepid(db: Database, userId: string, threepid: Address): Promise<void> {
  const { medium, address } = asKept(threepid);
  await db
    .deleteFrom('user_threepids')
    .where('medium', '=', medium)
    .where('address', '=', address)
    .where('user_id', '=', userId)
    .execute();
}

/** Addresses are compared in small letters, which is how mail servers take them. */
const asKept = ({ medium, address }: Address): Address => ({
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

/**
 * Gives a user these accounts at identity providers and no others. Roll the transaction back where it is
 * false: one of them is another user's.
 */
export async function replaceExternalIds(
  tx: Tx,
  userId: string,
  externalIds: ExternalId[],
): Promise<boolean> {
  const keyOf = ({ authProvider, externalId }: ExternalId) => [authProvider, externalId];
  for (const change of changesBetween(await listExternalIds(tx, userId), externalIds, keyOf)) {
    const { authProvider, externalId } = change.item;
    if (change.isWanted) {
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

/** What makes one list into the other, in the order of the keys: everybody who wants the same takes it in turn. */
function changesBetween<Item>(
  current: Item[],
  wanted: Item[],
  keyOf: (item: Item) => string[],
): { item: Item; isWanted: boolean }[] {
  const byKey = (items: Item[]) => new Map(items.map((item) => [JSON.stringify(keyOf(item)), item]));
  const [before, after] = [byKey(current), byKey(wanted)];
  return [...new Map([...before, ...after])]
    .filter(([key]) => before.has(key) !== after.has(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => ({ item, isWanted: after.has(key) }));
}
