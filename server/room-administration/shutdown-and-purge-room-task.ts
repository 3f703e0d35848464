/** The task that closes a room and removes it. The reference homeserver's "Delete Room API", version 2. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ShutdownResult } from '../../shared/api/room-deletion.ts';
import { MatrixError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import { moveAliases } from '../rooms/alias-store.ts';
import { appendEvent, type RoomContext } from '../rooms/append-events.ts';
import { createRoom } from '../rooms/create-room.ts';
import { changeMembership } from '../rooms/membership.ts';
import { findMembership, forgetMembership, listMembers } from '../rooms/membership-store.ts';
import { blockRoom, deleteRoom, findRoom } from '../rooms/room-store.ts';
import { updateTask } from '../tasks/scheduled-task-store.ts';
import type { Task, TaskAction } from '../tasks/task.ts';
import { type PurgePiece, purgeRoomPiece } from './purge-store.ts';

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

type ShutdownContext = RoomContext & {
  db: Database;
  /** What features beyond rooms keep of a room, to go with it. */
  purges: readonly PurgePiece[];
};

/**
 * Every step looks at what is there and keeps its part of the result in the transaction that it works in,
 * so that a run after a crash goes on where the earlier one ended.
 */
export const shutdownAndPurgeRoom =
  (services: ShutdownContext): TaskAction =>
  async ({ task, signal }) => {
    const { db } = services;
    const params = Value.Parse(ShutdownParams, Value.Default(ShutdownParams, task.params));
    const result = resultSoFar(task);
    const keep = (tx: Database) => updateTask(tx, task.id, { result });

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
        while (await inTransaction(db, (tx) => purgeRoomPiece(tx, params.room_id, services.purges))) {
          signal.throwIfAborted();
          await nextTurn();
        }
        await inTransaction(db, (tx) => deleteRoom(tx, params.room_id));
      }
    }
    return { status: 'complete', result };
  };

function resultSoFar(task: Task): ShutdownResult {
  if (Value.Check(ShutdownResult, task.result)) return task.result;
  return { kicked_users: [], failed_to_kick_users: [], local_aliases: [], new_room_id: null };
}

type Keep = (tx: Database) => Promise<void>;

/** Makes the room that everyone is moved to, where they can read but not write. */
async function openNewRoom(
  services: ShutdownContext,
  params: ShutdownParams,
  result: ShutdownResult,
  keep: Keep,
): Promise<void> {
  const host = params.new_room_user_id;
  if (host === null || result.new_room_id !== null) return;
  await inTransaction(services.db, async (tx) => {
    result.new_room_id = await createRoom(tx, services, host, {
      preset: 'public_chat',
      name: params.new_room_name,
      power_level_content_override: { users_default: -10 },
    });
    await keep(tx);
  });
}

/** Makes some users leave; false where nobody was left. */
async function removeSomeUsers(
  services: ShutdownContext,
  { room_id }: ShutdownParams,
  result: ShutdownResult,
  keep: Keep,
): Promise<boolean> {
  const failed = new Set(result.failed_to_kick_users);
  return inTransaction(services.db, async (tx) => {
    const inside = ['join', 'invite', 'knock'];
    const members = await listMembers(tx, room_id, inside, { limit: usersAtOnce + failed.size });
    const users = members.filter((userId) => !failed.has(userId));
    for (const userId of users) {
      const removed = await removeUser(tx, services, room_id, userId, result.new_room_id);
      (removed ? result.kicked_users : result.failed_to_kick_users).push(userId);
    }
    if (users.length > 0) await keep(tx);
    return users.length > 0;
  });
}

/**
 * In the user's own name, because nobody's power reaches everyone. Whoever can't be moved into the new
 * room is out of the old one all the same.
 */
async function removeUser(
  tx: Tx,
  services: ShutdownContext,
  roomId: string,
  userId: string,
  newRoomId: string | null,
): Promise<boolean> {
  const change = (room: string, membership: string) =>
    changeMembership(tx, services, {
      roomId: room,
      sender: userId,
      target: userId,
      content: { membership },
    }).then(isAllowed, isRefusal);
  const wasMember = (await findMembership(tx, roomId, userId))?.membership === 'join';
  if (!(await change(roomId, 'leave'))) return false;
  await forgetMembership(tx, roomId, userId);
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
  services: ShutdownContext,
  params: ShutdownParams,
  task: Task,
  result: ShutdownResult,
  keep: Keep,
): Promise<void> {
  const { new_room_id: newRoomId } = result;
  const host = params.new_room_user_id;
  if (newRoomId === null || host === null) return;
  await inTransaction(services.db, async (tx) => {
    const message = {
      type: 'm.room.message',
      sender: host,
      content: { msgtype: 'm.text', body: params.message },
      // Said once, however often the task runs.
      transaction: { deviceId: '', transactionId: task.id },
    };
    await appendEvent(tx, services, newRoomId, message);
    result.local_aliases.push(...(await moveAliases(tx, params.room_id, newRoomId)));
    await keep(tx);
  });
}
