/** Task that removes a room's local members and purges the room: Synapse's Delete Room API, version 2. */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ShutdownResult } from '../../../shared/api/room-administration.ts';
import { planRoom, writePlannedRoom } from '../../conversation/rooms/creation/create-room.ts';
import { moveAliases } from '../../conversation/rooms/directory/alias-store.ts';
import { appendEvent, type RoomContext } from '../../conversation/rooms/events/append-events.ts';
import { changeMembership } from '../../conversation/rooms/membership/change-membership.ts';
import {
  findMembership,
  forgetMembership,
  listMembers,
} from '../../conversation/rooms/membership/membership-store.ts';
import { blockRoom, deleteRoom, findRoom, lockRoom } from '../../conversation/rooms/room-store.ts';
import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';
import { updateTask } from '../../platform/tasks/scheduled-task-store.ts';
import type { Task, TaskAction, TaskKind } from '../../platform/tasks/task.ts';
import { purgeRoomChunk } from './purge-store.ts';

const Params = Type.Object({
  room_id: Type.String(),
  requester_user_id: Type.String(),
  new_room_user_id: Type.Union([Type.String(), Type.Null()]),
  new_room_name: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  block: Type.Boolean(),
  purge: Type.Boolean(),
  force_purge: Type.Boolean(),
});
type Params = Static<typeof Params>;

export const roomDeletionTask = {
  action: 'shutdown_and_purge_room',
  params: Params,
  requestedBy: 'administrators',
} satisfies TaskKind;

const newRoomName = 'Content Violation Notification';
const violationNotice =
  'Sharing illegal content on this server is not permitted and rooms in violation will be blocked.';

/** Number of users per transaction. */
const usersAtOnce = 25;

/** Each step saves its part of the result in its own transaction, so that a run after a crash resumes there. */
export const createRoomDeletion = (context: RoomContext & { db: Database }): TaskAction<typeof Params> => ({
  kind: roomDeletionTask,
  async run({ task, params, signal, inTransaction }) {
    const { db } = context;
    let result = resultSoFar(task);
    /** Saves the step's result. Returns false if the step had nothing to do. */
    const step = async (work: Step): Promise<boolean> => {
      const before = result;
      result = await inTransaction(async (tx) => {
        const after = await work(tx, context, params, before, task);
        if (after !== before) await updateTask(tx, task.id, { result: after });
        return after;
      });
      return result !== before;
    };

    const purgeAll = async (work: (tx: Tx) => Promise<boolean>) => {
      while (await inTransaction(work)) {
        signal.throwIfAborted();
        await yieldToEventLoop();
      }
    };

    if (params.block) {
      await inTransaction((tx) =>
        blockRoom(tx, params.room_id, params.requester_user_id, context.clock.now()),
      );
    }
    if (await findRoom(db, params.room_id)) {
      await step(createNewRoom);
      while (await step(removeSomeUsers)) {
        signal.throwIfAborted();
        await yieldToEventLoop();
      }
      await step(moveToNewRoom);
      if (params.purge) {
        if (result.failed_to_kick_users.length > 0 && !params.force_purge) {
          return { status: 'failed', error: 'Users are still joined to this room', result };
        }
        await purgeAll((tx) => purgeRoomChunk(tx, params.room_id));
        // Again, for rows that were written while there were still events and members.
        await purgeAll((tx) => purgeAndDeleteRoom(tx, params.room_id));
      }
    }
    return { status: 'complete', result };
  },
});

/** Returns a new result, or the given one if there is nothing to do. */
type Step = (
  tx: Tx,
  context: RoomContext,
  params: Params,
  result: ShutdownResult,
  task: Task,
) => Promise<ShutdownResult>;

function resultSoFar(task: Task): ShutdownResult {
  if (Value.Check(ShutdownResult, task.result)) return task.result;
  return { kicked_users: [], failed_to_kick_users: [], local_aliases: [], new_room_id: null };
}

/** Creates the room that members are moved to, where they can read but not write. */
const createNewRoom: Step = async (tx, context, params, result) => {
  const host = params.new_room_user_id;
  if (host === null || result.new_room_id !== null) return result;
  const room = await planRoom(tx, context, host, {
    preset: 'public_chat',
    name: params.new_room_name ?? newRoomName,
    power_level_content_override: { users_default: -10 },
  });
  await writePlannedRoom(tx, context, room);
  return { ...result, new_room_id: room.record.roomId };
};

const removeSomeUsers: Step = async (tx, context, { room_id }, result) => {
  // A concurrent join either has been committed by now or sees the result.
  await lockRoom(tx, room_id);
  const kicked = [...result.kicked_users];
  const failed = new Set(result.failed_to_kick_users);
  const members = await listMembers(tx, room_id, ['join', 'invite', 'knock'], {
    limit: usersAtOnce + failed.size,
  });
  const users = members.filter((userId) => !failed.has(userId));
  if (users.length === 0) return result;
  for (const userId of users) {
    if (await removeUser(tx, context, room_id, userId, result.new_room_id)) kicked.push(userId);
    else failed.add(userId);
  }
  return { ...result, kicked_users: kicked, failed_to_kick_users: [...failed] };
};

/**
 * Makes a user leave, because no member's power level suffices to kick everyone, and join the new room if that is
 * allowed. Returns false if the user can't leave.
 */
async function removeUser(
  tx: Tx,
  context: RoomContext,
  roomId: string,
  userId: string,
  newRoomId: string | null,
): Promise<boolean> {
  const change = (room: string, membership: string) =>
    changeMembership(tx, context, {
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

/** Deletes some of the room's data and finally the room. Returns false when everything is deleted. */
async function purgeAndDeleteRoom(tx: Tx, roomId: string): Promise<boolean> {
  if (await purgeRoomChunk(tx, roomId)) return true;
  await deleteRoom(tx, roomId);
  return false;
}

/** Posts the notice in the new room and moves the aliases there. */
const moveToNewRoom: Step = async (tx, context, params, result, task) => {
  const { new_room_id: newRoomId } = result;
  const host = params.new_room_user_id;
  if (newRoomId === null || host === null) return result;
  const message = {
    type: 'm.room.message',
    sender: host,
    content: { msgtype: 'm.text', body: params.message ?? violationNotice },
    // Sent once, even if the task is rerun.
    transaction: { deviceId: '', transactionId: task.id },
  };
  await appendEvent(tx, context, newRoomId, message);
  const moved = await moveAliases(tx, params.room_id, newRoomId);
  return { ...result, local_aliases: [...result.local_aliases, ...moved] };
};
