/** The task that shows a changed profile in the rooms of a user who is in many. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Database } from '../database/schema.ts';
import type { TaskAction } from '../tasks/task.ts';
import type { RoomContext } from './append-events.ts';
import { listJoinedRooms } from './membership-store.ts';
import { showProfileInRoom } from './show-profile.ts';

export const UpdateJoinStatesParams = Type.Object({ user_id: Type.String() });
export type UpdateJoinStatesParams = Static<typeof UpdateJoinStatesParams>;

/** A room that shows the profile already is left as it is, so that running it again changes nothing. */
export const updateJoinStates =
  (services: RoomContext & { db: Database }): TaskAction =>
  async ({ task, signal }) => {
    const { user_id: userId } = Value.Parse(UpdateJoinStatesParams, task.params);
    for (const roomId of await listJoinedRooms(services.db, userId)) {
      signal.throwIfAborted();
      await showProfileInRoom(services, roomId, userId);
      await nextTurn();
    }
    return { status: 'complete' };
  };
