/** Membership changes by clients. Client-server API, "Room membership". */
import type { CreateRoomRequest } from '../../../../shared/api/rooms.ts';
import { requireUserId } from '../../../platform/core/identifiers.ts';
import { forbidden, MatrixError } from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Call, Limit } from '../../../platform/http/policy.ts';
import type { RoomContext } from '../events/append-events.ts';
import {
  appendLeave,
  changeMembership,
  type MembershipChange,
  type Reason,
  withReason,
} from './change-membership.ts';
import { findMembership, forgetMembership, type Membership } from './membership-store.ts';

type Context = RoomContext & { db: Database };

/** Leaves a room or rejects an invitation. @throws MatrixError 403 without either; 404 for an unknown room */
export async function leaveRoom(
  context: Context,
  roomId: string,
  userId: string,
  reason: Reason,
): Promise<void> {
  await inTransaction(context.db, (tx) => appendLeave(tx, context, roomId, userId, reason));
}

/** Joins, knocks, invites or bans. @throws MatrixError 403 if the room doesn't allow it; 404 for an unknown room */
export async function setMembership(context: Context, change: MembershipChange): Promise<void> {
  await inTransaction(context.db, (tx) => changeMembership(tx, context, change));
}

/** Kicks a member or withdraws an invitation. @throws MatrixError 403 */
export async function kick(
  context: Context,
  change: Omit<MembershipChange, 'content'> & Reason,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await requireMember(tx, change);
    const current = await membershipOfTarget(tx, change);
    if (current?.membership === 'ban') throw badState('Cannot kick user who was banned');
    if (!current || current.membership === 'leave') throw forbidden('The target user is not in the room');
    await changeMembership(tx, context, { ...change, content: withReason(change, 'leave') });
  });
}

/** @throws MatrixError 403 */
export async function unban(
  context: Context,
  change: Omit<MembershipChange, 'content'> & Reason,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await requireMember(tx, change);
    const current = await membershipOfTarget(tx, change);
    // Like Synapse, write a `leave` for a user who was never in the room.
    if (current && current.membership !== 'ban') {
      throw badState(`Cannot unban user who was not banned (membership=${current.membership})`);
    }
    await changeMembership(tx, context, { ...change, content: withReason(change, 'leave') });
  });
}

/** @throws MatrixError 400 while the user is joined or invited */
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

/** Rate limits of invitations, by sender, room and invitee. @param invited returns the users whom a call invites */
export const invitationLimits = (invited: (call: Call) => string[]): Limit[] => [
  { of: 'invitesPerIssuer', by: (call) => invited(call).map(() => ({ name: call.requester.userId })) },
  { of: 'invitesPerRoom', by: (call) => invited(call).map(() => ({ name: call.params.roomId ?? '' })) },
  { of: 'invitesPerUser', by: (call) => invited(call).map((name) => ({ name })) },
];

/** Returns the number of users whom a new room invites. */
export const invitedWith = ({ invite = [], initial_state: state = [] }: CreateRoomRequest): number =>
  invite.length + state.filter(({ type }) => type === 'm.room.member').length;

/** Returns the membership that a call sets as state, if any. */
export function stateMembership({ params, body }: Pick<Call, 'params' | 'body'>): string | undefined {
  if (params.eventType !== 'm.room.member') return undefined;
  const membership = (body as { membership?: unknown } | null)?.membership;
  return typeof membership === 'string' ? membership : undefined;
}
