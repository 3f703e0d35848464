/** Changes of room memberships and power levels by server admins, in the name of a room's members. */
import { appendEvent, type RoomContext } from '../../conversation/rooms/events/append-events.ts';
import { findPower, findPowerfulMember } from '../../conversation/rooms/events/power-levels.ts';
import { changeMembership, ownChange } from '../../conversation/rooms/membership/change-membership.ts';
import { findMembership } from '../../conversation/rooms/membership/membership-store.ts';
import { lockRoom } from '../../conversation/rooms/room-store.ts';
import { findState } from '../../conversation/rooms/state/room-state-store.ts';
import { lockActiveUser } from '../../identity/accounts/user-store.ts';
import { requireUserId, serverOf } from '../../platform/core/identifiers.ts';
import { forbidden, notFound, unknownError } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';

type Context = RoomContext & { db: Database };

/**
 * Gives a user the highest power level that a local member of the room has, in that member's name. Invites the user if the
 * room isn't public.
 *
 * @throws MatrixError 400 if no local member may do that, and for an unknown room
 */
export async function makeRoomAdministrator(context: Context, roomId: string, userId: string): Promise<void> {
  requireUserId(userId);
  requireOwnUser(userId, context.config.serverName);
  await inTransaction(context.db, async (tx) => {
    await lockRoom(tx, roomId);
    const power = await findPower(tx, roomId);
    if (!power) throw unknownError('Server not in room');
    const { creators, content, levels } = power;
    const donor = await findPowerfulMember(tx, roomId, power, levels.toSend('m.room.power_levels', true));
    if (!donor) throw unknownError('No local admin user in room');

    // The power level of a room's creators is infinite and can't be granted.
    const level = Math.min(levels.ofUser(donor), Math.max(100, levels.toSend('m.room.power_levels', true)));
    if (levels.ofUser(userId) < level) {
      const first = Number.isFinite(levels.ofUser(creators[0] ?? '')) ? { [creators[0] ?? '']: 100 } : {};
      const users = (content?.users ?? first) as Record<string, number>;
      await appendEvent(tx, context, roomId, {
        type: 'm.room.power_levels',
        stateKey: '',
        sender: donor,
        content: { ...content, users: { ...users, [userId]: level } },
      });
    }
    const membership = (await findMembership(tx, roomId, userId))?.membership;
    if (membership === 'join' || membership === 'invite') return;
    if ((await findJoinRule(tx, roomId)) === 'public') return;
    await changeMembership(tx, context, {
      roomId,
      sender: donor,
      target: userId,
      content: { membership: 'invite' },
    });
  });
}

/**
 * Makes a local user join a room. If the room isn't public, the admin has to be able to invite.
 *
 * @throws MatrixError 400 for remote users, 404 for unknown ones, 403 if the room forbids it
 */
export async function joinUserToRoom(
  context: Context,
  roomId: string,
  userId: string,
  administrator: string,
): Promise<void> {
  requireUserId(userId);
  requireOwnUser(userId, context.config.serverName);
  await inTransaction(context.db, async (tx) => {
    if (!(await lockActiveUser(tx, userId))) throw notFound('User not found');
    const room = await lockRoom(tx, roomId);
    const joinRule = await findJoinRule(tx, roomId);
    if (room && room.joinedMembers > 0 && joinRule !== 'public' && userId !== administrator) {
      const own = await findMembership(tx, roomId, administrator);
      if (own?.membership !== 'join') throw forbidden(`${administrator} not in room ${roomId}.`);
      const target = await findMembership(tx, roomId, userId);
      if (target?.membership !== 'invite') {
        await changeMembership(tx, context, {
          roomId,
          sender: administrator,
          target: userId,
          content: { membership: 'invite' },
        });
      }
    }
    await changeMembership(tx, context, ownChange(roomId, userId, 'join'));
  });
}

async function findJoinRule(db: Database, roomId: string): Promise<unknown> {
  const [rules] = await findState(db, roomId, [['m.room.join_rules', '']]);
  return rules?.pdu.content.join_rule;
}

function requireOwnUser(userId: string, serverName: string): void {
  if (serverOf(userId) !== serverName) throw unknownError('This endpoint can only be used with local users');
}
