/** The rooms of a user, with the properties that sliding sync filters and sorts by. MSC4186. */
import { ignoredUsers } from '../../identity/account-data/account-data.ts';
import type { Database } from '../../platform/database/schema.ts';
import { endOfStay } from '../rooms/membership/stay-store.ts';
import { listMembershipsAt, listOwnHistory, type OwnMembership } from '../sync/membership-changes-store.ts';
import { listStateEntries } from '../sync/room-events-store.ts';
import { asItWas } from '../sync/room-state.ts';
import type { Span } from '../sync/updated-rooms.ts';
import { type BumpStamps, type ListedRoom, listRooms, readBumpStamps } from './sliding-list-store.ts';

/** Client-server API, "Ignoring Users". */
async function withoutIgnoredInvitations<Own extends OwnMembership>(
  db: Database,
  userId: string,
  memberships: Own[],
  upTo: number,
): Promise<Own[]> {
  const invited = memberships.filter(({ membership }) => membership === 'invite');
  const ignored = invited.length > 0 ? await ignoredUsers(db, userId) : new Set();
  if (ignored.size === 0) return memberships;
  const roomIds = invited.map(({ roomId }) => roomId);
  const histories = await listOwnHistory(db, userId, roomIds, upTo);
  const unwanted = new Set(roomIds.filter((roomId) => ignored.has(histories.get(roomId)?.at(-1)?.sender)));
  return memberships.filter(({ roomId }) => !unwanted.has(roomId));
}

export type OwnRoom = ListedRoom & {
  roomId: string;
  membership: string;
  /** Position of the user's last member event. */
  ownPosition: number;
  /** Whether the membership has changed since this position. */
  hasChanged?: true;
  /** Position at which the user last left, or 0 if they never joined; undefined unless they left or are banned. */
  left?: number;
  bumpStamp: number;
};

/**
 * Returns the rooms of a user as of a position: joined, invited and knocked ones, those that the user was removed from, and
 * those left or forgotten since `after`.
 */
export async function readOwnRooms(
  context: { db: Database; bumpStamps: BumpStamps },
  userId: string,
  { after = Number.POSITIVE_INFINITY, upTo }: Partial<Span> & Pick<Span, 'upTo'>,
): Promise<Map<string, OwnRoom>> {
  const { db } = context;
  const then = await listMembershipsAt(db, userId, upTo);
  const memberships = await withoutIgnoredInvitations(db, userId, then, upTo);
  const left = memberships.filter(({ membership }) => isLeft(membership));
  const histories = await listOwnHistory(
    db,
    userId,
    left.filter(({ forgotten }) => !forgotten).map(({ roomId }) => roomId),
    upTo,
  );
  const isListed = ({ roomId, membership, position, forgotten }: OwnMembership) => {
    if (!isLeft(membership) || position > after) return true;
    const isOwnLeave = membership === 'leave' && histories.get(roomId)?.at(-1)?.sender === userId;
    return !forgotten && !isOwnLeave;
  };
  const shown = memberships.filter(isListed);
  const endOf = ({ roomId }: OwnMembership) => endOfStay(histories.get(roomId) ?? []) ?? 0;
  const listed = await listRooms(
    db,
    shown.map(({ roomId }) => roomId),
  );
  const stamps = await readBumpStamps(context, listed);
  const ends = new Map(shown.filter((own) => isLeft(own.membership)).map((own) => [own.roomId, endOf(own)]));
  for (const [roomId, room] of await listRoomsAtEnd(db, ends))
    if (listed.has(roomId)) listed.set(roomId, room);
  return new Map(
    shown.flatMap(({ roomId, membership, position, hasChanged }) => {
      const room = listed.get(roomId);
      if (!room) return [];
      // Activity in rooms that the user isn't in is private.
      const bumpStamp = membership === 'join' ? (stamps.get(roomId) ?? 0) : position;
      const own = {
        ...room,
        roomId,
        membership,
        ownPosition: position,
        bumpStamp,
        ...(hasChanged && { hasChanged }),
      };
      const end = ends.get(roomId);
      return [[roomId, end === undefined ? own : { ...own, left: end }] as const];
    }),
  );
}

const isLeft = (membership: string) => membership === 'leave' || membership === 'ban';

/** Returns left rooms as they were when the user left: their current name is private. */
async function listRoomsAtEnd(
  db: Database,
  ends: ReadonlyMap<string, number>,
): Promise<Map<string, ListedRoom>> {
  const named = [...ends.keys()].flatMap((roomId) =>
    [...shownAtEnd.keys()].map((type) => ({ roomId, type, stateKey: '' })),
  );
  const rooms = new Map([...ends].map(([roomId, end]) => [roomId, { ...unknownRoom, newest: end }]));
  const state = named.length === 0 ? [] : await listStateEntries(db, named);
  for (const { pdu } of await asItWas(db, state, (roomId) => ends.get(roomId) ?? 0)) {
    const [name, key] = shownAtEnd.get(pdu.type) ?? [];
    const room = rooms.get(pdu.room_id);
    const value = key === undefined ? undefined : pdu.content[key];
    if (room && name && typeof value === 'string') room[name] = value;
  }
  return rooms;
}

const unknownRoom: ListedRoom = {
  name: null,
  canonicalAlias: null,
  avatar: null,
  encryption: null,
  roomType: null,
  newest: 0,
};

/** By event type: the property of a listed room, and the key in the event's content. */
const shownAtEnd = new Map<string, [Exclude<keyof ListedRoom, 'newest'>, string]>([
  ['m.room.name', ['name', 'name']],
  ['m.room.avatar', ['avatar', 'url']],
  ['m.room.encryption', ['encryption', 'algorithm']],
  ['m.room.create', ['roomType', 'type']],
]);
