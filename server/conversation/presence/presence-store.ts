/** Presence as shown to others, and the processes that users are connected to. */
import { nextChange } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

const presenceStates = ['online', 'unavailable', 'offline'] as const;
export type PresenceState = (typeof presenceStates)[number];

export type PresenceRecord = {
  userId: string;
  presence: PresenceState;
  statusMsg: string | null;
  /** Milliseconds since the Unix epoch; 0 for users who were never online. */
  lastActiveTs: number;
};

export async function findPresence(db: Database, userId: string): Promise<PresenceRecord | undefined> {
  const row = await db
    .selectFrom('presence')
    .select(columns)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && asPresence(row);
}

/** Values that are left out stay as they are. */
export type PresenceChange = Pick<PresenceRecord, 'userId'> & Partial<PresenceRecord>;

/** Saves changes of different users. Returns the users whose visible presence changed. */
export async function setPresence(tx: Tx, changes: readonly PresenceChange[]): Promise<string[]> {
  const shown: string[] = [];
  for (const { userId, ...change } of changes) {
    const before = await findPresence(tx, userId);
    const after = { presence: 'offline' as const, statusMsg: null, lastActiveTs: 0, ...before, ...change };
    const isNews = !before || before.presence !== after.presence || before.statusMsg !== after.statusMsg;
    if (!isNews && before.lastActiveTs === after.lastActiveTs) continue;
    const values = {
      presence: after.presence,
      status_msg: after.statusMsg,
      last_active_ts: after.lastActiveTs,
      stream_id: await nextChange(tx),
    };
    await tx
      .insertInto('presence')
      .values({ user_id: userId, ...values })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
      .execute();
    if (isNews) shown.push(userId);
  }
  return shown;
}

/** Returns whether two users are in a room together. */
export async function shareRoom(db: Database, one: string, other: string): Promise<boolean> {
  const row = await db
    .selectFrom('memberships as one')
    .innerJoin('memberships as other', 'other.room_id', 'one.room_id')
    .select('one.room_id')
    .where('one.user_id', '=', one)
    .where('one.membership', '=', 'join')
    .where('other.user_id', '=', other)
    .where('other.membership', '=', 'join')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The newest changes, for clients that haven't synced for long. */
const shownAtOnce = 500;

type PresenceQuery = {
  /** Sees themselves and those they share a room with. */
  userId: string;
  /** Only changes after this stream position; without it, users who aren't offline. */
  after: number | undefined;
  upTo: number;
};

/** Returns the changes of users that a user may see; only the newest if there are very many. */
export async function readPresenceSince(
  db: Database,
  { userId, after, upTo }: PresenceQuery,
): Promise<PresenceRecord[]> {
  const changed = db
    .selectFrom('presence')
    .selectAll()
    .where('stream_id', '>', after ?? -1)
    .where('stream_id', '<=', upTo)
    .$if(after === undefined, (all) => all.where('presence', '<>', 'offline'))
    .orderBy('stream_id', 'desc')
    .limit(shownAtOnce);
  const rows = await db
    .selectFrom(changed.as('presence'))
    .select(columns)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('presence.user_id', '=', userId),
        exists(
          selectFrom('memberships as own')
            .innerJoin('memberships as theirs', 'theirs.room_id', 'own.room_id')
            .select('own.room_id')
            .where('own.user_id', '=', userId)
            .where('own.membership', '=', 'join')
            .whereRef('theirs.user_id', '=', 'presence.user_id')
            .where('theirs.membership', '=', 'join'),
        ),
      ]),
    )
    .orderBy('presence.stream_id')
    .execute();
  return rows.map(asPresence);
}

/** Returns the members of these rooms who are not offline, as far as nothing has changed since a stream position. */
export async function readPresenceInRooms(
  db: Database,
  roomIds: readonly string[],
  before: number,
): Promise<PresenceRecord[]> {
  if (roomIds.length === 0) return [];
  const rows = await db
    .selectFrom('presence')
    .select(columns)
    .where('presence.presence', '<>', 'offline')
    .where('presence.stream_id', '<=', before)
    .where('presence.user_id', 'in', (eb) =>
      eb
        .selectFrom('memberships')
        .select('memberships.user_id')
        .where('memberships.room_id', 'in', roomIds)
        .where('memberships.membership', '=', 'join'),
    )
    .orderBy('presence.stream_id', 'desc')
    .limit(shownAtOnce)
    .execute();
  return rows.map(asPresence);
}

type NewcomerQuery = {
  userId: string;
  joinedAfter: number;
  /** Stream position. */
  before: number;
};

/**
 * Returns the users who have joined one of a user's rooms since an event position and are not offline, as far as nothing
 * has changed since a stream position.
 */
export async function readPresenceOfNewcomers(
  db: Database,
  { userId, joinedAfter, before }: NewcomerQuery,
): Promise<PresenceRecord[]> {
  const rows = await db
    .selectFrom('presence')
    .select(columns)
    .where('presence.presence', '<>', 'offline')
    .where('presence.stream_id', '<=', before)
    .where('presence.user_id', 'in', (eb) =>
      eb
        .selectFrom('memberships as own')
        .innerJoin('memberships as theirs', 'theirs.room_id', 'own.room_id')
        .select('theirs.user_id')
        .where('own.user_id', '=', userId)
        .where('own.membership', '=', 'join')
        .where('theirs.membership', '=', 'join')
        .where('theirs.user_id', '<>', userId)
        .where('theirs.stream_ordering', '>', joinedAfter),
    )
    .orderBy('presence.stream_id', 'desc')
    .limit(shownAtOnce)
    .execute();
  return rows.map(asPresence);
}

/** Returns rooms that these users share with others, the smallest first; at most 200. */
export async function listSharedRooms(db: Database, userIds: readonly string[]): Promise<string[]> {
  if (userIds.length === 0) return [];
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('rooms', 'rooms.room_id', 'memberships.room_id')
    .select(['rooms.room_id', 'rooms.joined_members'])
    .distinct()
    .where('memberships.user_id', 'in', userIds)
    .where('memberships.membership', '=', 'join')
    .where('rooms.joined_members', '>', 1)
    .orderBy('rooms.joined_members')
    .limit(200)
    .execute();
  return rows.map((row) => row.room_id);
}

/** Notes users as connected to a process until a time. */
export async function noteConnections(
  db: Database,
  process: string,
  userIds: readonly string[],
  untilTs: number,
): Promise<void> {
  if (userIds.length === 0) return;
  await db
    .insertInto('presence_connections')
    .values(userIds.map((user_id) => ({ process, user_id, presence: 'online', until_ts: untilTs })))
    .onConflict((conflict) => conflict.columns(['user_id', 'process']).doUpdateSet({ until_ts: untilTs }))
    .execute();
}

/**
 * Deletes the connections of users to a process, and the expired ones to all others. Returns the users who are
 * connected to no process now.
 */
export async function deleteConnections(
  tx: Tx,
  process: string,
  userIds: readonly string[],
  now: number,
): Promise<string[]> {
  const deleted = await tx
    .deleteFrom('presence_connections')
    .where((eb) =>
      eb.or([
        eb.and([eb('process', '<>', process), eb('until_ts', '<=', now)]),
        ...(userIds.length > 0 ? [eb.and([eb('process', '=', process), eb('user_id', 'in', userIds)])] : []),
      ]),
    )
    .returning('user_id')
    .execute();
  const users = [...new Set(deleted.map((row) => row.user_id))];
  if (users.length === 0) return [];
  const rows = await tx
    .selectFrom('presence_connections')
    .select('user_id')
    .where('user_id', 'in', users)
    .execute();
  const connected = new Set(rows.map((row) => row.user_id));
  return users.filter((userId) => !connected.has(userId));
}

/** Returns those of these users who are shown as offline. */
export async function listOffline(db: Database, userIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('presence')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .where('presence', '=', 'offline')
    .execute();
  return rows.map((row) => row.user_id);
}

/** Returns users who are shown as online and connected to no process, as after a crash. */
export async function listForsaken(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('presence')
    .select('user_id')
    .where('presence', '<>', 'offline')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('presence_connections')
            .select('process')
            .whereRef('presence_connections.user_id', '=', 'presence.user_id'),
        ),
      ),
    )
    .limit(limit)
    .execute();
  return rows.map((row) => row.user_id);
}

const columns = [
  'presence.user_id',
  'presence.presence',
  'presence.status_msg',
  'presence.last_active_ts',
] as const;

const asPresence = (row: {
  user_id: string;
  presence: string;
  status_msg: string | null;
  last_active_ts: number;
}): PresenceRecord => ({
  userId: row.user_id,
  presence: row.presence as PresenceState,
  statusMsg: row.status_msg,
  lastActiveTs: row.last_active_ts,
});

/** Shows a deactivated user as offline, without a status message. */
export async function endPresence(tx: Tx, userId: string): Promise<void> {
  if (await findPresence(tx, userId))
    await setPresence(tx, [{ userId, presence: 'offline', statusMsg: null }]);
}
