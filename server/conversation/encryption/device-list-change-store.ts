/** Changes of devices, and of memberships in encrypted rooms. */
import type { ExpressionBuilder } from 'kysely';
import { readJson } from '../../../shared/read-json.ts';
import { chunks } from '../../platform/concurrency/yield.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { Database, Schema } from '../../platform/database/schema.ts';

/** After the first positions, up to the second. */
export type Interval = { userId: string; after: StreamPositions; upTo: StreamPositions };

/** A user's membership in an encrypted room before the interval, and now. */
export type MembershipChange = { roomId: string; userId: string; before: string; now: string };

const joinedOrInvited = ['join', 'invite'];

/** Users with changed devices: the user, and those who share an encrypted room with the user. */
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
            .where('theirs.membership', 'in', joinedOrInvited)
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

/** In encrypted rooms that the user has joined. */
export async function listMembershipChangesOfOthers(
  db: Database,
  interval: Interval,
): Promise<MembershipChange[]> {
  const rows = await changedMemberships(db, interval)
    .innerJoin('memberships as mine', 'mine.room_id', 'moved.room_id')
    .where('mine.user_id', '=', interval.userId)
    .where('mine.membership', '=', 'join')
    .where('moved.user_id', '!=', interval.userId)
    .execute();
  return rows.map(asMembershipChange);
}

export async function listOwnMembershipChanges(
  db: Database,
  interval: Interval,
): Promise<MembershipChange[]> {
  const rows = await changedMemberships(db, interval).where('moved.user_id', '=', interval.userId).execute();
  return rows.map(asMembershipChange);
}

const changedMemberships = (db: Database, { after, upTo }: Interval) =>
  db
    .selectFrom('memberships as moved')
    .innerJoin('rooms', 'rooms.room_id', 'moved.room_id')
    .where('rooms.encryption', 'is not', null)
    // All memberships: lets an index on room, membership and position apply.
    .where('moved.membership', 'in', ['join', 'invite', 'leave', 'ban', 'knock'])
    .where('moved.stream_ordering', '>', after.events)
    .where('moved.stream_ordering', '<=', upTo.events)
    .select((eb) => [
      'moved.room_id',
      'moved.user_id',
      'moved.membership',
      before(eb, after.events).as('before'),
    ]);

const before = (
  eb: ExpressionBuilder<Schema & { moved: Schema['memberships'] }, 'moved'>,
  position: number,
) =>
  eb
    .selectFrom('events')
    .select('json')
    .whereRef('events.room_id', '=', 'moved.room_id')
    .where('type', '=', 'm.room.member')
    .whereRef('state_key', '=', 'moved.user_id')
    .where('events.stream_ordering', '<=', position)
    .orderBy('events.stream_ordering', 'desc')
    .limit(1);

type MembershipChangeRow = { room_id: string; user_id: string; membership: string; before: string | null };

const asMembershipChange = (row: MembershipChangeRow): MembershipChange => ({
  roomId: row.room_id,
  userId: row.user_id,
  now: row.membership,
  before: row.before === null ? 'leave' : String(readJson(row.before).content.membership),
});

/** Joined rooms in which encryption was enabled, or its settings changed. */
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

/** Joined and invited members. */
export async function listMembersOf(db: Database, roomIds: readonly string[]): Promise<Set<string>> {
  const members = new Set<string>();
  for (const chunk of chunks(roomIds, 500)) {
    const rows = await db
      .selectFrom('memberships')
      .select('user_id')
      .distinct()
      .where('room_id', 'in', chunk)
      .where('membership', 'in', joinedOrInvited)
      .execute();
    for (const { user_id } of rows) members.add(user_id);
  }
  return members;
}

/** Returns those of the users who share an encrypted room with the user. */
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
    .where('theirs.membership', 'in', joinedOrInvited)
    .where('mine.user_id', '=', userId)
    .where('mine.membership', '=', 'join')
    .where('rooms.encryption', 'is not', null)
    .execute();
  return rows.map((row) => row.user_id);
}
