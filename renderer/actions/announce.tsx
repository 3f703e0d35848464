import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Action } from './action.ts';
import { say, sayMedia, sayUntil } from './action-words.ts';
import classes from './announce.module.css';
import { type Job, mediaOf, undoable } from './jobs/job.ts';
import { jobsOf } from './jobs/job-store.ts';
import { type JobContext, undoJob } from './jobs/run-job.ts';
import { setLatestUndo } from './latest-undo.ts';

const shownFor = 12_000;

/** A line that says what was done to one thing, with its undo where there is one. */
export function announceDone(context: JobContext, action: Action, job: Job) {
  const id = `done ${job.id}`;
  const items = job.items.map(({ item }) => item);
  const undo = async () => {
    notifications.hide(id);
    const jobs = jobsOf(context.server.id);
    const run = undoJob(context, job);
    jobs.setAside(job.id, true);
    await run.settled;
    if (run.job.state === 'ended' && run.job.items.every(({ state }) => state === 'done')) {
      jobs.remove(job.id);
      show(`undone ${job.id}`, say(action, 'undone', items));
    } else {
      // The tray says why, and has the retry.
      jobs.setAside(job.id, false);
    }
  };
  const done = [say(action, 'done', items), sayMedia(mediaOf(job)), sayUntil(job.items[0]?.until)]
    .filter(Boolean)
    .join(': ');
  if (undoable(job).length === 0) {
    return show(id, i18n.t('{what}. It was so before.', { what: done }));
  }
  if (!action.undo) return show(id, done);
  setLatestUndo(undo);
  show(id, done, undo);
}

function show(id: string, text: string, undo?: () => void) {
  notifications.show({
    id,
    role: 'status',
    autoClose: shownFor,
    classNames: { root: classes.line },
    message: (
      <div className={classes.content}>
        <span>{text}</span>
        {undo && (
          <Button variant="light" onClick={undo}>
            {i18n.t('Undo')}
          </Button>
        )}
      </div>
    ),
  });
}
