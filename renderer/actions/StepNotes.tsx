import { i18n } from '@lingui/core';
import { failureSentence } from '../transport/failure-sentence.ts';
import { list } from '../words/format.ts';
import { say } from './action-words.ts';
import { actionById } from './catalogue/catalogue.ts';
import { IdenticalFilesNote } from './IdenticalFilesNote.tsx';
import classes from './JobRows.module.css';
import { asError, type Job, type JobItem, subjectsOf } from './jobs/job.ts';
import { actionOf, lasting, undoable } from './jobs/steps-of-job.ts';

/** Which step is under way, where all of them are about one. */
export function stepUnderWay(job: Job): string {
  const step = job.items.find(({ state }) => state === 'running' || state === 'task');
  const action = step?.step !== undefined && actionOf(job, step);
  const items = subjectsOf(job);
  if (!action || job.state !== 'running' || items.length > 1) return '';
  return job.direction === 'undo'
    ? i18n.t('Undoing: {what}', { what: say(action, 'done', items) })
    : step?.queued && step.state === 'task'
      ? i18n.t('{what}: waiting for server start', { what: say(action, 'doing', items) })
      : say(action, 'doing', items);
}

function sayFailed(job: Job, entry: JobItem): string {
  const action = actionOf(job, entry);
  const said = {
    step: action ? say(action, 'label', [entry.item]) : entry.step,
    why: entry.failure && failureSentence(asError(entry.failure)),
  };
  return job.items.some(({ state }) => state === 'waiting')
    ? i18n.t("“{step}” failed, later steps weren't started: {why}", said)
    : i18n.t('“{step}” failed: {why}', said);
}

/** Of what is done in several steps, which failed and holds the others, and what stays when it is taken back. */
export function StepNotes({ job }: { job: Job }) {
  if (job.state === 'running') return null;
  const items = subjectsOf(job);
  const failed = job.items.filter(({ state }) => state === 'failed');
  const stays = job.direction === 'undo' ? (job.stays ?? []) : lasting(job).flatMap(({ step }) => step ?? []);
  const what = list(
    [...new Set(stays)].flatMap((id) => {
      const step = actionById(id);
      return step ? [say(step, 'done', items)] : [];
    }),
  );
  const releases = undoable(job).some(({ step, media }) => step === 'quarantine-user-media' && media);
  const isToTakeBack = job.direction === 'do' && undoable(job).length > 0;
  return (
    <>
      {items.length === 1 &&
        failed.map((entry) => (
          <p key={entry.transaction} className={classes.why} role="alert">
            {sayFailed(job, entry)}
          </p>
        ))}
      {what !== '' && job.direction === 'undo' && (
        <p className={classes.note}>{i18n.t('Not undone: {what}', { what })}</p>
      )}
      {releases && isToTakeBack && <IdenticalFilesNote className={classes.note} />}
      {what !== '' && isToTakeBack && (
        <p className={classes.note}>{i18n.t("Undo doesn't revert: {what}", { what })}</p>
      )}
    </>
  );
}
