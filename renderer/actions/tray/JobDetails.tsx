import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useServer } from '../../console-context.ts';
import { failureSentence } from '../../transport/refusal.ts';
import { list, number } from '../../words/format.ts';
import type { Action } from '../action.ts';
import { actionText, shortActionText } from '../action-words.ts';
import { actionById } from '../catalogue/catalogue.ts';
import { fullNameOf, keyOf } from '../items.ts';
import { asError, countsOf, distinctItems, type Job, type JobItem } from '../jobs/job.ts';
import { actionOf, irreversibleItems, undoableItems } from '../jobs/steps-of-job.ts';
import { IdenticalFilesNote } from '../panel/IdenticalFilesNote.tsx';
import classes from './JobRows.module.css';

/** Describes a job's action; after failures, also its items. */
export function jobTitle(job: Job, action: Action): string {
  const { failed, incomplete } = countsOf(job);
  const items = distinctItems(job);
  const undoing = job.direction === 'undo';
  const finished = undoing ? 'undone' : 'done';
  if (job.state === 'ended' && failed + incomplete === 0) return actionText(action, finished, items);
  if (job.state === 'ended' && failed > 0) {
    const unchanged = new Set(job.items.flatMap(({ state, item }) => (state === 'done' ? [] : keyOf(item))));
    const changed = items.filter((item) => !unchanged.has(keyOf(item)));
    if (changed.length > 0) return actionText(action, finished, changed);
    const what = shortActionText(action, items);
    return i18n.t('Failed: {what}', { what: undoing ? i18n.t('Undo: {what}', { what }) : what });
  }
  if (undoing) return i18n.t('Undoing: {what}', { what: actionText(action, 'done', items) });
  const doing = actionText(action, 'doing', items);
  if (job.state === 'ended') return i18n.t('Incomplete: {what}', { what: doing });
  return job.state === 'stopped' ? i18n.t('Stopped: {what}', { what: doing }) : doing;
}

/**
 * Shows a job's progress in numbers.
 *
 * @param isAway whether the server that runs its tasks is unreachable
 */
export function countsLine(job: Job, isAway: boolean): string {
  const { waiting, running, task, done, failed, incomplete } = countsOf(job);
  const total = job.items.length;
  if (job.state === 'stopped' && running > 0) {
    const counted = {
      done: number(done),
      total: number(total),
      unknown: number(running),
      remaining: number(waiting + task),
    };
    return waiting + task > 0
      ? i18n.t('{done} of {total} done, {unknown} unanswered, {remaining} left', counted)
      : i18n.t('{done} of {total} done, {unknown} unanswered', counted);
  }
  if (job.state === 'stopped') {
    return i18n.t('{done} of {total} done, {remaining} left', {
      done: number(done),
      total: number(total),
      remaining: number(waiting + task),
    });
  }
  if (task > 0 && waiting + running === 0) {
    if (isAway && total === 1) return i18n.t('Offline');
    if (isAway) {
      return i18n.t('{done} of {total} done, {unknown} unanswered', {
        done: number(done),
        total: number(total),
        unknown: number(task),
      });
    }
    const isQueued = job.items.every(({ state, queued }) => state !== 'task' || queued);
    if (isQueued && total === 1) return i18n.t('Scheduled on the server');
    return total === 1
      ? i18n.t('Running')
      : i18n.t('{done} of {total} done, rest running', {
          done: number(done),
          total: number(total),
        });
  }
  if (total === 1) return '';
  const line =
    incomplete > 0
      ? i18n.t('{done} of {total} done, {incomplete} incomplete{failed, plural, =0 {} other {, # failed}}', {
          done: number(done),
          total: number(total),
          incomplete: number(incomplete),
          failed,
        })
      : failed > 0
        ? i18n.t('{done} of {total} done, {failed} failed', {
            done: number(done),
            total: number(total),
            failed: number(failed),
          })
        : i18n.t('{done} of {total} done', { done: number(done), total: number(total) });
  const before = job.items.filter(({ state, unchanged }) => state === 'done' && unchanged).length;
  return before > 0 ? `${line} ${i18n.t('({count} unchanged)', { count: number(before) })}` : line;
}

const maxFailures = 200;

type Props = {
  job: Job;
  failures: readonly JobItem[];
  /** Retries one of them; undefined while others are running. */
  onRetry: ((entry: JobItem) => void) | undefined;
};

/** Lists failures by reason. */
export function JobFailures({ job, failures, onRetry }: Props) {
  return (
    <ul className={classes.failures}>
      {failures.slice(0, maxFailures).flatMap((entry) => {
        const { item, step, failure, left, transaction } = entry;
        const action = step === undefined ? undefined : actionOf(job, entry);
        return [
          ...(failure
            ? [
                <li key={transaction}>
                  <code>{fullNameOf(item)}</code> {action && `${actionText(action, 'label', [item])}: `}
                  {failureSentence(asError(failure))}{' '}
                  {onRetry && (
                    <Button
                      variant="subtle"
                      size="compact-xs"
                      aria-label={i18n.t('Retry {name}', { name: fullNameOf(item) })}
                      onClick={() => onRetry(entry)}
                    >
                      {i18n.t('Retry')}
                    </Button>
                  )}
                </li>,
              ]
            : []),
          ...Object.entries(left ?? {})
            .slice(0, maxFailures)
            .map(([what, why]) => (
              <li key={`${transaction} ${what}`}>
                <code>{what}</code> {why}
              </li>
            )),
          ...(Object.keys(left ?? {}).length > maxFailures
            ? [
                <li key={`${transaction} more`}>
                  {moreFailures(Object.keys(left ?? {}).length - maxFailures)}
                </li>,
              ]
            : []),
        ];
      })}
      {failures.length > maxFailures && <li>{moreFailures(failures.length - maxFailures)}</li>}
    </ul>
  );
}

const moreFailures = (count: number) => i18n.t('and {count} more (see export)', { count: number(count) });

/** Shows the current step of a job with a single item. */
export function stepUnderWay(job: Job): string {
  const step = job.items.find(({ state }) => state === 'running' || state === 'task');
  const action = step?.step !== undefined && actionOf(job, step);
  const items = distinctItems(job);
  if (!action || job.state !== 'running' || items.length > 1) return '';
  return job.direction === 'undo'
    ? i18n.t('Undoing: {what}', { what: actionText(action, 'done', items) })
    : step?.queued && step.state === 'task'
      ? i18n.t('{what}: scheduled on the server', { what: actionText(action, 'doing', items) })
      : actionText(action, 'doing', items);
}

function sayFailed(job: Job, entry: JobItem): string {
  const action = actionOf(job, entry);
  const values = {
    step: action ? actionText(action, 'label', [entry.item]) : entry.step,
    why: entry.failure && failureSentence(asError(entry.failure)),
  };
  return job.items.some(({ state }) => state === 'waiting')
    ? i18n.t("“{step}” failed, later steps weren't started: {why}", values)
    : i18n.t('“{step}” failed: {why}', values);
}

/** Shows which failed step blocks the others, and which steps an undo can't revert. */
export function StepNotes({ job }: { job: Job }) {
  const server = useServer();
  if (job.state === 'running') return null;
  const items = distinctItems(job);
  const failed = job.items.filter(({ state }) => state === 'failed');
  const stays =
    job.direction === 'undo' ? (job.stays ?? []) : irreversibleItems(job).flatMap(({ step }) => step ?? []);
  const what = list(
    [...new Set(stays)].flatMap((id) => {
      const step = actionById(id);
      return step ? [actionText(step, 'done', items)] : [];
    }),
  );
  const releases = undoableItems(server, job).some(
    ({ step, media }) => step === 'quarantine-user-media' && media,
  );
  const isToTakeBack = job.direction === 'do' && undoableItems(server, job).length > 0;
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
      {releases && isToTakeBack && <IdenticalFilesNote className={classes.note} isOnUndo />}
      {what !== '' && isToTakeBack && (
        <p className={classes.note}>{i18n.t("Undo doesn't revert: {what}", { what })}</p>
      )}
    </>
  );
}
