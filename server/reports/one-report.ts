/** One report: which one a path names, and its deletion. */
import { invalidParameter, notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { afterCommit, inTransaction } from '../database/transaction.ts';
import { deleteReport, forgetEmptyEventTotals } from './event-report-store.ts';
import type { HeldTotals } from './held-totals.ts';
import * as userReports from './user-report-store.ts';

/** The number of a report that a path names. @throws MatrixError 400 `M_INVALID_PARAM` */
export function reportId(text: string): number {
  if (!/^\d+$/.test(text)) {
    throw invalidParameter('The report_id parameter must be a string representing a positive integer.');
  }
  // Larger than any identifier is "not found", and stays exact on its way there.
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

type Context = { db: Database; heldTotals: HeldTotals };

/** Deletes a report on an event. Interface: "DELETE …/event_reports/{id}". @throws MatrixError 404 */
export async function deleteEventReport({ db, heldTotals }: Context, id: number): Promise<void> {
  const deleted = await inTransaction(db, (tx) =>
    deleteReport(tx, id, (held) =>
      afterCommit(tx, () => heldTotals.forget((later) => forgetEmptyEventTotals(later, held))),
    ),
  );
  if (!deleted) throw notFound('Event report not found');
}

/** Deletes a report on a user. @throws MatrixError 404 */
export async function deleteUserReport({ db, heldTotals }: Context, id: number): Promise<void> {
  const deleted = await inTransaction(db, (tx) =>
    userReports.deleteUserReport(tx, id, (held) =>
      afterCommit(tx, () => heldTotals.forget((later) => userReports.forgetEmptyUserTotals(later, held))),
    ),
  );
  if (!deleted) throw notFound('User report not found');
}
