import type { Surroundings } from './action.ts';
import { deleteEventReportsAction } from './catalogue/filed-reports.ts';
import { type JobRequest, leaveJob, startJob } from './jobs/run-job.ts';

/** Deletes many reports on events, with what tells how far it is, stops it, and tries again what failed. */
export function deleteInTray(surroundings: Surroundings, reportIds: readonly number[]): Promise<void> {
  return startJob(surroundings, deletionOf(reportIds)).settled;
}

/** The page goes away, and sends what it can: the tray has them when it is opened again, to find out what arrived. */
export function leaveInTray(surroundings: Surroundings, reportIds: readonly number[]): void {
  leaveJob(surroundings, deletionOf(reportIds));
}

const deletionOf = (reportIds: readonly number[]): JobRequest => ({
  action: deleteEventReportsAction,
  items: reportIds.map((reportId) => ({ kind: 'report', reportId })),
  answers: { reason: '', fields: {} },
});
