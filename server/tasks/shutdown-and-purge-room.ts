/** The task that closes a room and removes it. The reference homeserver's "Delete Room API", version 2. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ShutdownResult } from '../../shared/api/room-deletion.ts';
import { MatrixError } from '../http/matrix-error.ts';
import { appendEvent, type RoomServices } from '../rooms/append-events.ts';
import { createRoom } from '../rooms/create-room.ts';
import { changeMembership } from '../rooms/membership.ts';
import type { Services } from '../services.ts';
import { findMembership, forgetMembership, listMembers } from '../storage/memberships.ts';
import { moveAliases } from '../storage/room-aliases.ts';
import { purgeRoomPiece } from '../storage/room-purge.ts';
import { blockRoom, deleteRoom, findRoom } from '../storage/rooms.ts';
import { updateTask } from '../storage/scheduled-tasks.ts';
import type { Database, Schema } from '../storage/schema.ts';
import type { Task, TaskAction } from './task.ts';

export const ShutdownParams = Type.Object({
  room_id: Type.String(),
  /** The administrator who wants it. */
  requester_user_id: Type.String(),
  new_room_user_id: Type.Union([Type.String(), Type.Null()]),
  new_room_name: Type.String({ default: 'Content Violation Notification' }),
  message: Type.String({
    default:
      'Sharing illegal content on this server is not permitted and rooms in violation will be blocked.',
  }),
  block: Type.Boolean(),
  purge: Type.Boolean(),
  force_purge: Type.Boolean(),
});
export type ShutdownParams = Static<typeof ShutdownParams>;

/** How many users one transaction removes. */
const usersAtOnce = 25;

type RoomTaskServices = RoomServices & Pick<Services, 'db'>;

/**
 * Every step looks at what is there and keeps its part of the result in the transaction that it works in,
 * so that a run after a crash goes on where the earlier one ended.
 */
export const shutdownAndPurgeRoom =
  (services: RoomTaskServices): TaskAction =>
  async ({ task, signal }) => {
    const { db } = services;
    const params = Value.Parse(ShutdownParams, Value.Default(ShutdownParams, task.params));
    const result = resultSoFar(task);
    const keep = (trx: Database) => updateTask(trx, task.id, { result });

    if (params.block) {
      await blockRoom(db, params.room_id, params.requester_user_id, services.clock.now());
    }
    if (await findRoom(db, params.room_id)) {
      await openNewRoom(services, params, result, keep);
      while (await removeSomeUsers(services, params, result, keep)) {
        signal.throwIfAborted();
        await nextTurn();
      }
      await moveIntoNewRoom(services, params, task, result, keep);
      if (params.purge) {
        if (result.failed_to_kick_users.length > 0 && !params.force_purge) {
          return { status: 'failed', error: 'Users are still joined to this room', result };
        }
        while (await db.transaction().execute((trx) => purgeRoomPiece(trx, params.room_id))) {
          signal.throwIfAborted();
          await nextTurn();
        }
        await db.transaction().execute((trx) => deleteRoom(trx, params.room_id));
      }
    }
    return { status: 'complete', result };
  };

function resultSoFar(task: Task): ShutdownResult {
  if (Value.Check(ShutdownResult, task.result)) return task.result;
  return { kicked_users: [], failed_to_kick_users: [], local_aliases: [], new_room_id: null };
}

type Keep = (trx: Database) => Promise<void>;

/** Makes the room that everyone is moved to, where they can read but not write. */
async function openNewRoom(
  services: RoomTaskServices,
  params: ShutdownParams,
  result: ShutdownResult,
  keep: Keep,
): Promise<void> {
  const host = params.new_room_user_id;
  if (host === null || result.new_room_id !== null) return;
  await services.db.transaction().execute(async (trx) => {
    result.new_room_id = await createRoom(trx, services, host, {
      preset: 'public_chat',
      name: params.new_room_name,
      power_level_content_override: { users_default: -10 },
    });
    await keep(trx);
  });
}

/** Makes some users leave; false where nobody was left. */
async function removeSomeUsers(
  services: RoomTaskServices,
  { room_id }: ShutdownParams,
  result: ShutdownResult,
  keep: Keep,
): Promise<boolean> {
  const failed = new Set(result.failed_to_kick_users);
  return services.db.transaction().execute(async (trx) => {
    const inside = ['join', 'invite', 'knock'];
    const members = await listMembers(trx, room_id, inside, { limit: usersAtOnce + failed.size });
    const users = members.filter((userId) => !failed.has(userId));
    for (const userId of users) {
      const removed = await removeUser(trx, services, room_id, userId, result.new_room_id);
      (removed ? result.kicked_users : result.failed_to_kick_users).push(userId);
    }
    if (users.length > 0) await keep(trx);
    return users.length > 0;
  });
}

/**
 * In the user's own name, because nobody's power reaches everyone. Whoever can't be moved into the new
 * room is out of the old one all the same.
 */
async function removeUser(
  trx: Transaction<Schema>,
  services: RoomTaskServices,
  roomId: string,
  userId: string,
  newRoomId: string | null,
): Promise<boolean> {
  const change = (room: string, membership: string) =>
    changeMembership(trx, services, {
      roomId: room,
      sender: userId,
      target: userId,
      content: { membership },
    }).then(isAllowed, isRefusal);
  const wasMember = (await findMembership(trx, roomId, userId))?.membership === 'join';
  if (!(await change(roomId, 'leave'))) return false;
  await forgetMembership(trx, roomId, userId);
  if (newRoomId !== null && wasMember) await change(newRoomId, 'join');
  return true;
}

const isAllowed = () => true;
function isRefusal(error: unknown): false {
  if (error instanceof MatrixError) return false;
  throw error;
}

/** Says in the new room what happened, and makes the old room's aliases lead there. */
async function moveIntoNewRoom(
  services: RoomTaskServices,
  params: ShutdownParams,
  task: Task,
  result: ShutdownResult,
  keep: Keep,
): Promise<void> {
  const { new_room_id: newRoomId } = result;
  const host = params.new_room_user_id;
  if (newRoomId === null || host === null) return;
  await services.db.transaction().execute(async (trx) => {
    const message = {
      type: 'm.room.message',
      sender: host,
      content: { msgtype: 'm.text', body: params.message },
      // Said once, however often the task runs.
      transaction: { deviceId: '', transactionId: task.id },
    };
    await appendEvent(trx, services, newRoomId, message);
    result.local_aliases.push(...(await moveAliases(trx, params.room_id, newRoomId)));
    await keep(trx);
  });
}
