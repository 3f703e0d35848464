/** The task that closes a room and removes it. The reference homeserver's "Delete Room API", version 2. */
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
import { purgeRoomPiece } from './purge-store.ts';

const Params = Type.Object({
  room_id: Type.String(),
  /** The administrator who wants it. */
  requester_user_id: Type.String(),
  new_room_user_id: Type.Union([Type.String(), Type.Null()]),
  new_room_name: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  block: Type.Boolean(),
  purge: Type.Boolean(),
  force_purge: Type.Boolean(),
});
type Params = Static<typeof Params>;

export const shutdownTask = {
  action: 'shutdown_and_purge_room',
  params: Params,
  askedBy: 'administrators',
} satisfies TaskKind;

const newRoomName = 'Content Violation Notification';
const violationNotice =
  'Sharing illegal content on this server is not permitted and rooms in violation will be blocked.';

/** How many users one transaction removes. */
const usersAtOnce = 25;

type ShutdownContext = RoomContext & { db: Database };

/**
 * Every step looks at what is there and keeps its part of the result in the transaction that it works in,
 * so that a run after a crash goes on where the earlier one ended.
 */
export const shutdownAndPurgeRoom = (context: ShutdownContext): TaskAction<typeof Params> => ({
  kind: shutdownTask,
  async run({ task, params, signal, inTransaction }) {
    const { db } = context;
    let result = resultSoFar(task);
    /** Does a step and keeps the result that it gives. False where it gives the same, having done nothing. */
    const step = async (work: Step): Promise<boolean> => {
      const before = result;
      result = await inTransaction(async (tx) => {
        const after = await work(tx, context, params, before, task);
        if (after !== before) await updateTask(tx, task.id, { result: after });
        return after;
      });
      return result !== before;
    };

    const inPieces = async (work: (tx: Tx) => Promise<boolean>) => {
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
      await step(openNewRoom);
      while (await step(removeSomeUsers)) {
        signal.throwIfAborted();
        await yieldToEventLoop();
      }
      await step(moveIntoNewRoom);
      if (params.purge) {
        if (result.failed_to_kick_users.length > 0 && !params.force_purge) {
          return { status: 'failed', error: 'Users are still joined to this room', result };
        }
        await inPieces((tx) => purgeRoomPiece(tx, params.room_id));
        // What was written while its events and members were still there goes with the room itself.
        await inPieces((tx) => purgeSome(tx, params.room_id));
      }
    }
    return { status: 'complete', result };
  },
});

/** Part of the work: gives the result with what it did, and leaves the one that it got as it is. */
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

/** Makes the room that everyone is moved to, where they can read but not write. */
const openNewRoom: Step = async (tx, context, params, result) => {
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

/** Makes some users leave. */
const removeSomeUsers: Step = async (tx, context, { room_id }, result) => {
  // Whoever is just coming in is there by now, or finds the room as it is afterwards.
  await lockRoom(tx, room_id);
  const kicked = [...result.kicked_users];
  const failed = new Set(result.failed_to_kick_users);
  const inside = ['join', 'invite', 'knock'];
  const members = await listMembers(tx, room_id, inside, { limit: usersAtOnce + failed.size });
  const users = members.filter((userId) => !failed.has(userId));
  if (users.length === 0) return result;
  for (const userId of users) {
    if (await removeUser(tx, context, room_id, userId, result.new_room_id)) kicked.push(userId);
    else failed.add(userId);
  }
  return { ...result, kicked_users: kicked, failed_to_kick_users: [...failed] };
};

/**
 * In the user's own name, because nobody's power reaches everyone. Whoever can't be moved into the new
 * room is out of the old one all the same.
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

/** Deletes a piece of the room; the last one, of which it gives false, takes the room itself along. */
async function purgeSome(tx: Tx, roomId: string): Promise<boolean> {
  if (await purgeRoomPiece(tx, roomId)) return true;
  await deleteRoom(tx, roomId);
  return false;
}

/** Says in the new room what happened, and makes the old room's aliases lead there. */
const moveIntoNewRoom: Step = async (tx, context, params, result, task) => {
  const { new_room_id: newRoomId } = result;
  const host = params.new_room_user_id;
  if (newRoomId === null || host === null) return result;
  const message = {
    type: 'm.room.message',
    sender: host,
    content: { msgtype: 'm.text', body: params.message ?? violationNotice },
    // Said once, however often the task runs.
    transaction: { deviceId: '', transactionId: task.id },
  };
  await appendEvent(tx, context, newRoomId, message);
  const moved = await moveAliases(tx, params.room_id, newRoomId);
  return { ...result, local_aliases: [...result.local_aliases, ...moved] };
};
