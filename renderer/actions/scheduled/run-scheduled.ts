/** Carries out due scheduled actions: one console at a time, and never against a later decision. */
import { i18n } from '@lingui/core';
import { ConnectionFailure } from '../../../shared/connection.ts';
import {
  isLate,
  laterDecision,
  type Scheduled,
  type ScheduledAction,
  scheduledIn,
  scheduledKind,
} from '../../../shared/team/scheduled.ts';
import { membershipQuery } from '../../api/memberships.ts';
import { mutedQuery } from '../../api/power-levels.ts';
import { roomBlockQuery } from '../../api/room.ts';
import { getUser } from '../../api/user-changes.ts';
import { noticesOf } from '../../components/notices.ts';
import { teamOf } from '../../team/team-store.ts';
import { failureSentence, NotFound } from '../../transport/refusal.ts';
import { serverName } from '../../transport/server-name.ts';
import { shortId } from '../../words/clip.ts';
import type { ActionContext, ItemState } from '../action.ts';
import { shortActionText } from '../action-words.ts';
import { actionById } from '../catalogue/catalogue.ts';
import type { Item } from '../items.ts';
import { asError } from '../jobs/job.ts';
import { jobsOf } from '../jobs/job-store.ts';
import { startJob } from '../jobs/run-job.ts';
import { announceDone } from '../tray/announce.tsx';
import { alone, claimDocuments, isComplete } from './document-claims.ts';
import { itemOf, subjectOfScheduled } from './schedule.ts';

const checkMs = 5_000;
/** Delay before this page retries an action that failed without a reply. */
const retryMs = 10 * 60_000;

/** Starts carrying out due actions. Returns a function that stops it. */
export function runScheduled(context: ActionContext): () => void {
  const { server } = context;
  const store = teamOf(server);
  const isOwnTurn = claimDocuments(server, scheduledKind);
  const notBefore = new Map<string, number>();
  let isBusy = false;

  async function check() {
    if (isBusy) return;
    const team = store.snapshot();
    if (!isComplete(team)) return;
    isBusy = true;
    try {
      const now = Date.now();
      const due = scheduledIn(team).filter((each) => each.at <= now && (notBefore.get(each.key) ?? 0) <= now);
      for (const scheduled of due)
        if (isTurnOf(scheduled)) await alone(`gatehouse scheduled ${server.id}`, () => carryOut(scheduled));
    } finally {
      isBusy = false;
    }
  }

  const isTurnOf = ({ key, since: _, ...content }: ScheduledAction) =>
    isOwnTurn(key, (claimed) => ({ ...content, claimed }) satisfies Scheduled);

  async function carryOut({ key }: ScheduledAction) {
    // Another tab may have done it while this one waited.
    const scheduled = scheduledIn(store.snapshot()).find((each) => each.key === key);
    if (!scheduled) return;
    notBefore.set(key, Date.now() + retryMs);
    try {
      const isOver = await runOne(context, scheduled);
      if (isOver) store.snapshot().putDocument(scheduledKind, key, null);
    } catch (error) {
      if (!(error instanceof ConnectionFailure)) throw error;
    }
  }

  const timer = setInterval(check, checkMs);
  const unsubscribe = store.subscribe(() => void check());
  void check();
  return () => {
    clearInterval(timer);
    unsubscribe();
  };
}

/** Runs a due action. Returns whether it's over: done, refused or obsolete. @throws ConnectionFailure */
async function runOne(context: ActionContext, scheduled: ScheduledAction): Promise<boolean> {
  const { server } = context;
  const action = actionById(scheduled.action);
  // An action of a later console.
  if (!action) return false;
  const item = itemOf(scheduled);
  const what = shortActionText(action, [item]);
  const subject = subjectOfScheduled(scheduled);
  const reason = [`Scheduled by ${scheduled.by}`, scheduled.reason].filter(Boolean).join(': ');
  const later = laterDecision(scheduled, teamOf(server).snapshot().timeline(subject));
  if (later || action.applies?.(await knownOf(context, item)) === false) {
    const why = later
      ? i18n.t('{name} has decided otherwise since then', {
          name: shortId(later.by, serverName(server.connection)),
        })
      : i18n.t('nothing left to do');
    // Not a failure: a console that can't write to the team room since then, because its own user is suspended, may
    // have carried it out.
    const outcome = later
      ? ({ outcome: 'failed', detail: `dropped: changed by ${later.by}` } as const)
      : ({ outcome: 'done', unchanged: true } as const);
    teamOf(server)
      .snapshot()
      .record({ action: action.id, subject, reports: [], reason, ...outcome });
    noticesOf(server).show({ text: i18n.t('Scheduled action dropped: {what} ({why})', { what, why }) });
    return true;
  }
  const jobs = jobsOf(server);
  const run = startJob(context, {
    action,
    items: [item],
    answers: { reason, fields: scheduled.fields ?? {} },
  });
  if (!action.steps) jobs.setHidden(run.job.id, true);
  await run.settled;
  const job = structuredClone(run.job);
  const { items, state } = job;
  if (state === 'stopped') {
    jobs.remove(job.id);
    return false;
  }
  if (action.steps || items[0]?.state === 'task') {
    jobs.setHidden(job.id, false);
    return true;
  }
  jobs.remove(job.id);
  const failure = items[0]?.failure;
  if (failure) {
    noticesOf(server).show({
      text: i18n.t('Scheduled action failed: {what}. {why}', {
        what,
        why: failureSentence(asError(failure)),
      }),
      isFailure: true,
    });
  } else {
    announceDone(context, action, job);
    if (isLate(scheduled, Date.now()))
      noticesOf(server).show({ text: i18n.t('This scheduled action was late.') });
  }
  return true;
}

/** Returns the current state of an item; nothing if it's unknown or gone, which the action reports itself. */
async function knownOf({ server, queryClient }: ActionContext, item: Item): Promise<ItemState> {
  const fresh = { staleTime: 0, retry: false };
  try {
    if (item.kind === 'user') return { user: await getUser(server, item.userId) };
    if (item.kind === 'room') {
      const { block } = await queryClient.fetchQuery({ ...roomBlockQuery(server, item.roomId), ...fresh });
      return { blocked: block };
    }
    if (item.kind === 'member') {
      const membership = await queryClient.fetchQuery({ ...membershipQuery(server, item), ...fresh });
      const muted = await queryClient.fetchQuery({ ...mutedQuery(server, item), ...fresh });
      return { membership: membership ?? undefined, muted };
    }
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
  return {};
}
