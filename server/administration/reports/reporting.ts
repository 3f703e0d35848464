/** Files reports of events, rooms and users: client-server API, "Reporting Content". */
import { findVisibleEvent } from '../../conversation/rooms/access.ts';
import { findRoom } from '../../conversation/rooms/room-store.ts';
import { findUser } from '../../identity/accounts/user-store.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { badJson, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { insertReport } from './event-report-store.ts';
import { insertRoomReport } from './room-report-store.ts';
import { insertUserReport } from './user-report-store.ts';

export type ReportingContext = { db: Database; clock: Clock };

/** In characters. */
const maximumUserReportReason = 1000;

/** Files a report of an event. @throws MatrixError 404 if the reporter can't see the event */
export async function reportEvent(
  { db, clock }: ReportingContext,
  userId: string,
  { roomId, eventId }: { roomId: string; eventId: string },
  { reason = null, score = null }: { reason?: string | null; score?: number | null },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const visible = await findVisibleEvent(tx, roomId, userId, eventId);
    if (!visible) {
      throw notFound("Unable to report event: it does not exist or you aren't able to see it.");
    }
    const { sender } = visible.event.pdu;
    await insertReport(tx, { receivedTs: clock.now(), roomId, eventId, userId, sender, reason, score });
  });
}

/** Files a report of a room. @throws MatrixError 404 if the room doesn't exist */
export async function reportRoom(
  { db, clock }: ReportingContext,
  userId: string,
  roomId: string,
  reason: string,
): Promise<void> {
  if (!(await findRoom(db, roomId))) throw notFound('Room does not exist');
  await insertRoomReport(db, { receivedTs: clock.now(), roomId, userId, reason });
}

/** Files a report of a user. @throws MatrixError 400 if the reason is too long */
export async function reportUser(
  { db, clock }: ReportingContext,
  userId: string,
  targetUserId: string,
  reason: string,
): Promise<void> {
  if (reason.length > maximumUserReportReason) {
    throw badJson(`Reason must be less than ${maximumUserReportReason} characters`);
  }
  await inTransaction(db, async (tx) => {
    // Unknown users get the same reply, so that reporters can't find out which accounts exist.
    if (!(await findUser(tx, targetUserId))) return;
    await insertUserReport(tx, { receivedTs: clock.now(), targetUserId, userId, reason });
  });
}
