import { maxReportsPerEntry } from '../../../shared/team/entries.ts';
import type { ActionContext } from '../action.ts';
import { messageReporter } from '../catalogue/message-reporter.ts';
import { jobsOf } from '../jobs/job-store.ts';
import { startJob } from '../jobs/run-job.ts';
import type { Recipient } from '../reporter-messages.ts';
import { announceDone } from '../tray/announce.tsx';

/** A message that is ready to be sent. */
export type Letter = { recipients: readonly Recipient[]; text: string; via: 'notice' | 'direct' };

/** Sends a message to reporters. The tray has those that failed, with a retry. */
export async function sendToReporters(context: ActionContext, { recipients, text, via }: Letter) {
  const jobs = jobsOf(context.server);
  const { job, settled } = startJob(context, {
    action: messageReporter,
    items: recipients.map(({ userId, of, reports }) => ({
      kind: 'user',
      userId,
      reports: reports.slice(0, maxReportsPerEntry),
      ...(of !== 'report' && { reportKind: of }),
    })),
    answers: { reason: '', fields: { text, via } },
  });
  jobs.setHidden(job.id, true);
  await settled;
  if (job.items.every(({ state }) => state === 'done')) {
    const done = structuredClone(job);
    jobs.remove(job.id);
    announceDone(context, messageReporter, done);
  } else jobs.setHidden(job.id, false);
}
