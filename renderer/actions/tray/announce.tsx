import { i18n } from '@lingui/core';
import type { QueryClient } from '@tanstack/react-query';
import { type DoubleDecision, doubleDecisions } from '../../../shared/team/decisions.ts';
import type { ActionEntry, Subject } from '../../../shared/team/entries.ts';
import { overridesEscalation, subjectsOf } from '../../../shared/team/fold.ts';
import { noticesOf } from '../../components/notices.ts';
import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';
import { serverName } from '../../transport/server-name.ts';
import { shortId } from '../../words/clip.ts';
import type { Action, ActionContext } from '../action.ts';
import { actionText, expiryText, furtherText, mediaText, shortActionText } from '../action-words.ts';
import { actionById } from '../catalogue/catalogue.ts';
import { conflictText } from '../decision-conflicts.ts';
import { type Item, undoKeyOf } from '../items.ts';
import { distinctItems, furtherOf, type Job, type JobItem, mediaOf } from '../jobs/job.ts';
import { jobsOf } from '../jobs/job-store.ts';
import { refresh } from '../jobs/refresh.ts';
import { type Run, stopJob, undoJob } from '../jobs/run-job.ts';
import { undoableItems } from '../jobs/steps-of-job.ts';
import { isUndoable } from '../steps.ts';
import { noticeOfMarks } from '../undo-marks.ts';
import { undosOf } from '../undo-stack.ts';

/** Shows a notice for one item, with an undo if there is one. */
export function announceDone(context: ActionContext, action: Action, job: Job) {
  const items = job.items.map(({ item }) => item);
  const done = [actionText(action, 'done', items), mediaText(mediaOf(job)), expiryText(job.items[0]?.until)]
    .filter(Boolean)
    .join(': ');
  const text = [done, action.undo ? furtherText(furtherOf(job)) : ''].filter(Boolean).join(' · ');
  const begun = { key: job.id, at: job.startedAt, subjects: items.map(undoKeyOf) };
  if (job.items.every(({ unchanged }) => unchanged)) {
    undosOf(context.server).withdraw(job.id);
    return noticesOf(context.server).show({ text: i18n.t('No change: {what}', { what: done }) });
  }
  if (!action.undo) return noticesOf(context.server).show({ text: done });
  const undo = async () => {
    withdraw();
    hide();
    const jobs = jobsOf(context.server);
    const run = undoJob(context, job);
    jobs.setHidden(job.id, true);
    await run.settled;
    if (run.job.state === 'ended' && run.job.items.every(({ state }) => state === 'done')) {
      jobs.remove(job.id);
      noticesOf(context.server).show({ text: actionText(action, 'undone', items) });
    } else {
      // The tray shows the reason and the retry.
      jobs.setHidden(job.id, false);
    }
  };
  const withdraw = undosOf(context.server).offer(undo, { ...begun, onEnded: () => hide() });
  const hide = noticesOf(context.server).show({ text, undo, undoLabel: shortActionText(action, items) });
}

/**
 * Offers to stop and undo a job as soon as it starts. For a job that can't be undone, the offer explains that, so that
 * the key doesn't undo an earlier job. Returns a function that withdraws the offer.
 */
export function offerUndoOfJob(
  context: ActionContext,
  action: Action,
  { job, settled }: Pick<Run, 'job' | 'settled'>,
): () => void {
  const jobs = jobsOf(context.server);
  const subjects = distinctItems(job).map(undoKeyOf);
  const offer = () => undosOf(context.server).offer(undo, { key: job.id, at: job.startedAt, subjects });
  const undo = () => {
    const now = jobs.own(job.id) ?? job;
    if (now.direction === 'undo') return false;
    if (now.state === 'running' && !jobs.isOwn(now)) {
      offer();
      return noticesOf(context.server).show({
        text: i18n.t('Still running in another window: {what}', { what: brief() }),
      });
    }
    const isDone = isUndoable(action)
      ? undoableItems(context.server, now).length > 0
      : now.items.some(wasDone);
    if (now.state !== 'running' && !isDone) return false;
    stopJob(context, now);
    jobs.setHidden(job.id, false);
    return settled.then(() => {
      const ended = jobs.own(job.id) ?? job;
      if (undoableItems(context.server, ended).length > 0) undoJob(context, ended);
      else if (!isUndoable(action) && ended.items.some(wasDone))
        noticesOf(context.server).show({
          text: i18n.t("Can't be undone: {what}. Press z again to undo the action before it.", {
            what: brief(),
          }),
        });
    });
  };
  const brief = () => shortActionText(action, distinctItems(job));
  return offer();
}

/** Offers to undo this tab's jobs from before a reload. */
export function offerUndosOfDone(context: ActionContext, jobs: readonly Job[]) {
  for (const job of jobs) {
    const action = actionById(job.action);
    if (action) offerUndoOfJob(context, action, { job, settled: Promise.resolve() });
  }
}

const wasDone = ({ state, unchanged }: JobItem) => (state === 'done' || state === 'task') && !unchanged;

// Handles colleagues' entries: refetches changed data, and shows decisions that conflict with own ones.

/** Returns a function that stops it. */
export const followColleagues = (server: Server, queryClient: QueryClient) =>
  teamOf(server).onNews((entries) => {
    for (const { body } of entries) if (body.type === 'action') void refreshFor(server, queryClient, body);
    const { marksOf } = teamOf(server).snapshot();
    for (const double of doubleDecisions(entries, marksOf, server.connection.userId))
      announceDouble(server, double);
  });

type Acted = Omit<ActionEntry, 'by' | 'at'>;

/** Refetches as after an own action. `detail` has the part of a subject. */
async function refreshFor(server: Server, queryClient: QueryClient, entry: Acted) {
  if (entry.outcome === 'failed') return;
  const changes = [...(actionById(entry.action)?.changes ?? []), ...(entry.detail ? [entry.detail] : [])];
  for (const item of subjectsOf(entry).flatMap(itemOf)) refresh(queryClient, server, item, changes);
}

function itemOf(subject: Subject): Item[] {
  switch (subject.kind) {
    case 'user':
    case 'room':
    case 'event':
      return [subject];
    default:
      return [];
  }
}

function announceDouble(server: Server, { by, mark, reports }: DoubleDecision) {
  const { of = 'report', state, verdict } = mark;
  const marks = teamOf(server).snapshot().marksOf[of];
  const name = shortId(by, serverName(server.connection));
  // An escalation that the user hadn't seen ends the own mark.
  const { lost = [], others = [] } = Object.groupBy(reports, (id) => {
    const own = marks.get(id);
    return state === 'escalated' && own && !overridesEscalation(own) ? 'lost' : 'others';
  });
  if (lost.length > 0) {
    noticeOfMarks(
      server,
      i18n.t('{count, plural, one {Report {id} stays} other {# reports stay}} escalated (also by {by})', {
        count: lost.length,
        id: lost[0],
        by: name,
      }),
    );
  }
  const [id] = others;
  if (id === undefined) return;
  const kinds = ['user', 'room', 'event'] as const;
  const about = kinds.flatMap((kind) => mark.about?.find((subject) => subject.kind === kind) ?? []);
  noticesOf(server).show({
    text: i18n.t(
      '{by} decided {count, plural, one {report {id}} other {# reports}} at the same time ({what})',
      {
        by: name,
        count: others.length,
        id,
        what: conflictText({ action: state, ...(verdict && { verdict }) }),
      },
    ),
    link: about[0] ?? { kind: of, id },
  });
}
