/** What became of each of a job's items, for everyone else: the team's log and marks, and what was loaded before. */
import { teamOf } from '../../team/team-store.ts';
import type { Surroundings } from '../action.ts';
import { markReviewed } from '../reviewed-by-acting.ts';
import { subjectOf } from '../subject.ts';
import { announceFurther } from './announce-further.ts';
import { isLoggedTogether, type Job, type JobItem, openReportsOf } from './job.ts';
import { jobsOf } from './job-store.ts';
import { markFurther, takeBackFurther } from './mark-further.ts';
import { refresh } from './refresh.ts';
import { actionOf } from './steps-of-job.ts';

type Outcome = { outcome: 'done' | 'failed' | 'undone'; detail?: string };

/** One item: into the team's log, onto the reports that it was done about, and out of what was loaded of it before. */
export function settle(
  { server, queryClient }: Surroundings,
  job: Job,
  entry: Pick<JobItem, 'item' | 'step' | 'unredacted'>,
  what: Outcome,
) {
  const { answers } = job;
  const { item, step } = entry;
  const action = actionOf(job, entry);
  const reason = answers.reason === '' ? {} : { reason: answers.reason };
  const subject = subjectOf(item);
  const team = teamOf(server).snapshot();
  const { reports = [], reportKind: kind = 'report' } = item;
  const marksHere = step === undefined || action?.onlyMarks;
  const open = kind === 'report' ? openReportsOf(entry) : new Set<number>();
  const marked = marksHere && answers.fields[markReviewed] ? reports.filter((id) => !open.has(id)) : [];
  const isReviewed = (id: number) => team.marksOf[kind].get(id)?.state === 'reviewed';
  if (what.outcome === 'done') {
    const unreviewed = marked.filter((id) => !isReviewed(id));
    team.mark(unreviewed, 'reviewed', kind);
    if (item.kind === 'event' && action?.id === 'redact-event') jobsOf(server.id).redacted(item.eventId);
    const further = markFurther(server, item, openReportsOf(entry));
    if (further.length > 0 && !action?.undo) {
      announceFurther(server, job.id, further);
    }
  }
  if (what.outcome === 'undone') {
    const escalated = new Set(item.escalated);
    const before = Map.groupBy(marked.filter(isReviewed), (report) => escalated.has(report));
    team.mark(before.get(true) ?? [], 'escalated', kind);
    team.mark(before.get(false) ?? [], 'open', kind);
    takeBackFurther(server, item.further);
  }
  const because = { ...(kind !== 'report' && { of: kind }), reports };
  if (subject && !isLoggedTogether(job) && !action?.onlyMarks) {
    team.record({ action: step ?? job.action, subject, ...because, ...reason, ...what });
  }
  refresh(queryClient, server.id, item, action?.changes);
}
