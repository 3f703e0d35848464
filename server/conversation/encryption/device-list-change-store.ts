/** What decides whose devices somebody has to know: changes of devices, and who comes into encrypted rooms and goes. */
import type { ExpressionBuilder } from 'kysely';
import { readJson } from '../../../shared/read-json.ts';
import { chunks } from '../../platform/concurrency/yield.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { Database, Schema } from '../../platform/database/schema.ts';

/** What a user has not read yet: after the first places, up to the second. */
export type Interval = { userId: string; after: StreamPositions; upTo: StreamPositions };

/** Somebody's membership in an encrypted room as it was when the interval began, and as it is. */
export type Move = { roomId: string; userId: string; before: string; now: string };

const inOrInvited = ['join', 'invite'];

/** Those who share an encrypted room with the user, and the user, whose devices have changed. */
export async function listChangedUsers(db: Database, { userId, after, upTo }: Interval): Promise<string[]> {
  const rows = await db
    .selectFrom('device_list_changes as change')
    .select('change.user_id')
    .where('seen_by', '=', '')
    .where('change.stream_id', '>', after.changes)
    .where('change.stream_id', '<=', upTo.changes)
    .where((eb) =>
      eb.or([
        eb('change.user_id', '=', userId),
        eb.exists(
          eb
            .selectFrom('memberships as theirs')
            .innerJoin('memberships as mine', 'mine.room_id', 'theirs.room_id')
            .innerJoin('rooms', 'rooms.room_id', 'theirs.room_id')
            .select('theirs.room_id')
            .whereRef('theirs.user_id', '=', 'change.user_id')
            .where('theirs.membership', 'in', inOrInvited)
            .where('mine.user_id', '=', userId)
            .where('mine.membership', '=', 'join')
            .where('rooms.encryption', 'is not', null),
        ),
      ]),
    )
    .union(
      db
        .selectFrom('device_list_changes as change')
        .select('change.user_id')
        .where('seen_by', '=', userId)
        .where('change.stream_id', '>', after.changes)
        .where('change.stream_id', '<=', upTo.changes),
    )
    .execute();
  return rows.map((row) => row.user_id);
}

/** Whose membership changed in the encrypted rooms in which the user is. */
export async function listMovesOfOthers(db: Database, interval: Interval): Promise<Move[]> {
  const rows = await changedMemberships(db, interval)
    .innerJoin('memberships as mine', 'mine.room_id', 'moved.room_id')
    .where('mine.user_id', '=', interval.userId)
    .where('mine.membership', '=', 'join')
    .where('moved.user_id', '!=', interval.userId)
    .execute();
  return rows.map(asMove);
}

/** The encrypted rooms in which the user's own membership changed. */
export async function listOwnMoves(db: Database, interval: Interval): Promise<Move[]> {
  const rows = await changedMemberships(db, interval).where('moved.user_id', '=', interval.userId).execute();
  return rows.map(asMove);
}

const changedMemberships = (db: Database, { after, upTo }: Interval) =>
  db
    .selectFrom('memberships as moved')
    .innerJoin('rooms', 'rooms.room_id', 'moved.room_id')
    .where('rooms.encryption', 'is not', null)
    // Every one that there is: by these and the room an index finds the newest.
    .where('moved.membership', 'in', ['join', 'invite', 'leave', 'ban', 'knock'])
    .where('moved.stream_ordering', '>', after.events)
    .where('moved.stream_ordering', '<=', upTo.events)
    .select((eb) => [
      'moved.room_id',
      'moved.user_id',
      'moved.membership',
      before(eb, after.events).as('before'),
    ]);

const before = (eb: ExpressionBuilder<Schema & { moved: Schema['memberships'] }, 'moved'>, place: number) =>
  eb
    .selectFrom('events')
    .select('json')
    .whereRef('events.room_id', '=', 'moved.room_id')
    .where('type', '=', 'm.room.member')
    .whereRef('state_key', '=', 'moved.user_id')
    .where('events.stream_ordering', '<=', place)
    .orderBy('events.stream_ordering', 'desc')
    .limit(1);

type MovedRow = { room_id: string; user_id: string; membership: string; before: string | null };

const asMove = (row: MovedRow): Move => ({
  roomId: row.room_id,
  userId: row.user_id,
  now: row.membership,
  before: row.before === null ? 'leave' : String(readJson(row.before).content.membership),
});

/** The rooms of a user in which encryption was switched on, or changed. */
export async function listEncryptedSince(db: Database, { userId, after, upTo }: Interval): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships as mine')
    .innerJoin('current_state', 'current_state.room_id', 'mine.room_id')
    .innerJoin('events', 'events.event_id', 'current_state.event_id')
    .select('mine.room_id')
    .where('mine.user_id', '=', userId)
    .where('mine.membership', '=', 'join')
    .where('current_state.type', '=', 'm.room.encryption')
    .where('current_state.state_key', '=', '')
    .where('events.stream_ordering', '>', after.events)
    .where('events.stream_ordering', '<=', upTo.events)
    .execute();
  return rows.map((row) => row.room_id);
}

/** Everyone who is in one of these rooms, or invited. */
export async function listMembersOf(db: Database, roomIds: readonly string[]): Promise<Set<string>> {
  const members = new Set<string>();
  for (const chunk of chunks(roomIds, 500)) {
    const rows = await db
      .selectFrom('memberships')
      .select('user_id')
      .distinct()
      .where('room_id', 'in', chunk)
      .where('membership', 'in', inOrInvited)
      .execute();
    for (const { user_id } of rows) members.add(user_id);
  }
  return members;
}

/** Those of these users who share an encrypted room with a user. */
export async function listSharing(
  db: Database,
  userId: string,
  others: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships as theirs')
    .innerJoin('memberships as mine', 'mine.room_id', 'theirs.room_id')
    .innerJoin('rooms', 'rooms.room_id', 'theirs.room_id')
    .select('theirs.user_id')
    .distinct()
    .where('theirs.user_id', 'in', others)
    .where('theirs.membership', 'in', inOrInvited)
    .where('mine.user_id', '=', userId)
    .where('mine.membership', '=', 'join')
    .where('rooms.encryption', 'is not', null)
    .execute();
  return rows.map((row) => row.user_id);
}
