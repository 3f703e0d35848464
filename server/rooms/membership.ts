/** Joining, leaving, inviting, removing. Matrix specification, client-server API, "Room membership". */

import type { JsonObject } from '../../shared/api/common.ts';
import { isRoomAlias, isRoomId, requireUserId } from '../core/identifiers.ts';
import { forbidden, MatrixError, notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';
import { findRoomByAlias } from './alias-store.ts';
import { appendEvent, type RoomContext } from './append-events.ts';
import { memberContent, requireLocalUser } from './member-content.ts';
import {
  findJoinedRoomAmong,
  findMembership,
  forgetMembership,
  listMembers,
  type Membership,
} from './membership-store.ts';
import { powerLevels } from './power-levels.ts';
import { isRoomBlocked } from './room-block-store.ts';
import { findState } from './room-state-store.ts';
import { findRoom } from './room-store.ts';

export type MembershipChange = {
  roomId: string;
  sender: string;
  /** Whose membership changes. */
  target: string;
  /** With `membership`; a name and picture are added where it has none. */
  content: JsonObject & { membership: string };
};

/**
 * Changes a user's membership and gives the member event.
 *
 * @throws MatrixError 403 where the room doesn't allow it; 404 for joining or leaving no known room
 */
export async function changeMembership(
  tx: Tx,
  services: RoomContext,
  { roomId, sender, target, content }: MembershipChange,
): Promise<string> {
  // In whose name someone joins is for the server to say: a client could name anyone.
  const { join_authorised_via_users_server: _, ...claims } = content;
  const { membership } = content;
  requireUserId(target);
  const isArrival = membership === 'join' || membership === 'invite' || membership === 'knock';
  if (isArrival && (await isRoomBlocked(tx, roomId))) {
    throw new MatrixError(403, 'M_UNKNOWN', 'This room has been blocked on this server');
  }
  if (membership === 'invite') requireLocalUser(target, services.config.serverName);
  const authority = membership === 'join' ? await findAuthority(tx, roomId, target) : undefined;
  return appendEvent(tx, services, roomId, {
    type: 'm.room.member',
    stateKey: target,
    sender,
    content: {
      ...(await memberContent(tx, target, membership)),
      ...claims,
      ...(authority && { join_authorised_via_users_server: authority }),
    },
  });
}

type Reason = { reason?: string };

/** @throws MatrixError 403 where the user may not join; 404 for an unknown room */
export async function joinRoom(
  tx: Tx,
  services: RoomContext,
  roomId: string,
  userId: string,
  reason: Reason,
): Promise<void> {
  const room = await findRoom(tx, roomId);
  // Nobody is left to let anyone in, and no other server can be asked.
  if ((!room || room.joinedMembers === 0) && !(await isRoomBlocked(tx, roomId))) {
    throw unknownRoom("Can't join remote room because no servers that are in the room have been provided.");
  }
  const content = { membership: 'join', ...reason };
  await changeMembership(tx, services, { roomId, sender: userId, target: userId, content });
}

/** @throws MatrixError 403 where the user is not in the room; 404 for an unknown room */
export async function leaveRoom(
  tx: Tx,
  services: RoomContext,
  roomId: string,
  userId: string,
  reason: Reason,
): Promise<void> {
  if (!(await findRoom(tx, roomId))) throw unknownRoom('Not a known room');
  const content = { membership: 'leave', ...reason };
  await changeMembership(tx, services, { roomId, sender: userId, target: userId, content });
}

/** Removes a member, or takes back an invitation. @throws MatrixError 403 */
export async function kick(
  tx: Tx,
  services: RoomContext,
  change: Omit<MembershipChange, 'content'> & Reason,
): Promise<void> {
  await requireMember(tx, change);
  const current = await membershipOfTarget(tx, change);
  if (current?.membership === 'ban') throw badState('Cannot kick user who was banned');
  if (!current || current.membership === 'leave') throw forbidden('The target user is not in the room');
  const content = { membership: 'leave', ...(change.reason !== undefined && { reason: change.reason }) };
  await changeMembership(tx, services, { ...change, content });
}

/** Lifts a ban. @throws MatrixError 403 */
export async function unban(
  tx: Tx,
  services: RoomContext,
  change: Omit<MembershipChange, 'content'> & Reason,
): Promise<void> {
  await requireMember(tx, change);
  const current = await membershipOfTarget(tx, change);
  if (current?.membership !== 'ban') {
    const membership = current?.membership ?? 'leave';
    throw badState(`Cannot unban user who was not banned (membership=${membership})`);
  }
  const content = { membership: 'leave', ...(change.reason !== undefined && { reason: change.reason }) };
  await changeMembership(tx, services, { ...change, content });
}

/** Hides a room from whoever left it. @throws MatrixError 400 while the user is in it */
export async function forgetRoom(db: Database, roomId: string, userId: string): Promise<void> {
  const current = await findMembership(db, roomId, userId);
  if (current?.membership === 'join' || current?.membership === 'invite') {
    throw new MatrixError(400, 'M_UNKNOWN', `User ${userId} in room ${roomId}`);
  }
  await forgetMembership(db, roomId, userId);
}

/** The room that an identifier or an alias means. @throws MatrixError 400, 404 */
export async function resolveRoom(db: Database, roomIdOrAlias: string): Promise<string> {
  if (isRoomId(roomIdOrAlias)) return roomIdOrAlias;
  if (!isRoomAlias(roomIdOrAlias)) {
    throw new MatrixError(400, 'M_UNKNOWN', `${roomIdOrAlias} was not legal room ID or room alias`);
  }
  const roomId = await findRoomByAlias(db, roomIdOrAlias);
  if (!roomId) throw notFound(`Room alias ${roomIdOrAlias} not found`);
  return roomId;
}

const membershipOfTarget = (
  db: Database,
  { roomId, target }: { roomId: string; target: string },
): Promise<Membership | undefined> => findMembership(db, roomId, requireUserId(target));

async function requireMember(
  db: Database,
  { roomId, sender }: { roomId: string; sender: string },
): Promise<void> {
  const own = await findMembership(db, roomId, sender);
  if (own?.membership !== 'join') throw forbidden(`${sender} not in room ${roomId}.`);
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
  const creator = state.find(({ pdu }) => pdu.type === 'm.room.create')?.pdu.sender ?? '';
  const levels = powerLevels(contentOf('m.room.power_levels'), creator);
  for (let after = ''; ; ) {
    const members = await listMembers(db, roomId, ['join'], { after, limit: 500 });
    const authority = members.find((member) => levels.ofUser(member) >= levels.to('invite'));
    const last = members.at(-1);
    if (authority || last === undefined) return authority;
    after = last;
  }
}

const unknownRoom = (sentence: string) => new MatrixError(404, 'M_UNKNOWN', sentence);
const badState = (sentence: string) => new MatrixError(403, 'M_BAD_STATE', sentence);
