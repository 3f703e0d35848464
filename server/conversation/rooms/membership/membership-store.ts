/** Memberships of users in rooms. */
import { builtOnce } from '../../../platform/database/query/built-once.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { Tx } from '../../../platform/database/transaction.ts';

export type Membership = {
  membership: string;
  /** Stream position of the member event. */
  streamOrdering: number;
  forgotten: boolean;
};

export async function findMembership(
  db: Database,
  roomId: string,
  userId: string,
): Promise<Membership | undefined> {
  const {
    rows: [row],
  } = await selectMembership(db, { roomId, userId });
  return (
    row && {
      membership: row.membership,
      streamOrdering: row.stream_ordering,
      forgotten: row.forgotten === 1,
    }
  );
}

const selectMembership = builtOnce((db, { roomId, userId }: { roomId: string; userId: string }) =>
  db
    .selectFrom('memberships')
    .select(['membership', 'stream_ordering', 'forgotten'])
    .where('room_id', '=', roomId)
    .where('user_id', '=', userId),
);

type NewMembership = Pick<Membership, 'membership' | 'streamOrdering'> & { userId: string };

/** Sets the memberships of distinct users, which are no longer forgotten. */
export async function setMemberships(
  tx: Tx,
  roomId: string,
  memberships: readonly NewMembership[],
): Promise<void> {
  await tx
    .insertInto('memberships')
    .values(
      memberships.map(({ userId, membership, streamOrdering }) => ({
        room_id: roomId,
        user_id: userId,
        membership,
        stream_ordering: streamOrdering,
        forgotten: 0,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['room_id', 'user_id']).doUpdateSet((eb) => ({
        membership: eb.ref('excluded.membership'),
        stream_ordering: eb.ref('excluded.stream_ordering'),
        forgotten: 0,
      })),
    )
    .execute();
}

export async function forgetMembership(db: Database, roomId: string, userId: string): Promise<void> {
  await db
    .updateTable('memberships')
    .set({ forgotten: 1 })
    .where('room_id', '=', roomId)
    .where('user_id', '=', userId)
    .execute();
}

export async function listJoinedGuests(db: Database, roomId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.user_id', 'memberships.user_id')
    .select('users.user_id')
    .where('memberships.room_id', '=', roomId)
    .where('membership', '=', 'join')
    .where('is_guest', '=', 1)
    .limit(limit)
    .execute();
  return rows.map((row) => row.user_id);
}

export async function listJoinedRooms(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .select('room_id')
    .where('user_id', '=', userId)
    .where('membership', '=', 'join')
    .execute();
  return rows.map((row) => row.room_id);
}

/** Returns a page of the rooms that both users are in, by ID, after one of them. */
export async function listMutualRooms(
  db: Database,
  [one, other]: readonly [string, string],
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await mutualRooms(db, one, other)
    .select('own.room_id')
    .where('own.room_id', '>', after)
    .orderBy('own.room_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.room_id);
}

export async function countMutualRooms(db: Database, one: string, other: string): Promise<number> {
  const { total } = await mutualRooms(db, one, other)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

const mutualRooms = (db: Database, one: string, other: string) =>
  db
    .selectFrom('memberships as own')
    .innerJoin('memberships as theirs', 'theirs.room_id', 'own.room_id')
    .where('own.user_id', '=', one)
    .where('theirs.user_id', '=', other)
    .where('own.membership', '=', 'join')
    .where('theirs.membership', '=', 'join');

/** Returns a page of the users with one of these memberships, by ID, after one of them. */
export async function listMembers(
  db: Database,
  roomId: string,
  memberships: string[],
  { after = '', limit }: { after?: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .select('user_id')
    .where('room_id', '=', roomId)
    .where('membership', 'in', memberships)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.user_id);
}

/** Returns a page of all memberships in a room, by user ID, after one of them. */
export async function listMemberships(
  db: Database,
  roomId: string,
  { after, limit }: { after: string; limit: number },
): Promise<NewMembership[]> {
  const rows = await db
    .selectFrom('memberships')
    .select(['user_id', 'membership', 'stream_ordering'])
    .where('room_id', '=', roomId)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute();
  return rows.map(({ user_id: userId, membership, stream_ordering: streamOrdering }) => ({
    ...{ userId, membership, streamOrdering },
  }));
}

/** Returns one of these rooms that the user has joined. */
export async function findJoinedRoomAmong(
  db: Database,
  userId: string,
  roomIds: string[],
): Promise<string | undefined> {
  if (roomIds.length === 0) return undefined;
  const row = await db
    .selectFrom('memberships')
    .select('room_id')
    .where('user_id', '=', userId)
    .where('membership', '=', 'join')
    .where('room_id', 'in', roomIds)
    .limit(1)
    .executeTakeFirst();
  return row?.room_id;
}

/** Returns the user IDs of all joined members, sorted. */
export async function listJoinedMembers(db: Database, roomId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .select('user_id')
    .where('room_id', '=', roomId)
    .where('membership', '=', 'join')
    .orderBy('user_id')
    .execute();
  return rows.map((row) => row.user_id);
}

export async function countJoined(db: Database, roomId: string): Promise<number> {
  const row = await db
    .selectFrom('memberships')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('room_id', '=', roomId)
    .where('membership', '=', 'join')
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

export async function countInvitations(db: Database, userId: string): Promise<number> {
  const row = await db
    .selectFrom('memberships')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('user_id', '=', userId)
    .where('membership', '=', 'invite')
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

type RoomsOfUser = {
  memberships: string[];
  /** Room ID. */
  after: string;
  limit: number;
};

/** Returns a page of the rooms in which the user has one of these memberships, by ID. */
export async function listRoomsOfUser(
  db: Database,
  userId: string,
  { memberships, after, limit }: RoomsOfUser,
): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .select('room_id')
    .where('user_id', '=', userId)
    .where('membership', 'in', memberships)
    .where('room_id', '>', after)
    .orderBy('room_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.room_id);
}
