import { MatrixError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import type { RoomContext } from './append-events.ts';
import { changeMembership } from './change-membership.ts';
import { findMembership } from './membership-store.ts';

/**
 * Brings a user's member event in a room up to the user's profile, in a transaction of its own. A room that
 * doesn't let that happen keeps the older one.
 */
export async function showProfileInRoom(
  services: RoomContext & { db: Database },
  roomId: string,
  userId: string,
): Promise<void> {
  await inTransaction(services.db, async (tx) => {
    if ((await findMembership(tx, roomId, userId))?.membership !== 'join') return;
    await changeMembership(tx, services, {
      roomId,
      sender: userId,
      target: userId,
      content: { membership: 'join' },
    });
  }).catch((error: unknown) => {
    if (!(error instanceof MatrixError)) throw error;
  });
}
