/** What became of each of a job's items, for everyone else: the team's log and marks, and what was loaded before. */
import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';
import type { Surroundings } from '../action.ts';
import { actionById } from '../catalogue/catalogue.ts';
import { markReviewed } from '../reviewed-by-acting.ts';
import { type Item, subjectOf } from '../subject.ts';
import { type Job, mostLogged } from './job.ts';
import { markFurther, takeBackFurther } from './mark-further.ts';
import { refresh } from './refresh.ts';

/** An item with what its undo needs to know of the reports that it is acted on because of. */
export function withMarks(server: Server, item: Item): Item {
  const { marksOf } = teamOf(server).snapshot();
  const { reports = [], reportKind = 'report' } = item;
  const escalated = reports.filter((id) => marksOf[reportKind].get(id)?.state === 'escalated');
  return escalated.length > 0 ? { ...item, escalated } : item;
}

type Outcome = { outcome: 'done' | 'failed' | 'undone'; detail?: string };

/** One item: into the team's log, onto the reports that it was done about, and out of what was loaded of it before. */
export function settle(
  { server, queryClient }: Surroundings,
  { id, action, answers, items }: Job,
  item: Item,
  what: Outcome,
) {
  const reason = answers.reason === '' ? {} : { reason: answers.reason };
  const subject = subjectOf(item);
  const team = teamOf(server).snapshot();
  const { reports = [], reportKind: kind = 'report' } = item;
  const marked = answers.fields[markReviewed] ? reports : [];
  const isReviewed = (id: number) => team.marksOf[kind].get(id)?.state === 'reviewed';
  if (what.outcome === 'done') {
    const unreviewed = marked.filter((id) => !isReviewed(id));
    team.mark(unreviewed, 'reviewed', kind);
    const further = markFurther(server, item);
    if (further.length > 0 && !actionById(action)?.undo) {
      void import('./announce-further.ts').then(({ announceFurther }) =>
        announceFurther(server, id, further),
      );
    }
  }
  if (what.outcome === 'undone') {
    const escalated = new Set(item.escalated);
    const before = Map.groupBy(marked.filter(isReviewed), (report) => escalated.has(report));
    team.mark(before.get(true) ?? [], 'escalated', kind);
    team.mark(before.get(false) ?? [], 'open', kind);
    takeBackFurther(server, item.further);
  }
  let because = { ...(kind !== 'report' && { of: kind }), reports };
  if (item.kind === 'filed') {
    const of = `${item.of}_report` as const;
    because = { of, reports: [item.reportId] };
  }
  if (subject && items.length <= mostLogged) {
    team.record({ action, subject, ...because, ...reason, ...what });
  }
  refresh(queryClient, server.id, item, actionById(action)?.changes);
}

/** What writes the log of a job on very many: few need it. */
export const loadLog = () => import('./log-job.ts');
