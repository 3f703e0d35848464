/** What administrators of the server do to rooms, through whoever has the power in them. */

import { appendEvent, type RoomContext } from '../../conversation/rooms/events/append-events.ts';
import { findPower, findPowerfulMember } from '../../conversation/rooms/events/power-levels.ts';
import { changeMembership, ownChange } from '../../conversation/rooms/membership/change-membership.ts';
import { findMembership } from '../../conversation/rooms/membership/membership-store.ts';
import { lockRoom } from '../../conversation/rooms/room-store.ts';
import { findState } from '../../conversation/rooms/state/room-state-store.ts';
import { holdUser } from '../../identity/accounts/user-store.ts';
import { requireUserId, serverOf } from '../../platform/core/identifiers.ts';
import { forbidden, notFound, unknownError } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';

type Context = RoomContext & { db: Database };

/**
 * Gives a user the highest power that anyone on this server has in a room, in the name of who has it; a
 * user who could not join otherwise is invited.
 *
 * @throws MatrixError 400 where nobody in the room may do that, and for an unknown room
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

    // Nobody can be given what a room's creators have.
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
 * Makes a user of this server join a room; into a room that is not public the administrator has to be able
 * to invite.
 *
 * @throws MatrixError 400 for users of other servers, 404 for unknown ones, 403 where the room forbids it
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
    if (!(await holdUser(tx, userId))) throw notFound('User not found');
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
