import type { Surroundings } from './action.ts';
import { deleteEventReportsAction } from './catalogue/filed-reports.ts';
import { startJob } from './jobs/run-job.ts';

/** Deletes many reports on events, with what tells how far it is, stops it, and tries again what failed. */
export function deleteInTray(surroundings: Surroundings, reportIds: readonly number[]): Promise<void> {
  const items = reportIds.map((reportId) => ({ kind: 'report', reportId }) as const);
  const answers = { reason: '', fields: {} };
  return startJob(surroundings, { action: deleteEventReportsAction, items, answers }).settled;
}
