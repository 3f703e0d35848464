/**
 * Users with their custom profile fields, and their totals.
 *
 * To prevent deadlocks, transactions lock rows in this order:
 *
 * 1. users, by user ID; lock the user before changing anything that belongs to it
 * 2. devices, then tokens
 * 3. 3PIDs, then external IDs, by key
 * 4. registration tokens, rooms, tasks
 * 5. totals, by key: last, because many users share them
 */
import { type Selectable, sql, type Updateable } from 'kysely';
import { readJson } from '../../../shared/read-json.ts';
import { chunks } from '../../platform/concurrency/yield.ts';
import { localpartOf } from '../../platform/core/identifiers.ts';
import { accountDeactivated } from '../../platform/core/matrix-error.ts';
import { isPostgres } from '../../platform/database/engine.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import { ownPart } from '../../platform/database/query/expressions.ts';
import type { Database, Schema } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';
import { insertUserWords, replaceUserWords } from './user-words-store.ts';

export type User = {
  userId: string;
  passwordHash: string | null;
  displayName: string | null;
  avatarUrl: string | null;
  admin: boolean;
  deactivated: boolean;
  /** Can only log out until an administrator unlocks the account. */
  locked: boolean;
  /** Can read but not write. */
  suspended: boolean;
  shadowBanned: boolean;
  /** Deactivated with erasure: profile and old messages are hidden. */
  erased: boolean;
  /** `bot`, `support`, or null for an ordinary user. */
  userType: string | null;
  /** Has no password and can't log in again. */
  guest: boolean;
  /** The application service that registered the user. */
  appServiceId: string | null;
  createdTs: number;
  lastSeenTs: number | null;
};

export async function findUser(db: Database, userId: string): Promise<User | undefined> {
  const {
    rows: [row],
  } = await selectUser(db, { userId });
  return row && asUser(row);
}

const selectUser = builtOnce((db, { userId }: { userId: string }) =>
  db.selectFrom('users').selectAll().where('user_id', '=', userId),
);

/** Returns false on a new server. */
export async function hasUsers(db: Database): Promise<boolean> {
  return (await db.selectFrom('users').select('user_id').limit(1).execute()).length > 0;
}

/** Returns the local parts of all users. */
export async function listLocalparts(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('users').select('user_id').execute();
  return rows.map((row) => localpartOf(row.user_id));
}

/** Returns the users that exist, by user ID. */
export async function findUsers(db: Database, userIds: readonly string[]): Promise<Map<string, User>> {
  const users = new Map<string, User>();
  for (const chunk of chunks(userIds, 500)) {
    const rows = await db.selectFrom('users').selectAll().where('user_id', 'in', chunk).execute();
    for (const row of rows) users.set(row.user_id, asUser(row));
  }
  return users;
}

/** Locks the user's row until the transaction ends. */
export async function lockUser(tx: Tx, userId: string): Promise<User | undefined> {
  const {
    rows: [row],
  } = await selectLockedUser(tx, { userId });
  return row && asUser(row);
}

/**
 * Like `lockUser`, for adding data that a deactivation deletes: a concurrent one deletes it as well or comes first.
 *
 * @throws MatrixError 403 for a deactivated user
 */
export async function lockActiveUser(tx: Tx, userId: string): Promise<User | undefined> {
  const user = await lockUser(tx, userId);
  if (user?.deactivated) throw accountDeactivated();
  return user;
}

// On SQLite, the transaction locks the whole database.
const selectLockedUser = builtOnce((db, { userId }: { userId: string }) =>
  db
    .selectFrom('users')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(isPostgres(db), (user) => user.forNoKeyUpdate()),
);

export const asUser = (row: Selectable<Schema['users']>): User => ({
  userId: row.user_id,
  passwordHash: row.password_hash,
  displayName: row.display_name,
  avatarUrl: row.avatar_url,
  admin: row.admin === 1,
  deactivated: row.deactivated === 1,
  locked: row.locked === 1,
  suspended: row.suspended === 1,
  shadowBanned: row.shadow_banned === 1,
  erased: row.erased === 1,
  userType: row.user_type,
  guest: row.is_guest === 1,
  appServiceId: row.app_service_id,
  createdTs: row.created_ts,
  lastSeenTs: row.last_seen_ts,
});

export type UserChange = Partial<Omit<User, 'userId' | 'createdTs' | 'lastSeenTs' | 'appServiceId'>>;

export type NewUser = Pick<User, 'userId' | 'createdTs' | 'appServiceId'> & UserChange;

/** Called after the user is locked and before the totals are. */
type RelatedDataChange = () => Promise<void>;

const noChange: RelatedDataChange = async () => {};

/** Adds a user. Returns false if the user ID is taken. */
export async function insertUser(
  tx: Tx,
  { userId, createdTs, appServiceId, ...user }: NewUser,
  changeRelatedData = noChange,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('users')
    .values({
      ...columnsOf(user),
      user_id: userId,
      created_ts: createdTs,
      app_service_id: appServiceId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await insertUserWords(tx, userId, user.displayName ?? null);
  await changeRelatedData();
  await updateTotals(tx, undefined, user);
  return true;
}

/** Updates a user. Returns false if the user doesn't exist. */
export async function updateUser(
  tx: Tx,
  userId: string,
  change: UserChange,
  changeRelatedData = noChange,
): Promise<boolean> {
  const before = await lockUser(tx, userId);
  if (!before) return false;
  await changeRelatedData();
  const columns = columnsOf(change);
  if (Object.keys(columns).length === 0) return true;
  await tx.updateTable('users').set(columns).where('user_id', '=', userId).execute();
  if (change.displayName !== undefined && change.displayName !== before.displayName) {
    await replaceUserWords(tx, userId, change.displayName);
  }
  await updateTotals(tx, before, { ...before, ...change });
  return true;
}

function columnsOf(change: UserChange): Updateable<Schema['users']> {
  const columns: Updateable<Schema['users']> = {};
  if (change.passwordHash !== undefined) columns.password_hash = change.passwordHash;
  if (change.displayName !== undefined) columns.display_name = change.displayName;
  if (change.avatarUrl !== undefined) columns.avatar_url = change.avatarUrl;
  if (change.userType !== undefined) columns.user_type = change.userType;
  if (change.guest !== undefined) columns.is_guest = Number(change.guest);
  if (change.admin !== undefined) columns.admin = Number(change.admin);
  if (change.deactivated !== undefined) columns.deactivated = Number(change.deactivated);
  if (change.locked !== undefined) columns.locked = Number(change.locked);
  if (change.suspended !== undefined) columns.suspended = Number(change.suspended);
  if (change.shadowBanned !== undefined) columns.shadow_banned = Number(change.shadowBanned);
  if (change.erased !== undefined) columns.erased = Number(change.erased);
  return columns;
}

/** Returns those of the users who are erased. */
export async function findErased(db: Database, userIds: string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('users')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .where('erased', '=', 1)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

/** Properties by which users are counted. */
type CountedFields = Partial<Pick<User, 'admin' | 'deactivated' | 'locked' | 'userType' | 'guest'>>;

/** User type of guests in the totals. */
export const guestType = 'm.guest';

const totalsKeyOf = ({ admin, deactivated, locked, userType, guest }: CountedFields) => ({
  admin: Number(admin ?? false),
  deactivated: Number(deactivated ?? false),
  locked: Number(locked ?? false),
  user_type: guest ? guestType : (userType ?? ''),
});

type TotalsKey = ReturnType<typeof totalsKeyOf>;

/** Moves a user from one total to another. */
async function updateTotals(tx: Tx, before: CountedFields | undefined, after: CountedFields): Promise<void> {
  const from = before && totalsKeyOf(before);
  const to = totalsKeyOf(after);
  const [fromName, toName] = [JSON.stringify(from), JSON.stringify(to)];
  if (fromName === toName) return;
  // In the order of the keys, which prevents deadlocks.
  const fromFirst = from && fromName < toName;
  if (fromFirst) await addToTotal(tx, from, -1);
  await addToTotal(tx, to, 1);
  if (from && !fromFirst) await addToTotal(tx, from, -1);
}

async function addToTotal(tx: Tx, key: TotalsKey, by: 1 | -1): Promise<void> {
  await tx
    .insertInto('user_totals')
    .values({ ...key, part: ownPart(tx), total: by })
    .onConflict((conflict) =>
      conflict
        .columns(['admin', 'deactivated', 'locked', 'user_type', 'part'])
        .doUpdateSet({ total: sql<number>`user_totals.total + excluded.total` }),
    )
    .execute();
}

/** Returns the custom profile fields of a user, by name. */
export async function listProfileFields(db: Database, userId: string): Promise<Map<string, unknown>> {
  const rows = await db
    .selectFrom('profile_fields')
    .select(['name', 'value'])
    .where('user_id', '=', userId)
    .orderBy('name')
    .execute();
  return new Map(rows.map(({ name, value }) => [name, readJson(value) as unknown]));
}

export async function setProfileField(tx: Tx, userId: string, name: string, value: unknown): Promise<void> {
  const json = JSON.stringify(value);
  await tx
    .insertInto('profile_fields')
    .values({ user_id: userId, name, value: json })
    .onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet({ value: json }))
    .execute();
}

/** Deletes a field, or all of them. */
export async function deleteProfileFields(db: Database, userId: string, name?: string): Promise<void> {
  let fields = db.deleteFrom('profile_fields').where('user_id', '=', userId);
  if (name !== undefined) fields = fields.where('name', '=', name);
  await fields.execute();
}
