import { MatrixError } from '../http/matrix-error.ts';
import type { Services } from '../services.ts';
import { findMembership } from '../storage/memberships.ts';
import type { RoomServices } from './append-events.ts';
import { changeMembership } from './membership.ts';

/**
 * Brings a user's member event in a room up to the user's profile, in a transaction of its own. A room that
 * doesn't let that happen keeps the older one.
 */
export async function showProfileInRoom(
  services: RoomServices & Pick<Services, 'db'>,
  roomId: string,
  userId: string,
): Promise<void> {
  await services.db
    .transaction()
    .execute(async (transaction) => {
      if ((await findMembership(transaction, roomId, userId))?.membership !== 'join') return;
      await changeMembership(transaction, services, {
        roomId,
        sender: userId,
        target: userId,
        content: { membership: 'join' },
      });
    })
    .catch((error: unknown) => {
      if (!(error instanceof MatrixError)) throw error;
    });
}
