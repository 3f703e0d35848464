/** Invitations that a user doesn't want to see. Matrix specification, client-server API, "Ignoring Users". */
import { ignoredUsers } from '../accounts/ignored-users.ts';
import type { Database } from '../database/schema.ts';
import { listOwnHistory, type OwnMembership } from './membership-changes-store.ts';

/** A user's memberships without invitations by those whom the user ignores. */
export async function withoutIgnoredInvitations<Own extends OwnMembership>(
  db: Database,
  userId: string,
  memberships: Own[],
  upTo: number,
): Promise<Own[]> {
  const invited = memberships.filter(({ membership }) => membership === 'invite');
  const ignored = invited.length > 0 ? await ignoredUsers(db, userId) : new Set();
  if (ignored.size === 0) return memberships;
  const roomIds = invited.map(({ roomId }) => roomId);
  const histories = await listOwnHistory(db, userId, roomIds, upTo);
  const unwanted = new Set(roomIds.filter((roomId) => ignored.has(histories.get(roomId)?.at(-1)?.sender)));
  return memberships.filter(({ roomId }) => !unwanted.has(roomId));
}
