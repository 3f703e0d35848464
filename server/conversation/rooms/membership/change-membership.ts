/** Changes memberships within a transaction. Client-server API, "Room membership". */
import type { JsonObject } from '../../../../shared/api/common.ts';
import { findUser, findUsers, lockActiveUser, type User } from '../../../identity/accounts/user-store.ts';
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
  target: string;
  /** The profile is added unless the content sets it. */
  content: JsonObject & { membership: string };
  /** `origin_server_ts`, in milliseconds since the Unix epoch; the current time by default. */
  time?: number | undefined;
};

/**
 * Changes a user's membership and returns the event ID. Joining an upgraded room copies the user's tags and push rules from
 * the old one.
 *
 * @throws MatrixError 403 if the room doesn't allow it, or a deactivated user would join; 404 for joining or knocking on a
 *   room without members
 */
export async function changeMembership(
  tx: Tx,
  context: RoomContext,
  { roomId, sender, target, content, time }: MembershipChange,
): Promise<string> {
  // Only the server sets these.
  const { join_authorised_via_users_server: _, kind: __, ...claims } = content;
  const { membership } = content;
  requireUserId(target);
  const isOwnArrival = membership === 'join' || membership === 'knock';
  const isArrival = isOwnArrival || membership === 'invite';
  if (membership === 'invite') requireLocalInvitee(target, context.config.serverName);
  const own = await (isOwnArrival ? ownArrivalContent : memberContent)(tx, target, membership);
  if (isArrival) await requireOpen(tx, roomId, withoutMembers[membership]);
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

/** Refusals for rooms without members, by membership. For invitations, the authorization rules decide. */
const withoutMembers: Record<string, string | undefined> = {
  join: "Can't join remote room because no servers that are in the room have been provided.",
  knock: 'No known servers',
};

/** @throws MatrixError 403 if guests may not join */
async function requireGuestAccess(db: Database, roomId: string): Promise<void> {
  const [access] = await findState(db, roomId, [['m.room.guest_access', '']]);
  if (access?.redactedBy !== null || access.pdu.content.guest_access !== 'can_join') {
    throw forbidden('Guest access not allowed');
  }
}

export type Reason = {
  reason?: string;
  /** Further keys of the member event. */
  extra?: JsonObject;
};

export const withReason = ({ reason, extra }: Reason, membership: string) => ({
  ...extra,
  membership,
  ...(reason !== undefined && { reason }),
});

/** A change of the user's own membership, for `changeMembership`. */
export const ownChange = (
  roomId: string,
  userId: string,
  membership: 'join' | 'knock' | 'leave',
  reason: Reason = {},
): MembershipChange => ({
  roomId,
  sender: userId,
  target: userId,
  content: withReason(reason, membership),
});

/**
 * Locks the room, so that it can't be blocked or shut down until the transaction ends.
 *
 * @param refusal error message if the room has no members
 * @throws MatrixError 403 for a blocked room; 404 without members
 */
async function requireOpen(tx: Tx, roomId: string, refusal: string | undefined): Promise<void> {
  const room = await lockRoom(tx, roomId);
  if (await isRoomBlocked(tx, roomId)) {
    throw new MatrixError(403, 'M_UNKNOWN', 'This room has been blocked on this server');
  }
  if (refusal !== undefined && !room?.joinedMembers) throw unknownRoom(refusal);
}

/** Leaves a room. @throws MatrixError 403 if the user isn't in it; 404 for an unknown room */
export async function appendLeave(
  tx: Tx,
  context: RoomContext,
  roomId: string,
  userId: string,
  reason: Reason = {},
): Promise<void> {
  if (!(await findRoom(tx, roomId))) throw unknownRoom('Not a known room');
  await changeMembership(tx, context, ownChange(roomId, userId, 'leave', reason));
}

/**
 * Returns the `join_authorised_via_users_server` of a restricted join: a member who may invite, if the user needs one and is
 * in an allowed room.
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

  if (!(await findJoinedRoomAmong(db, userId, allowedRoomsIn(rules)))) return undefined;
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

const maximumAllowedRooms = 500;

/** Returns the rooms whose members may join, from the content of restricted join rules. */
export function allowedRoomsIn({ allow }: JsonObject): string[] {
  const roomIds = (Array.isArray(allow) ? (allow as unknown[]) : []).flatMap((rule) => {
    const { type, room_id } = (rule ?? {}) as JsonObject;
    return type === 'm.room_membership' && typeof room_id === 'string' ? [room_id] : [];
  });
  return roomIds.slice(0, maximumAllowedRooms);
}

const unknownRoom = (sentence: string) => new MatrixError(404, 'M_UNKNOWN', sentence);

/** Returns the content of a member event, with the user's profile unless the user leaves. */
export async function memberContent(db: Database, userId: string, membership: string): Promise<JsonObject> {
  if (membership === 'leave' || membership === 'ban') return { membership };
  return arrivalOf(await findUser(db, userId), membership);
}

/**
 * Does the same for a user who joins or knocks. The lock makes a concurrent deactivation leave this room as well.
 *
 * @throws MatrixError 403 for a deactivated user
 */
const ownArrivalContent = async (tx: Tx, userId: string, membership: string): Promise<JsonObject> =>
  arrivalOf(await lockActiveUser(tx, userId), membership);

/** Returns the contents of invitations in the order of the users. */
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

/** Invitations never reach other servers. A local user needn't exist yet. @throws MatrixError 400 */
export function requireLocalInvitee(userId: string, serverName: string): void {
  if (serverOf(userId) !== serverName) {
    throw new MatrixError(400, 'M_UNKNOWN', `Can't connect to server ${serverOf(userId)}`);
  }
}
