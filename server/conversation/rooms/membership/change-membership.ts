/** Changing a membership in a transaction. Matrix specification, client-server API, "Room membership". */
import type { JsonObject } from '../../../../shared/api/common.ts';
import { findUser, findUsers, holdUser, type User } from '../../../identity/accounts/user-store.ts';
import { requireUserId, serverOf } from '../../../platform/core/identifiers.ts';
import { forbidden, MatrixError } from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { Tx } from '../../../platform/database/transaction.ts';
import { carryOver } from '../creation/carry-over.ts';
import { appendEvent, type RoomContext } from '../events/append-events.ts';
import { levelsOfRoom } from '../events/power-levels.ts';
import { findRoom, isRoomBlocked, lockRoom } from '../room-store.ts';
import { findState } from '../state/room-state-store.ts';
import { findJoinedRoomAmong, findMembership, listMembers } from './membership-store.ts';

export type MembershipChange = {
  roomId: string;
  sender: string;
  /** Whose membership changes. */
  target: string;
  /** With `membership`; a name and picture are added where it has none. */
  content: JsonObject & { membership: string };
  /** When it was, in milliseconds since the Unix epoch; now without it. */
  time?: number | undefined;
};

/**
 * Changes a user's membership and gives the member event. Whoever joins takes along what they had set for a room that
 * this one replaces.
 *
 * @throws MatrixError 403 where the room doesn't allow it, and for a deactivated user who comes; 404 for joining
 *   or knocking on a room that nobody is in
 */
export async function changeMembership(
  tx: Tx,
  context: RoomContext,
  { roomId, sender, target, content, time }: MembershipChange,
): Promise<string> {
  // In whose name someone joins, and who is a guest, is for the server to say: a client could say anything.
  const { join_authorised_via_users_server: _, kind: __, ...claims } = content;
  const { membership } = content;
  requireUserId(target);
  const isOwnArrival = membership === 'join' || membership === 'knock';
  const isArrival = isOwnArrival || membership === 'invite';
  if (membership === 'invite') requireLocalUser(target, context.config.serverName);
  const own = await (isOwnArrival ? ownArrivalContent : memberContent)(tx, target, membership);
  if (isArrival) await requireOpen(tx, roomId, nobodyThere[membership]);
  if (membership === 'join' && own.kind === 'guest') await requireGuestAccess(tx, roomId);
  const isNew = membership === 'join' && (await findMembership(tx, roomId, target))?.membership !== 'join';
  const authority = membership === 'join' ? await findAuthority(tx, roomId, target) : undefined;
  const eventId = await appendEvent(tx, context, roomId, {
    type: 'm.room.member',
    stateKey: target,
    sender,
    time,
    content: {
      ...own,
      ...claims,
      ...(authority && { join_authorised_via_users_server: authority }),
    },
  });
  if (isNew) await carryOver(tx, context.notifier, target, roomId);
  return eventId;
}

/**
 * What who wants to come into a room is told where nobody is left to let anyone in, and no other server can be asked; for
 * an invitation its rules decide.
 */
const nobodyThere: Record<string, string | undefined> = {
  join: "Can't join remote room because no servers that are in the room have been provided.",
  knock: 'No known servers',
};

/** @throws MatrixError 403 where the room is not for guests */
async function requireGuestAccess(db: Database, roomId: string): Promise<void> {
  const [access] = await findState(db, roomId, [['m.room.guest_access', '']]);
  if (access?.redactedBy !== null || access.pdu.content.guest_access !== 'can_join') {
    throw forbidden('Guest access not allowed');
  }
}

/** Why someone comes or goes, and what else their client says with it. */
export type Reason = { reason?: string; extra?: JsonObject };

/** The content of a member event, with the reason where one is given. */
export const because = ({ reason, extra }: Reason, membership: string) => ({
  ...extra,
  membership,
  ...(reason !== undefined && { reason }),
});

/** Makes a user join a room. @throws MatrixError 403 where the user may not; 404 for an unknown room */
export async function enterRoom(
  tx: Tx,
  context: RoomContext,
  roomId: string,
  userId: string,
  reason: Reason = {},
): Promise<void> {
  const content = because(reason, 'join');
  await changeMembership(tx, context, { roomId, sender: userId, target: userId, content });
}

/** Asks to be let into a room. @throws MatrixError 403 where nobody may ask that; 404 for an unknown room */
export async function knockOnRoom(
  tx: Tx,
  context: RoomContext,
  roomId: string,
  userId: string,
  reason: Reason = {},
): Promise<void> {
  const content = because(reason, 'knock');
  await changeMembership(tx, context, { roomId, sender: userId, target: userId, content });
}

/**
 * Locks a room that somebody is to come into: whoever closes it has done so before, or finds them there.
 *
 * @param ifNobodyIsThere said where nobody is in the room
 * @throws MatrixError 403 for a blocked room, 404 with that sentence
 */
async function requireOpen(tx: Tx, roomId: string, ifNobodyIsThere: string | undefined): Promise<void> {
  const room = await lockRoom(tx, roomId);
  if (await isRoomBlocked(tx, roomId)) {
    throw new MatrixError(403, 'M_UNKNOWN', 'This room has been blocked on this server');
  }
  if (ifNobodyIsThere !== undefined && !room?.joinedMembers) throw unknownRoom(ifNobodyIsThere);
}

/** Makes a user leave a room. @throws MatrixError 403 where the user is not in it; 404 for an unknown room */
export async function exitRoom(
  tx: Tx,
  context: RoomContext,
  roomId: string,
  userId: string,
  reason: Reason = {},
): Promise<void> {
  if (!(await findRoom(tx, roomId))) throw unknownRoom('Not a known room');
  const content = because(reason, 'leave');
  await changeMembership(tx, context, { roomId, sender: userId, target: userId, content });
}

/**
 * In a room for members of other rooms: the member in whose name this server lets the user join, if the
 * user is in one of those and not invited anyway.
 */
async function findAuthority(db: Database, roomId: string, userId: string): Promise<string | undefined> {
  const state = await findState(db, roomId, [
    ['m.room.create', ''],
    ['m.room.join_rules', ''],
    ['m.room.power_levels', ''],
    ['m.room.member', userId],
  ]);
  const contentOf = (type: string) => state.find(({ pdu }) => pdu.type === type)?.pdu.content;
  const rules = contentOf('m.room.join_rules');
  if (rules?.join_rule !== 'restricted' && rules?.join_rule !== 'knock_restricted') return undefined;
  const membership = contentOf('m.room.member')?.membership;
  if (membership === 'invite' || membership === 'join') return undefined;

  const allow = Array.isArray(rules.allow) ? (rules.allow as unknown[]) : [];
  const roomIds = allow.flatMap((rule) => {
    const { type, room_id } = (rule ?? {}) as JsonObject;
    return type === 'm.room_membership' && typeof room_id === 'string' ? [room_id] : [];
  });
  if (!(await findJoinedRoomAmong(db, userId, roomIds.slice(0, 500)))) return undefined;
  const create = state.find(({ pdu }) => pdu.type === 'm.room.create')?.pdu;
  if (!create) return undefined;
  const levels = levelsOfRoom(create, contentOf('m.room.power_levels'));
  for (let after = ''; ; ) {
    const members = await listMembers(db, roomId, ['join'], { after, limit: 500 });
    const authority = members.find((member) => levels.ofUser(member) >= levels.to('invite'));
    const last = members.at(-1);
    if (authority || last === undefined) return authority;
    after = last;
  }
}

const unknownRoom = (sentence: string) => new MatrixError(404, 'M_UNKNOWN', sentence);

/** What a membership event says about its user. */

/** The content of a membership, with the user's name and picture where others are to recognize them. */
export async function memberContent(db: Database, userId: string, membership: string): Promise<JsonObject> {
  if (membership === 'leave' || membership === 'ban') return { membership };
  return arrivalOf(await findUser(db, userId), membership);
}

/**
 * The same for who comes into a room, or knocks on it: a deactivated user doesn't, and one whose account ends at this
 * moment leaves with all others.
 *
 * @throws MatrixError 403
 */
const ownArrivalContent = async (tx: Tx, userId: string, membership: string): Promise<JsonObject> =>
  arrivalOf(await holdUser(tx, userId), membership);

/** The contents of invitations for many, in their order. */
export async function invitationContents(db: Database, userIds: readonly string[]): Promise<JsonObject[]> {
  const users = await findUsers(db, userIds);
  return userIds.map((userId) => arrivalOf(users.get(userId), 'invite'));
}

const arrivalOf = (user: User | undefined, membership: string): JsonObject => ({
  membership,
  ...(user?.displayName && { displayname: user.displayName }),
  ...(user?.avatarUrl && { avatar_url: user.avatarUrl }),
  ...(user?.guest && { kind: 'guest' }),
});

/**
 * Refuses users of other servers: an invitation would never reach them. A local user need not exist yet.
 *
 * @throws MatrixError 400
 */
export function requireLocalUser(userId: string, serverName: string): void {
  if (serverOf(userId) !== serverName) {
    throw new MatrixError(400, 'M_UNKNOWN', `Can't connect to server ${serverOf(userId)}`);
  }
}
