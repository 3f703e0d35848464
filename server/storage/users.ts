import type { Database } from './schema.ts';

export type User = {
  userId: string;
  passwordHash: string | null;
  displayName: string | null;
  avatarUrl: string | null;
  admin: boolean;
  deactivated: boolean;
  createdTs: number;
};

export async function findUser(db: Database, userId: string): Promise<User | undefined> {
  const row = await db.selectFrom('users').selectAll().where('user_id', '=', userId).executeTakeFirst();
  return (
    row && {
      userId: row.user_id,
      passwordHash: row.password_hash,
      displayName: row.display_name,
      avatarUrl: row.avatar_url,
      admin: row.admin === 1,
      deactivated: row.deactivated === 1,
      createdTs: row.created_ts,
    }
  );
}

export type NewUser = Pick<User, 'userId' | 'passwordHash' | 'displayName' | 'admin' | 'createdTs'>;

/** Adds the user; false where the identifier is taken. */
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
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
