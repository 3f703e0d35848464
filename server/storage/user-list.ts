/** The administrators' list of users. The reference homeserver's "List Accounts" API, version 2. */
import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely';
import { maximumUsersPerPage, type UserListQuery, type UserOrder } from '../../shared/api/user-list.ts';
import type { Database, Schema } from './schema.ts';
import { asUser, type User } from './users.ts';

export type UserPage = { users: User[]; total: number };

/**
 * One page of users and how many there are in all. Both come from indexes and counters, unless the list
 * is searched for a part of a name: then the users' names are read.
 */
export async function listUsers(db: Database, query: UserListQuery): Promise<UserPage> {
  const total = isSearch(query) ? await countMatches(db, query) : await sumTotals(db, query);
  const limit = Math.min(query.limit, maximumUsersPerPage, Math.max(0, total - query.from));
  const users = limit === 0 ? [] : await readPage(db, query, limit, total);
  return { users, total };
}

const isSearch = (query: UserListQuery) => query.user_id !== undefined || query.name !== undefined;

async function sumTotals(db: Database, query: UserListQuery): Promise<number> {
  const row = await db
    .selectFrom('user_totals')
    .select(({ fn }) => fn.coalesce(fn.sum<number | string>('total'), sql<number>`0`).as('total'))
    .where((eb) => {
      const conditions = flagConditions(eb, query);
      const unwanted = query.not_user_type;
      if (unwanted !== undefined) conditions.push(eb('user_type', '!=', unwanted));
      return eb.and(conditions);
    })
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
  const wanted = query.dir === 'b' ? 'desc' : 'asc';
  const direction = fromFarEnd ? (wanted === 'asc' ? 'desc' : 'asc') : wanted;
  const order = orderColumns[query.order_by];

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
  if (fromFarEnd) names.reverse();

  const found = new Map<string, User>();
  // An engine takes only so many parameters.
  for (let start = 0; start < names.length; start += 500) {
    const part = names.slice(start, start + 500);
    for (const row of await db.selectFrom('users').selectAll().where('user_id', 'in', part).execute()) {
      found.set(row.user_id, asUser(row));
    }
  }
  return names.flatMap((name) => found.get(name) ?? []);
}

/** Nobody is a guest here, and everybody has a deactivated flag that the name's index begins with. */
const orderColumns = {
  name: 'user_id',
  is_guest: 'user_id',
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

function matches(eb: ExpressionBuilder<Schema, 'users'>, query: UserListQuery) {
  const conditions: ExpressionWrapper<Schema, 'users', SqlBool>[] = flagConditions(eb, query);
  const unwanted = query.not_user_type;
  if (unwanted === '') conditions.push(eb('user_type', 'is not', null));
  else if (unwanted !== undefined) {
    conditions.push(eb.or([eb('user_type', 'is', null), eb('user_type', '!=', unwanted)]));
  }
  if (query.user_id !== undefined) {
    conditions.push(eb(like('user_id', `%${escaped(query.user_id.toLowerCase())}%`), '=', sql.lit(true)));
  } else if (query.name !== undefined) {
    const part = escaped(query.name.toLowerCase());
    conditions.push(
      eb.or([
        eb(like('user_id', `@%${part}%:%`), '=', sql.lit(true)),
        eb(like('display_name', `%${part}%`), '=', sql.lit(true)),
      ]),
    );
  }
  return eb.and(conditions);
}
