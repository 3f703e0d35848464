/** Telling those who wait for a room's events that there are new ones. */
import type { Notifier } from '../core/notifier.ts';
import { afterCommit, type Tx } from '../database/transaction.ts';
import type { RoomWrites } from './room-writes.ts';

/** Wakes the room, and whoever's membership changed: who is not in it is concerned by nothing else of it. */
export function wakeAfterCommit(tx: Tx, notifier: Notifier, roomId: string, writes: RoomWrites): void {
  const userIds = [...writes.memberships.keys()];
  afterCommit(tx, () => {
    if (userIds.length > 0) notifier.wake('members', roomId);
    notifier.wake('rooms', roomId);
    for (const userId of userIds) notifier.wake('users', userId);
  });
}
