import { i18n } from '@lingui/core';
import { ActionIcon, Button, Progress } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconClock, IconPlayerStop, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type RefObject, useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useConsole, useServer } from '../../console-context.ts';
import { useStoreValue } from '../../subscribers.ts';
import { failureSentence } from '../../transport/refusal.ts';
import type { Action } from '../action.ts';
import { expiryText, furtherText, mediaText, shortActionText } from '../action-words.ts';
import { actionById } from '../catalogue/catalogue.ts';
import { keyOf } from '../items.ts';
import { canCheck, checkJob } from '../jobs/check-job.ts';
import {
  asError,
  countsOf,
  distinctItems,
  furtherOf,
  isIncomplete,
  type Job,
  type JobItem,
  mediaOf,
} from '../jobs/job.ts';
import { jobsOf } from '../jobs/job-store.ts';
import { dismissJob, logInterrupted, resumeJob, retryJob, stopJob, undoJob } from '../jobs/run-job.ts';
import { canGoOn, undoableItems } from '../jobs/steps-of-job.ts';
import { isUndoable } from '../steps.ts';
import { undosOf } from '../undo-stack.ts';
import { offerUndoOfJob } from './announce.tsx';
import { countsLine, JobFailures, jobTitle, StepNotes, stepUnderWay } from './JobDetails.tsx';
import { JobExport } from './JobExport.tsx';
import classes from './JobRows.module.css';
import { UnredactedNotes } from './UnredactedNotes.tsx';

/** Minimum time after an interaction, or after returning to the page. */
const minVisibleMs = 10_000;

/** Calls `leave` at a time, in milliseconds since the Unix epoch, unless the element is pointed at or focused, or the page is hidden. */
function useAutoDismiss(at: number | undefined, within: RefObject<HTMLElement | null>, leave: () => void) {
  useEffect(() => {
    if (at === undefined) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (milliseconds: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (document.hidden || within.current?.matches(':hover, :focus-within')) wait(minVisibleMs);
        else leave();
      }, milliseconds);
    };
    const left = () => Math.max(at - Date.now(), 0);
    const seenAgain = () => document.hidden || wait(Math.max(left(), minVisibleMs));
    wait(left());
    document.addEventListener('visibilitychange', seenAgain);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seenAgain);
    };
  }, [at, within, leave]);
}

/** The server's task names by action. */
const taskOf: Readonly<Record<string, string>> = {
  'redact-user': 'redact_all_events',
  'purge-history': 'purge_history',
  'shut-down-room': 'shutdown_and_purge_room',
  'purge-room': 'shutdown_and_purge_room',
};

/** Search parameters of the tasks screen. */
function JobTaskLink({ item: { item }, one, action }: { item: JobItem; one: boolean; action: string }) {
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

/** Successful jobs disappear automatically. */
const staysFor = 20_000;
/** With an undo or an export. */
const offeringStaysFor = 60_000;
/** For many items, when the user may be busy elsewhere. */
const longStaysFor = 300_000;
const maxBriefItems = 20;

type Props = {
  job: Job;
  /** Stays while it's pointed at or focused. */
  tray: RefObject<HTMLElement | null>;
};

export function JobRow({ job, tray }: Props) {
  const { queryClient, deletedReports, reachability } = useConsole();
  const server = useServer();
  const isOffline = () => reachability.of(server.id) === 'offline';
  const isAway = useStoreValue(reachability, isOffline);
  const context = { server, queryClient, deletedReports };
  const jobs = jobsOf(server);
  const [unfolded, setUnfolded] = useState(false);
  const action = actionById(job.action);
  const counts = countsOf(job);
  const items = distinctItems(job);
  const isMany = items.length > 1;
  const isInSteps = job.items[0]?.step !== undefined;
  const failures = job.items.filter((entry) => entry.failure || isIncomplete(entry));
  // For a single item, the row names the failed step.
  const listed =
    isInSteps && !isMany
      ? failures.filter(({ left }) => left)
      : failures.filter(({ failure, left }) => failure || left);
  const remaining = counts.waiting + counts.running;
  const total = job.items.length;
  const clean = job.state === 'ended' && failures.length === 0;
  const endedAt = job.items.reduce((latest, { at = 0 }) => Math.max(latest, at), 0);

  const undoing = job.direction === 'undo';
  const canUndo = job.state !== 'running' && !undoing && undoableItems(server, job).length > 0;
  const stays = total > maxBriefItems ? longStaysFor : isMany || canUndo ? offeringStaysFor : staysFor;
  // When the offer began: for this page's jobs, with the job; for stored jobs and those of other windows, when the row
  // appeared.
  const isOffering =
    action !== undefined && isUndoable(action) && !undoing && (canUndo || job.state === 'running');
  const offerUndo = useEffectEvent((undone: Action) =>
    undosOf(server).has(job.id)
      ? undefined
      : offerUndoOfJob(context, undone, { job, settled: Promise.resolve() }),
  );
  useEffect(() => (isOffering ? offerUndo(action) : undefined), [isOffering, action]);

  const leave = useCallback(() => jobs.remove(job.id), [jobs, job.id]);
  useAutoDismiss(clean ? endedAt + stays : undefined, tray, leave);

  if (!action) return null;
  const title = jobTitle(job, action);
  const settled = counts.done + counts.failed + counts.incomplete;
  const [task] = job.items.filter(({ task: id }) => id !== undefined);
  const isTask = counts.task > 0 && (remaining === 0 || isInSteps);

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
            animated={isTask && !isAway}
          />
        )}
        <span className={classes.counts} role="status">
          {[
            stepUnderWay(job),
            countsLine(job, isAway),
            undoing ? '' : mediaText(mediaOf(job)),
            isMany ? '' : expiryText(job.items[0]?.until),
            undoing || !isUndoable(action) ? '' : furtherText(furtherOf(job)),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <span className={classes.buttons}>
          {listed.length > 0 && (
            <Button variant="subtle" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
              {i18n.t('{count, plural, one {One failure} other {# failures}}', { count: listed.length })}
            </Button>
          )}
          {isMany && (
            <Link to="/jobs/$jobId" params={{ jobId: job.id }} className={classes.link}>
              {i18n.t('Details')}
            </Link>
          )}
          {task && <JobTaskLink item={task} one={!isMany} action={task.step ?? action.id} />}
          {job.state === 'running' && counts.waiting > 0 && (
            <Button
              variant="default"
              leftSection={<IconPlayerStop size={13} stroke={1.7} />}
              // Ignores the second click of a double click on Undo or Resume, which were in its place.
              onClick={({ detail }) => detail < 2 && stopJob(context, job)}
            >
              {i18n.t('Stop')}
            </Button>
          )}
          {canCheck(job) && (
            <Button variant="default" onClick={() => checkJob(context, job)}>
              {i18n.t('Check status')}
            </Button>
          )}
          {job.state === 'stopped' && canGoOn(job) && (
            <Button variant="default" onClick={() => resumeJob(context, job)}>
              {i18n.t('Resume')}
            </Button>
          )}
          {job.state !== 'running' && counts.failed + counts.incomplete > 0 && (
            <Button variant="default" onClick={() => retryJob(context, job)}>
              {counts.failed > 0 ? i18n.t('Retry failed') : i18n.t('Retry')}
            </Button>
          )}
          {job.state !== 'running' && isMany && <JobExport job={job} />}
          {canUndo && (
            <Button
              variant="light"
              onClick={() => {
                logInterrupted(server, job);
                undoJob(context, job);
              }}
            >
              {i18n.t('Undo: {what}', { what: shortActionText(action, items) })}
            </Button>
          )}
          {job.state !== 'running' && (
            <ActionIcon
              aria-label={i18n.t('Dismiss: {title}', { title })}
              onClick={() => dismissJob(server, job)}
            >
              <IconX size={14} />
            </ActionIcon>
          )}
        </span>
      </div>
      {job.state === 'stopped' && (job.why || counts.running > 0) && (
        <p className={classes.why} role="alert">
          {job.why
            ? failureSentence(asError(job.why))
            : i18n.t('Stopped. Pending requests may have succeeded; repeating is safe.')}
        </p>
      )}
      {job.state !== 'ended' && isMany && !jobs.isKept(job) && (
        <p className={classes.note}>{i18n.t("Keep this page open. A job this large isn't saved.")}</p>
      )}
      {isInSteps && <StepNotes job={job} />}
      {job.state !== 'running' && <UnredactedNotes job={job} />}
      {unfolded && (
        <JobFailures
          job={job}
          failures={listed}
          onRetry={
            job.state === 'running' ? undefined : ({ transaction }) => retryJob(context, job, transaction)
          }
        />
      )}
    </article>
  );
}

function StateIcon({ job, hasFailures }: { job: Job; hasFailures: boolean }) {
  if (job.state === 'running')
    return <IconClock size={15} stroke={1.7} className={classes.running} aria-hidden />;
  if (job.state === 'ended' && !hasFailures) {
    return <IconCircleCheck size={15} stroke={1.7} className={classes.done} aria-hidden />;
  }
  return <IconAlertTriangle size={15} stroke={1.7} className={classes.failed} aria-hidden />;
}
