import { i18n } from '@lingui/core';
import { ActionIcon, Button, Progress } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconClock, IconPlayerStop, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { failureSentence } from '../components/FailureMessage.tsx';
import { useConsole, useServer } from '../console-context.ts';
import { number } from '../words/format.ts';
import { say, sayMedia, sayUntil } from './action-words.ts';
import { actionById } from './catalogue/catalogue.ts';
import { JobExport } from './JobExport.tsx';
import classes from './JobRows.module.css';
import { asError, countsOf, type Job, type JobItem, mediaOf, mostKept, undoable } from './jobs/job.ts';
import { jobsOf } from './jobs/job-store.ts';
import { resumeJob, retryJob, stopJob, undoJob } from './jobs/run-job.ts';
import { wholeNameOf } from './name-in-sentence.ts';
import { keyOf } from './subject.ts';

/** What went well leaves by itself. */
const staysFor = 20_000;
/** What was done to a few can be wanted as a file. */
const fewStayFor = 60_000;
/** What was done to more is kept till it is dismissed: whoever began it looks elsewhere by then. */
const mostAreFew = 20;
const mostFailures = 200;

export function JobRow({ job }: { job: Job }) {
  const { queryClient, deletedReports } = useConsole();
  const server = useServer();
  const context = { server, queryClient, deletedReports };
  const jobs = jobsOf(server.id);
  const [unfolded, setUnfolded] = useState(false);
  const action = actionById(job.action);
  const counts = countsOf(job);
  const items = job.items.map(({ item }) => item);
  const failures = job.items.filter(({ failure, left }) => failure || left);
  const remaining = counts.waiting + counts.running;
  const total = job.items.length;
  const isMany = total > 1;
  const clean = job.state === 'ended' && failures.length === 0;
  // However many screens one goes through meanwhile.
  const endedAt = job.items.reduce((latest, { at = 0 }) => Math.max(latest, at), 0);

  useEffect(() => {
    if (!clean || total > mostAreFew) return;
    const left = endedAt + (isMany ? fewStayFor : staysFor) - Date.now();
    const timer = setTimeout(() => jobs.remove(job.id), Math.max(0, left));
    return () => clearTimeout(timer);
  }, [clean, jobs, job.id, total, isMany, endedAt]);

  if (!action) return null;
  const undoing = job.direction === 'undo';
  const allDone = job.state === 'ended' && counts.failed === 0;
  const title = allDone
    ? say(action, undoing ? 'undone' : 'done', items)
    : undoing
      ? i18n.t('Undoing: {what}', { what: say(action, 'done', items) })
      : job.state === 'stopped'
        ? i18n.t('Stopped: {what}', { what: say(action, 'doing', items) })
        : say(action, 'doing', items);
  const settled = counts.done + counts.failed;
  const [task] = job.items.filter(({ task: id }) => id !== undefined);
  const isTask = counts.task > 0 && remaining === 0;

  return (
    <article className={classes.row} aria-label={title}>
      <div className={classes.line}>
        <StateIcon job={job} hasFailures={failures.length > 0} />
        <span className={classes.title}>{title}</span>
        {job.state === 'running' && (
          <Progress
            className={classes.progress}
            size="sm"
            aria-label={i18n.t('Progress')}
            value={isTask && total === 1 ? 100 : (100 * settled) / total}
            striped={isTask}
            animated={isTask}
          />
        )}
        <span className={classes.counts} role="status">
          {[
            countsLine(job),
            undoing ? '' : sayMedia(mediaOf(job)),
            isMany ? '' : sayUntil(job.items[0]?.until),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <span className={classes.gap} />
        {failures.length > 0 && (
          <Button variant="subtle" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
            {i18n.t('{count, plural, one {One failure} other {# failures}}', { count: failures.length })}
          </Button>
        )}
        {task && <TaskLink item={task} one={total === 1} action={action.id} />}
        {job.state === 'running' && counts.waiting > 0 && (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={13} stroke={1.7} />}
            onClick={() => stopJob(context, job)}
          >
            {i18n.t('Stop')}
          </Button>
        )}
        {job.state === 'stopped' && remaining > 0 && (
          <Button variant="default" onClick={() => resumeJob(context, job)}>
            {i18n.t('Go on')}
          </Button>
        )}
        {job.state !== 'running' && counts.failed > 0 && (
          <Button variant="default" onClick={() => retryJob(context, job)}>
            {i18n.t('Retry what failed')}
          </Button>
        )}
        {job.state !== 'running' && isMany && <JobExport job={job} />}
        {job.state !== 'running' && !undoing && action.undo && undoable(job).length > 0 && (
          <Button variant="light" onClick={() => undoJob(context, job)}>
            {i18n.t('Undo')}
          </Button>
        )}
        {job.state !== 'running' && (
          <ActionIcon aria-label={i18n.t('Dismiss: {title}', { title })} onClick={() => jobs.remove(job.id)}>
            <IconX size={14} />
          </ActionIcon>
        )}
      </div>
      {job.state === 'stopped' && (
        <p className={classes.why} role="alert">
          {job.why
            ? failureSentence(asError(job.why))
            : i18n.t('Stopped. What was on its way may have arrived; to do it again does no harm.')}
        </p>
      )}
      {job.state === 'running' && total > mostKept && (
        <p className={classes.note}>{i18n.t('Leave this page open: so many are remembered nowhere else.')}</p>
      )}
      {unfolded && (
        <Failures
          failures={failures}
          onRetry={
            job.state === 'running' ? undefined : ({ transaction }) => retryJob(context, job, transaction)
          }
        />
      )}
    </article>
  );
}

function countsLine(job: Job): string {
  const { waiting, running, task, done, failed } = countsOf(job);
  const total = job.items.length;
  if (job.state === 'stopped') {
    return i18n.t('{done} of {total} done, {remaining} remain', {
      done: number(done),
      total: number(total),
      remaining: number(waiting + running + task),
    });
  }
  if (task > 0 && waiting + running === 0) {
    return total === 1
      ? i18n.t('The server is at it')
      : i18n.t('{done} of {total} done, the server is at the rest', {
          done: number(done),
          total: number(total),
        });
  }
  if (total === 1) return '';
  return failed > 0
    ? i18n.t('{done} of {total} done, {failed} failed', {
        done: number(done),
        total: number(total),
        failed: number(failed),
      })
    : i18n.t('{done} of {total} done', { done: number(done), total: number(total) });
}

function StateIcon({ job, hasFailures }: { job: Job; hasFailures: boolean }) {
  if (job.state === 'running')
    return <IconClock size={15} stroke={1.7} className={classes.running} aria-hidden />;
  if (job.state === 'ended' && !hasFailures) {
    return <IconCircleCheck size={15} stroke={1.7} className={classes.done} aria-hidden />;
  }
  return <IconAlertTriangle size={15} stroke={1.7} className={classes.failed} aria-hidden />;
}

/** What the server calls the tasks that actions begin. */
const taskOf: Readonly<Record<string, string>> = {
  'redact-user': 'redact_all_events',
  'purge-history': 'purge_history',
  'shut-down-room': 'shutdown_and_purge_room',
  'purge-room': 'shutdown_and_purge_room',
};

/** What the tasks screen shows of it: one task's row, or all of this kind. */
function TaskLink({ item: { item }, one, action }: { item: JobItem; one: boolean; action: string }) {
  return (
    <Link
      to="/tasks"
      search={({ server }) => ({ server, ...(one ? { resource: keyOf(item) } : { action: taskOf[action] }) })}
      className={classes.link}
    >
      {one ? i18n.t('Task') : i18n.t('Tasks')}
    </Link>
  );
}

type FailuresProps = {
  failures: readonly JobItem[];
  /** Tries one of them again; undefined while others are on their way. */
  onRetry: ((entry: JobItem) => void) | undefined;
};

function Failures({ failures, onRetry }: FailuresProps) {
  return (
    <ul className={classes.failures}>
      {failures.slice(0, mostFailures).flatMap((entry) => {
        const { item, failure, left } = entry;
        return [
          ...(failure
            ? [
                <li key={keyOf(item)}>
                  <code>{wholeNameOf(item)}</code> {failureSentence(asError(failure))}{' '}
                  {onRetry && (
                    <Button variant="subtle" size="compact-xs" onClick={() => onRetry(entry)}>
                      {i18n.t('Try {name} again', { name: wholeNameOf(item) })}
                    </Button>
                  )}
                </li>,
              ]
            : []),
          ...Object.entries(left ?? {})
            .slice(0, mostFailures)
            .map(([what, why]) => (
              <li key={`${keyOf(item)} ${what}`}>
                <code>{what}</code> {why}
              </li>
            )),
          ...(Object.keys(left ?? {}).length > mostFailures
            ? [
                <li key={`${keyOf(item)} more`}>
                  {moreFailures(Object.keys(left ?? {}).length - mostFailures)}
                </li>,
              ]
            : []),
        ];
      })}
      {failures.length > mostFailures && <li>{moreFailures(failures.length - mostFailures)}</li>}
    </ul>
  );
}

const moreFailures = (count: number) =>
  i18n.t('and {count} more: the export has them all', { count: number(count) });
