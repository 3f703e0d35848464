import { i18n } from '@lingui/core';
import { number } from '../words/format.ts';
import { countsOf, type Job } from './jobs/job.ts';

/**
 * How far a job is, in numbers.
 *
 * @param isAway whether the server that goes on with it does not answer: then nobody knows whether it does
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
    if (isQueued && total === 1) return i18n.t('Waiting for server start');
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
      ? i18n.t(
          '{done} of {total} done, {incomplete} incomplete{failed, plural, =0 {} other {, {failedShown} failed}}',
          {
            done: number(done),
            total: number(total),
            incomplete: number(incomplete),
            failed,
            failedShown: number(failed),
          },
        )
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
