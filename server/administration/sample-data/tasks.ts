import { setTimeout as wait } from 'node:timers/promises';
import { createRoom } from '../../conversation/rooms/creation/create-room.ts';
import { findRoomByAlias } from '../../conversation/rooms/directory/alias-store.ts';
import { appendEvents, type RoomContext } from '../../conversation/rooms/events/append-events.ts';
import { newestStreamOrdering } from '../../conversation/rooms/events/event-order-store.ts';
import { changeMembership, ownChange } from '../../conversation/rooms/membership/change-membership.ts';
import { chunks } from '../../platform/concurrency/yield.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Scheduler } from '../../platform/tasks/scheduler.ts';
import type { Task } from '../../platform/tasks/task.ts';
import { purgeHistoryTask } from '../room-administration/purge-history-task.ts';
import { roomDeletionTask } from '../room-administration/room-deletion-task.ts';
import { type SampleRoom, text } from './content.ts';

type RoomCreationContext = RoomContext & { db: Database };

/** Creates a public room that all members join. If a room with the alias exists, it is used. */
export async function createSampleRoom(
  context: RoomCreationContext,
  room: SampleRoom,
  members: string[],
): Promise<string> {
  const { db, config } = context;
  const [creator = '', ...others] = members;
  const known = room.alias && (await findRoomByAlias(db, `#${room.alias}:${config.serverName}`));
  const roomId =
    known ||
    (await createRoom(context, creator, {
      preset: 'public_chat',
      ...(room.name && { name: room.name }),
      ...(room.topic && { topic: room.topic }),
      ...(room.alias && { room_alias_name: room.alias }),
    }));
  await inTransaction(db, async (tx) => {
    for (const member of others) await changeMembership(tx, context, ownChange(roomId, member, 'join'));
  });
  return roomId;
}

/** Tasks in every status. All of them run, except scheduled ones. */

const hour = 60 * 60 * 1000;
/** Enough to watch the purge. */
const longLogLength = 3000;

/** Context of the added tasks. */
export type TaskContext = RoomContext & { db: Database; tasks: Pick<Scheduler, 'schedule' | 'get'> };

/** Adds the tasks and returns their number. Those that end have ended; one is left running. */
export async function addTasks(context: TaskContext, members: string[], roomIds: string[]): Promise<number> {
  const { tasks, clock } = context;
  const [lobby = '', help = ''] = roomIds;
  const unnamed = roomIds.at(-1) ?? '';

  const closedRoom = await createSampleRoom(context, { name: 'Flea market 2024' }, members);
  const emptiedRoom = await makeLog(context, { name: 'Test room' }, members.slice(0, 2), 20);
  const longLog = await makeLog(context, { name: 'Build log' }, members.slice(0, 2), longLogLength);
  const requestedBy = members[0] ?? '';
  const everythingIn = async (roomId: string) => ({
    resourceId: roomId,
    requestedBy,
    params: {
      room_id: roomId,
      before: await newestStreamOrdering(context.db, roomId),
      delete_local_events: true,
    },
  });

  for (const [index, roomId] of [lobby, help].entries()) {
    const timestampMs = clock.now() + (3 + index * 44) * hour;
    await tasks.schedule(purgeHistoryTask, { ...(await everythingIn(roomId)), timestampMs });
  }

  const ids = [
    await tasks.schedule(roomDeletionTask, shutdown(closedRoom, requestedBy, {})),
    await tasks.schedule(purgeHistoryTask, await everythingIn(emptiedRoom)),
    await tasks.schedule(
      roomDeletionTask,
      // Its name is too long for an event, so the new room can't be created and the room stays unchanged.
      shutdown(unnamed, requestedBy, { new_room_name: 'Closed '.repeat(10_000) }),
    ),
  ];
  for (const id of ids) await reaches(context, id, ['complete', 'failed']);
  const atWork = await tasks.schedule(roomDeletionTask, shutdown(longLog, requestedBy, {}));
  await reaches(context, atWork, ['active', 'complete']);
  return 2 + ids.length + 1;
}

const shutdown = (roomId: string, userId: string, change: { new_room_name?: string }) => ({
  resourceId: roomId,
  requestedBy: userId,
  params: {
    room_id: roomId,
    requester_user_id: userId,
    new_room_user_id: change.new_room_name === undefined ? null : userId,
    block: false,
    purge: true,
    force_purge: false,
    ...change,
  },
});

/** A room with many messages by one member. */
async function makeLog(
  context: TaskContext,
  room: { name: string },
  members: string[],
  length: number,
): Promise<string> {
  const roomId = await createSampleRoom(context, room, members);
  const sender = members[0] ?? '';
  const drafts = Array.from({ length }, (_, index) => ({
    type: 'm.room.message',
    sender,
    content: text(`Build ${index + 1} passed`),
  }));
  // Yields, so that a running server can write in between.
  for (const chunk of chunks(drafts, 100)) {
    await inTransaction(context.db, (tx) => appendEvents(tx, context, roomId, chunk));
  }
  return roomId;
}

/** Waits until a task has one of these statuses; it may run in another process. */
async function reaches({ tasks }: TaskContext, id: string, statuses: Task['status'][]): Promise<void> {
  for (;;) {
    const task = await tasks.get(id);
    if (!task || statuses.includes(task.status)) return;
    await wait(2);
  }
}
