/** Records outcomes in the team's log, the marks of reports and the query cache. */

import { i18n } from '@lingui/core';
import { type Answers, limitIn } from '../../../shared/team/action-inputs.ts';
import type { ReportKind } from '../../../shared/team/entries.ts';
import { noticesOf } from '../../components/notices.ts';
import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';
import { type ActionContext, markReviewed } from '../action.ts';
import { furtherText } from '../action-words.ts';
import { type Item, reasonFor, subjectOf, undoKeyOf } from '../items.ts';
import { updateLimits } from '../scheduled/schedule.ts';
import { undosOf } from '../undo-stack.ts';
import { isLoggedTogether, type Job, type JobItem, openReportsOf, policyOf, strikeOf } from './job.ts';
import { jobsOf } from './job-store.ts';
import { refresh } from './refresh.ts';
import { actionOf } from './steps-of-job.ts';

/** Reports that led to an action were right. */
const actedOn = (answers: Answers) => ({ verdict: 'upheld', policy: policyOf({ answers }) }) as const;

type Outcome = { outcome: 'done' | 'failed' | 'undone'; detail?: string };

/** Logs an item's outcome, marks its reports and refreshes its queries. */
export function recordOutcome(
  { server, queryClient }: ActionContext,
  job: Job,
  entry: Pick<JobItem, 'item' | 'step' | 'unredacted' | 'transaction' | 'unchanged'>,
  what: Outcome,
) {
  const { answers } = job;
  const { item, step } = entry;
  const action = actionOf(job, entry);
  const why = reasonFor(answers, item);
  const reason = why === '' ? {} : { reason: why };
  const subject = subjectOf(item);
  const team = teamOf(server).snapshot();
  const { reports = [], reportKind: kind = 'report' } = item;
  const marksHere = step === undefined || action?.onlyMarks;
  const open = kind === 'report' ? openReportsOf(entry) : new Set<number>();
  const marked = marksHere && answers.fields[markReviewed] ? reports.filter((id) => !open.has(id)) : [];
  const isReviewed = (id: number) => team.marksOf[kind].get(id)?.state === 'reviewed';
  if (what.outcome === 'done') {
    const unreviewed = marked.filter((id) => !isReviewed(id));
    team.mark(unreviewed, 'reviewed', kind, actedOn(answers));
    if (action?.endsItem) undosOf(server).endSubject(undoKeyOf(item), job.id);
    if (item.kind === 'event' && action?.id === 'redact-event') jobsOf(server).redacted(item.eventId);
    const further = markFurther(server, item, answers, openReportsOf(entry));
    if (further.length > 0 && !action?.undo) {
      announceFurther(server, job.id, further);
    }
  }
  if (what.outcome === 'undone') {
    const escalated = new Set(item.escalated);
    const before = Map.groupBy(marked.filter(isReviewed), (report) => escalated.has(report));
    team.mark(before.get(true) ?? [], 'escalated', kind);
    team.mark(before.get(false) ?? [], 'open', kind);
    reopenFurther(server, item.further);
  }
  const because = { ...(kind !== 'report' && { of: kind }), reports };
  if (subject && !isLoggedTogether(job) && !action?.onlyMarks) {
    const strike = what.outcome === 'failed' || subject.kind !== 'user' ? undefined : strikeOf(job);
    const policy = policyOf(job);
    // The log has no files: the detail names them.
    const isFileFailure = item.kind === 'media' && what.outcome === 'failed';
    const detail = isFileFailure ? [item.uri, what.detail].filter(Boolean).join('\n') : what.detail;
    team.record({
      action: step ?? job.action,
      subject,
      ...because,
      ...reason,
      outcome: what.outcome,
      ...(what.outcome === 'done' && entry.unchanged && { unchanged: true }),
      ...(detail !== undefined && { detail }),
      ...(policy !== undefined && { policy }),
      ...(strike && { strike }),
    });
  }
  if (what.outcome !== 'failed' && action) updateLimits(server, action, item, limitOf(job, entry, what));
  refresh(queryClient, server, item, action?.changes);
}

// Other open reports on the same item, which the action also resolves.

type Marked = { of: ReportKind; reports: readonly number[]; escalated?: readonly number[] };

/** Resolves the reports that no one else has decided, except those on events that couldn't be redacted. */
function markFurther(
  server: Server,
  { further = [] }: Item,
  answers: Answers,
  unredacted: ReadonlySet<number>,
): Marked[] {
  const { marksOf, mark } = teamOf(server).snapshot();
  return further.flatMap(({ of, reports, escalated = [] }) => {
    const isUndecided = (id: number) => {
      const state = marksOf[of].get(id)?.state;
      return state === undefined || (state === 'escalated' && escalated.includes(id));
    };
    const open = reports.filter((id) => isUndecided(id) && !(of === 'report' && unredacted.has(id)));
    mark(open, 'reviewed', of, actedOn(answers));
    return open.length > 0 ? { of, reports: open, escalated } : [];
  });
}

/** Reopens reports, except those that another admin has changed since. */
function reopenFurther(server: Server, further: readonly Marked[] = []) {
  const { marksOf, mark } = teamOf(server).snapshot();
  const isOwn = (of: ReportKind, id: number) => {
    const { state, by } = marksOf[of].get(id) ?? {};
    return state === 'reviewed' && by === server.connection.userId;
  };
  for (const { of, reports, escalated = [] } of further) {
    const own = Map.groupBy(
      reports.filter((id) => isOwn(of, id)),
      (id) => escalated.includes(id),
    );
    mark(own.get(true) ?? [], 'escalated', of);
    mark(own.get(false) ?? [], 'open', of);
  }
}

/** The notice of the last job that resolved other reports. */
const furtherNotice = () => ({ job: '', marked: [] as Marked[], hide: () => {} });

/** Shows one notice per job with an undo for the marks only, as the action itself has no undo. */
function announceFurther(server: Server, job: string, marked: readonly Marked[]) {
  const last = server.state(furtherNotice);
  const isSame = last.job === job;
  if (isSame) last.hide();
  const all = [...(isSame ? last.marked : []), ...marked];
  const undo = () => {
    withdraw();
    hide();
    last.job = '';
    reopenFurther(server, all);
    noticesOf(server).show({ text: i18n.t('Other reports reopened') });
  };
  const withdraw = undosOf(server).offer(undo);
  const count = all.reduce((sum, { reports }) => sum + reports.length, 0);
  const hide = noticesOf(server).show({
    text: furtherText(count),
    undo,
    undoLabel: i18n.t('{count, plural, one {# other report} other {# other reports}}', { count }),
  });
  Object.assign(last, {
    job,
    marked: all,
    hide() {
      withdraw();
      hide();
    },
  });
}

/** Returns the time limit of an action that was done. */
function limitOf(
  { answers: { fields, reason } }: Job,
  { transaction }: Pick<JobItem, 'transaction'>,
  { outcome }: Outcome,
) {
  const limit = limitIn(fields);
  return outcome === 'done' && limit ? { key: transaction, reason, ...limit } : undefined;
}
