/** What administrators of the server do to rooms, through whoever has the power in them. */

import type { JsonObject } from '../../shared/api/common.ts';
import { findUser } from '../accounts/user-store.ts';
import { requireUserId, serverOf } from '../core/identifiers.ts';
import { forbidden, notFound, unknownError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { appendEvent, type RoomContext } from '../rooms/append-events.ts';
import { changeMembership, enterRoom } from '../rooms/change-membership.ts';
import { findMembership } from '../rooms/membership-store.ts';
import { powerLevels } from '../rooms/power-levels.ts';
import { findState } from '../rooms/room-state-store.ts';
import { lockRoom } from '../rooms/room-store.ts';

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
    const { create, levelsContent, joinRule } = await readRules(tx, roomId);
    if (!create) throw unknownError('Server not in room');
    const levels = powerLevels(levelsContent, create.sender);
    const donor = await findDonor(tx, roomId, levelsContent, create.sender);
    if (!donor) throw unknownError('No local admin user in room');

    const level = levels.ofUser(donor);
    if (levels.ofUser(userId) < level) {
      const users = (levelsContent?.users ?? { [create.sender]: 100 }) as Record<string, number>;
      await appendEvent(tx, context, roomId, {
        type: 'm.room.power_levels',
        stateKey: '',
        sender: donor,
        content: { ...levelsContent, users: { ...users, [userId]: level } },
      });
    }
    const membership = (await findMembership(tx, roomId, userId))?.membership;
    if (membership === 'join' || membership === 'invite' || joinRule === 'public') return;
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
    if (!(await findUser(tx, userId))) throw notFound('User not found');
    const room = await lockRoom(tx, roomId);
    const { joinRule } = await readRules(tx, roomId);
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
    await enterRoom(tx, context, roomId, userId);
  });
}

async function readRules(db: Database, roomId: string) {
  const state = await findState(db, roomId, [
    ['m.room.create', ''],
    ['m.room.power_levels', ''],
    ['m.room.join_rules', ''],
  ]);
  const find = (type: string) => state.find(({ pdu }) => pdu.type === type)?.pdu;
  return {
    create: find('m.room.create'),
    levelsContent: find('m.room.power_levels')?.content,
    joinRule: find('m.room.join_rules')?.content.join_rule,
  };
}

/** The member with the most power, if that is enough to share it. */
async function findDonor(
  db: Database,
  roomId: string,
  content: JsonObject | undefined,
  creator: string,
): Promise<string | undefined> {
  const levels = powerLevels(content, creator);
  const users = content ? Object.keys((content.users ?? {}) as JsonObject) : [creator];
  const byPower = users.toSorted((left, right) => levels.ofUser(right) - levels.ofUser(left));
  for (const userId of byPower) {
    if (levels.ofUser(userId) < levels.toSend('m.room.power_levels', true)) return undefined;
    if ((await findMembership(db, roomId, userId))?.membership === 'join') return userId;
  }
  return undefined;
}

function requireOwnUser(userId: string, serverName: string): void {
  if (serverOf(userId) !== serverName) throw unknownError('This endpoint can only be used with local users');
}
