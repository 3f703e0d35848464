import { i18n } from '@lingui/core';
import { showNotice } from '../components/notice.tsx';
import type { Action, Surroundings } from './action.ts';
import { say, sayFurther, sayMedia, sayUntil } from './action-words.ts';
import { furtherOf, type Job, mediaOf } from './jobs/job.ts';
import { jobsOf } from './jobs/job-store.ts';
import { type Run, stopJob, undoJob } from './jobs/run-job.ts';
import { undoable } from './jobs/steps-of-job.ts';
import { offerUndo } from './latest-undo.ts';
import { canTakeBack } from './steps.ts';

/** A line that says what was done to one thing, with its undo where there is one. */
export function announceDone(context: Surroundings, action: Action, job: Job) {
  const items = job.items.map(({ item }) => item);
  const done = [say(action, 'done', items), sayMedia(mediaOf(job)), sayUntil(job.items[0]?.until)]
    .filter(Boolean)
    .join(': ');
  const text = [done, action.undo ? sayFurther(furtherOf(job)) : ''].filter(Boolean).join(' · ');
  if (job.items.every(({ unchanged }) => unchanged)) {
    return showNotice({ text: i18n.t('{what}. It was so before.', { what: done }) });
  }
  if (!action.undo) return showNotice({ text: done });
  const undo = async () => {
    withdraw();
    hide();
    const jobs = jobsOf(context.server.id);
    const run = undoJob(context, job);
    jobs.setAside(job.id, true);
    await run.settled;
    if (run.job.state === 'ended' && run.job.items.every(({ state }) => state === 'done')) {
      jobs.remove(job.id);
      showNotice({ text: say(action, 'undone', items) });
    } else {
      // The tray says why, and has the retry.
      jobs.setAside(job.id, false);
    }
  };
  const withdraw = offerUndo(undo);
  const hide = showNotice({ text, undo });
}

/** What is done to many has its row in the tray; the key that takes back the last thing stops it and takes it back. */
export function offerUndoOfMany(context: Surroundings, action: Action, { job, settled }: Run) {
  if (!canTakeBack(action)) return;
  offerUndo(() => {
    if (job.direction === 'undo') return false;
    stopJob(context, job);
    return settled.then(() => undoable(job).length > 0 && undoJob(context, job));
  });
}
