/** The administrators' list of users. The reference homeserver's "List Accounts" API, version 2. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { maximumUsersPerPage, type UserOrder } from '../../../shared/api/users.ts';
import { chunks } from '../../platform/concurrency/yield.ts';
import { holds, localpartHolds } from '../../platform/database/query/expressions.ts';
import type { Database, Schema } from '../../platform/database/schema.ts';
import { asUser, guestType, type User } from './user-store.ts';

export type UserListQuery = {
  from: number;
  limit: number;
  orderBy: UserOrder;
  direction: 'f' | 'b';
  /** A part of the identifier; goes before `name`. */
  userId?: string | undefined;
  /** A part of the local part or of the display name. */
  name?: string | undefined;
  /** Only administrators, or only others. */
  admins?: boolean | undefined;
  /** Whether these are listed, too. */
  guests: boolean;
  deactivated: boolean;
  locked: boolean;
  /** Whom to leave out; the empty one stands for ordinary users. */
  notUserType?: string | undefined;
};

export type UserPage = { users: User[]; total: number };

/**
 * One page of users and how many there are in all. Both come from indexes and counters, unless the list
 * is searched for a part of a name: then every name is looked at.
 */
export async function listUsers(db: Database, query: UserListQuery): Promise<UserPage> {
  const isSearch = query.userId !== undefined || query.name !== undefined;
  const total = isSearch ? await countMatches(db, query) : await sumTotals(db, query);
  const limit = Math.min(query.limit, maximumUsersPerPage, Math.max(0, total - query.from));
  const users = limit === 0 ? [] : await readPage(db, query, limit, total);
  return { users, total };
}

async function sumTotals(db: Database, query: UserListQuery): Promise<number> {
  const unwanted = query.notUserType;
  // Guests are ordinary users, too.
  const withGuests = query.guests && unwanted !== '';
  const row = await db
    .selectFrom('user_totals')
    .select(({ fn }) => fn.sum<number | string | null>('total').as('total'))
    .where((eb) => eb.and(flagsOf(query)))
    .$if(!withGuests, (rows) => rows.where('user_type', '!=', guestType))
    .$if(unwanted !== undefined, (rows) => rows.where('user_type', '!=', unwanted ?? ''))
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

async function countMatches(db: Database, query: UserListQuery): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .where((eb) => matches(eb, query))
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

/** As for reports, a page in the far half is read from the other end, and only identifiers are skipped. */
async function readPage(db: Database, query: UserListQuery, limit: number, total: number): Promise<User[]> {
  const behind = total - query.from - limit;
  const fromFarEnd = behind < query.from;
  const wanted = query.direction === 'b' ? 'desc' : 'asc';
  const opposite = wanted === 'desc' ? 'asc' : 'desc';
  const direction = fromFarEnd ? opposite : wanted;
  const order = orderColumns[query.orderBy];

  let ids = db
    .selectFrom('users')
    .select('user_id')
    .where((eb) => matches(eb, query));
  if (order !== 'user_id') ids = ids.orderBy(order, direction);
  const rows = await ids
    .orderBy('user_id', direction)
    .limit(limit)
    .offset(fromFarEnd ? behind : query.from)
    .execute();
  const names = rows.map((row) => row.user_id);
  return usersInOrder(db, fromFarEnd ? names.reverse() : names);
}

async function usersInOrder(db: Database, userIds: string[]): Promise<User[]> {
  const found = new Map<string, User>();
  for (const chunk of chunks(userIds, 500)) {
    const rows = await db.selectFrom('users').selectAll().where('user_id', 'in', chunk).execute();
    for (const row of rows) found.set(row.user_id, asUser(row));
  }
  return userIds.flatMap((userId) => found.get(userId) ?? []);
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

/** Deactivated and locked users are in the list only where they are asked for. */
const flagsOf = ({ admins, deactivated, locked }: UserListQuery) => ({
  ...(admins !== undefined && { admin: Number(admins) }),
  ...(!deactivated && { deactivated: 0 }),
  ...(!locked && { locked: 0 }),
});

function matches(eb: ExpressionBuilder<Schema, 'users'>, query: UserListQuery) {
  const conditions: Expression<SqlBool>[] = [eb.and(flagsOf(query))];
  if (!query.guests) conditions.push(eb('is_guest', '=', 0));
  const unwanted = query.notUserType;
  // Without a value it means ordinary users.
  if (unwanted === '') conditions.push(eb('user_type', 'is not', null));
  else if (unwanted !== undefined) {
    conditions.push(eb.or([eb('user_type', 'is', null), eb('user_type', '!=', unwanted)]));
  }
  if (query.userId !== undefined) conditions.push(holds(eb.ref('user_id'), query.userId));
  else if (query.name !== undefined) {
    const { name } = query;
    conditions.push(
      eb.or([localpartHolds(eb.ref('user_id'), '@', name), holds(eb.ref('display_name'), name)]),
    );
  }
  return eb.and(conditions);
}
