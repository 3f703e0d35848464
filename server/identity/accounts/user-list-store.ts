/** Synapse's "List Accounts" API, versions 2 and 3. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { maximumUsersPerPage, type UserOrder } from '../../../shared/api/users.ts';
import { contains, localpartContains } from '../../platform/database/query/expressions.ts';
import type { Database, Schema } from '../../platform/database/schema.ts';
import { findUsers, guestType, type User } from './user-store.ts';

export type UserFilter = {
  from: number;
  limit: number;
  orderBy: UserOrder;
  direction: 'f' | 'b';
  /** A substring of the user ID; `name` is then ignored. */
  userId?: string | undefined;
  /** A substring of the localpart or display name. */
  name?: string | undefined;
  /** True for admins only, false for other users only. */
  admins?: boolean | undefined;
  /** Whether to include guests; so for the next two. */
  guests: boolean;
  deactivated: boolean | 'only';
  locked: boolean;
  /** A user type to leave out; empty for ordinary users. */
  notUserType?: string | undefined;
};

/** Returns a page of users and the total, from indexes and counters. A search scans all names. */
export async function listUsers(db: Database, query: UserFilter): Promise<{ users: User[]; total: number }> {
  const isSearch = query.userId !== undefined || query.name !== undefined;
  const total = isSearch ? await countMatches(db, query) : await sumTotals(db, query);
  const limit = Math.min(query.limit, maximumUsersPerPage, Math.max(0, total - query.from));
  const users = limit === 0 ? [] : await readPage(db, query, limit, total);
  return { users, total };
}

async function sumTotals(db: Database, query: UserFilter): Promise<number> {
  const excluded = query.notUserType;
  // Guests count as ordinary users.
  const withGuests = query.guests && excluded !== '';
  const row = await db
    .selectFrom('user_totals')
    .select(({ fn }) => fn.sum<number | string | null>('total').as('total'))
    .where((eb) => eb.and(flagsOf(query)))
    .$if(!withGuests, (rows) => rows.where('user_type', '!=', guestType))
    .$if(excluded !== undefined, (rows) => rows.where('user_type', '!=', excluded ?? ''))
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

async function countMatches(db: Database, query: UserFilter): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .where((eb) => matches(eb, query))
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

/** Reads a page of the second half from the end. Only IDs are read while skipping. */
async function readPage(db: Database, query: UserFilter, limit: number, total: number): Promise<User[]> {
  const rest = total - query.from - limit;
  const fromEnd = rest < query.from;
  const direction = (query.direction === 'b') === fromEnd ? 'asc' : 'desc';
  const order = orderColumns[query.orderBy];

  let ids = db
    .selectFrom('users')
    .select('user_id')
    .where((eb) => matches(eb, query));
  if (order !== 'user_id') ids = ids.orderBy(order, direction);
  const rows = await ids
    .orderBy('user_id', direction)
    .limit(limit)
    .offset(fromEnd ? rest : query.from)
    .execute();
  const userIds = rows.map((row) => row.user_id);
  const users = await findUsers(db, userIds);
  return (fromEnd ? userIds.reverse() : userIds).flatMap((userId) => users.get(userId) ?? []);
}

const orderColumns = {
  name: 'user_id',
  is_guest: 'is_guest',
  admin: 'admin',
  user_type: 'user_type',
  deactivated: 'deactivated',
  shadow_banned: 'shadow_banned',
  displayname: 'display_name',
  avatar_url: 'avatar_url',
  creation_ts: 'created_ts',
  last_seen_ts: 'last_seen_ts',
  locked: 'locked',
} as const satisfies Record<UserOrder, keyof Schema['users']>;

const flagsOf = ({ admins, deactivated, locked }: UserFilter) => ({
  ...(admins !== undefined && { admin: Number(admins) }),
  ...(deactivated !== true && { deactivated: Number(deactivated === 'only') }),
  ...(!locked && { locked: 0 }),
});

function matches(eb: ExpressionBuilder<Schema, 'users'>, query: UserFilter) {
  const conditions: Expression<SqlBool>[] = [eb.and(flagsOf(query))];
  if (!query.guests) conditions.push(eb('is_guest', '=', 0));
  const excluded = query.notUserType;
  if (excluded === '') conditions.push(eb('user_type', 'is not', null));
  else if (excluded !== undefined) {
    conditions.push(eb.or([eb('user_type', 'is', null), eb('user_type', '!=', excluded)]));
  }
  if (query.userId !== undefined) conditions.push(contains(eb.ref('user_id'), query.userId));
  else if (query.name !== undefined) {
    const { name } = query;
    conditions.push(
      eb.or([localpartContains(eb.ref('user_id'), '@', name), contains(eb.ref('display_name'), name)]),
    );
  }
  return eb.and(conditions);
}
