/** What users ask for about who is in a room. Matrix specification, client-server API, "Room membership". */
import { requireUserId } from '../core/identifiers.ts';
import { forbidden, MatrixError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import type { RoomContext } from './append-events.ts';
import {
  because,
  changeMembership,
  enterRoom,
  exitRoom,
  knockOnRoom,
  type MembershipChange,
  type Reason,
} from './change-membership.ts';
import { findMembership, forgetMembership, type Membership } from './membership-store.ts';

type Context = RoomContext & { db: Database };

/** Joins a room. @throws MatrixError 403 where the user may not; 404 for an unknown room */
export async function joinRoom(
  context: Context,
  roomId: string,
  userId: string,
  reason: Reason,
): Promise<void> {
  await inTransaction(context.db, (tx) => enterRoom(tx, context, roomId, userId, reason));
}

/** Leaves a room, or refuses an invitation. @throws MatrixError 403 where the user is in no way in it; 404 for an unknown room */
export async function leaveRoom(
  context: Context,
  roomId: string,
  userId: string,
  reason: Reason,
): Promise<void> {
  await inTransaction(context.db, (tx) => exitRoom(tx, context, roomId, userId, reason));
}

/** Knocks on a room. @throws MatrixError 403 where the user may not; 404 for an unknown room */
export async function knock(context: Context, roomId: string, userId: string, reason: Reason): Promise<void> {
  await inTransaction(context.db, (tx) => knockOnRoom(tx, context, roomId, userId, reason));
}

/** Invites or bans. @throws MatrixError 403 where the room doesn't allow it */
export async function setMembership(context: Context, change: MembershipChange): Promise<void> {
  await inTransaction(context.db, (tx) => changeMembership(tx, context, change));
}

/** Removes a member, or takes back an invitation. @throws MatrixError 403 */
export async function kick(
  context: Context,
  change: Omit<MembershipChange, 'content'> & Reason,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await requireMember(tx, change);
    const current = await membershipOfTarget(tx, change);
    if (current?.membership === 'ban') throw badState('Cannot kick user who was banned');
    if (!current || current.membership === 'leave') throw forbidden('The target user is not in the room');
    await changeMembership(tx, context, { ...change, content: because(change, 'leave') });
  });
}

/** Lifts a ban. @throws MatrixError 403 */
export async function unban(
  context: Context,
  change: Omit<MembershipChange, 'content'> & Reason,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await requireMember(tx, change);
    const current = await membershipOfTarget(tx, change);
    // For whoever was never in the room it is written down that they are not, as at the reference homeserver.
    if (current && current.membership !== 'ban') {
      throw badState(`Cannot unban user who was not banned (membership=${current.membership})`);
    }
    await changeMembership(tx, context, { ...change, content: because(change, 'leave') });
  });
}

/** Hides a room from whoever left it. @throws MatrixError 400 while the user is in it */
export async function forgetRoom({ db }: { db: Database }, roomId: string, userId: string): Promise<void> {
  const current = await findMembership(db, roomId, userId);
  if (current?.membership === 'join' || current?.membership === 'invite') {
    throw new MatrixError(400, 'M_UNKNOWN', `User ${userId} in room ${roomId}`);
  }
  await forgetMembership(db, roomId, userId);
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

const badState = (sentence: string) => new MatrixError(403, 'M_BAD_STATE', sentence);
