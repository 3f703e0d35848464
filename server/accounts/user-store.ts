/** Users, and how many of each kind there are. */
import { type Selectable, sql, type Updateable } from 'kysely';
import type { Database, Schema } from '../database/schema.ts';

export type User = {
  userId: string;
  passwordHash: string | null;
  displayName: string | null;
  avatarUrl: string | null;
  admin: boolean;
  deactivated: boolean;
  /** May do nothing until an administrator unlocks the account. */
  locked: boolean;
  /** May read, and not write. */
  suspended: boolean;
  shadowBanned: boolean;
  /** Deactivated for good: name, picture and old messages are hidden. */
  erased: boolean;
  /** `bot`, `support`, or null for an ordinary user. */
  userType: string | null;
  /** The application service that registered the user. */
  appServiceId: string | null;
  createdTs: number;
  lastSeenTs: number | null;
};

export async function findUser(db: Database, userId: string): Promise<User | undefined> {
  const row = await db.selectFrom('users').selectAll().where('user_id', '=', userId).executeTakeFirst();
  return row && asUser(row);
}

/** The user, locked until the transaction ends: whoever else wants to change it waits. */
export async function lockUser(db: Database, userId: string): Promise<User | undefined> {
  const row = await db
    .updateTable('users')
    .set((eb) => ({ admin: eb.ref('admin') }))
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
  return row && asUser(row);
}

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
  appServiceId: row.app_service_id,
  createdTs: row.created_ts,
  lastSeenTs: row.last_seen_ts,
});

export type NewUser = Pick<
  User,
  'userId' | 'passwordHash' | 'displayName' | 'admin' | 'createdTs' | 'userType' | 'appServiceId'
>;

/** Adds the user; false where the identifier is taken. The totals change with it: call it in a transaction. */
export async function insertUser(db: Database, user: NewUser): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('users')
    .values({
      user_id: user.userId,
      password_hash: user.passwordHash,
      display_name: user.displayName,
      avatar_url: null,
      admin: user.admin ? 1 : 0,
      created_ts: user.createdTs,
      user_type: user.userType,
      app_service_id: user.appServiceId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await count(db, { ...user, deactivated: false, locked: false }, 1);
  return true;
}

export type UserChange = Partial<Omit<User, 'userId' | 'createdTs' | 'lastSeenTs' | 'appServiceId'>>;

/** Changes a user; false where there is none. The totals change with it: call it in a transaction. */
export async function updateUser(db: Database, userId: string, change: UserChange): Promise<boolean> {
  // Two changes at once would both count from what the user was before.
  const before = await lockUser(db, userId);
  if (!before) return false;
  const columns = columnsOf(change);
  if (Object.keys(columns).length === 0) return true;
  await db.updateTable('users').set(columns).where('user_id', '=', userId).execute();
  const after = { ...before, ...change };
  if (kindOf(before) !== kindOf(after)) {
    await count(db, before, -1);
    await count(db, after, 1);
  }
  return true;
}

function columnsOf(change: UserChange): Updateable<Schema['users']> {
  const columns: Updateable<Schema['users']> = {};
  if (change.passwordHash !== undefined) columns.password_hash = change.passwordHash;
  if (change.displayName !== undefined) columns.display_name = change.displayName;
  if (change.avatarUrl !== undefined) columns.avatar_url = change.avatarUrl;
  if (change.userType !== undefined) columns.user_type = change.userType;
  if (change.admin !== undefined) columns.admin = Number(change.admin);
  if (change.deactivated !== undefined) columns.deactivated = Number(change.deactivated);
  if (change.locked !== undefined) columns.locked = Number(change.locked);
  if (change.suspended !== undefined) columns.suspended = Number(change.suspended);
  if (change.shadowBanned !== undefined) columns.shadow_banned = Number(change.shadowBanned);
  if (change.erased !== undefined) columns.erased = Number(change.erased);
  return columns;
}

/** Those of these users who erased themselves. */
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

/** What a user is counted by. */
type Counted = Pick<User, 'admin' | 'deactivated' | 'locked' | 'userType'>;

const kindOf = (user: Counted) => JSON.stringify(countedBy(user));

const countedBy = ({ admin, deactivated, locked, userType }: Counted) => ({
  admin: Number(admin),
  deactivated: Number(deactivated),
  locked: Number(locked),
  user_type: userType ?? '',
});

async function count(db: Database, user: Counted, by: 1 | -1): Promise<void> {
  const kind = countedBy(user);
  if (by === 1) {
    await db
      .insertInto('user_totals')
      .values({ ...kind, total: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(['admin', 'deactivated', 'locked', 'user_type'])
          .doUpdateSet({ total: sql<number>`user_totals.total + 1` }),
      )
      .execute();
    return;
  }
  await db
    .updateTable('user_totals')
    .set({ total: sql<number>`total - 1` })
    .where((eb) => eb.and(kind))
    .execute();
}
