/** What became of a job's items, for everyone else: the team's log and marks, and what was loaded before. */
import { mostDoneAtOnce } from '../../team/entries.ts';
import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';
import type { Surroundings } from '../action.ts';
import { actionById } from '../catalogue/catalogue.ts';
import { markReviewed } from '../reviewed-by-acting.ts';
import { type Item, subjectOf } from '../subject.ts';
import { countsOf, type Job, mostLogged } from './job.ts';
import { refresh } from './refresh.ts';

type Outcome = { outcome: 'done' | 'failed' | 'undone'; detail?: string };

/** One item: into the team's log, onto the reports that it was done about, and out of what was loaded of it before. */
export function settle(
  { server, queryClient }: Surroundings,
  { action, answers, items }: Job,
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
  }
  if (what.outcome === 'undone') team.mark(marked.filter(isReviewed), 'open', kind);
  let because = { ...(kind !== 'report' && { of: kind }), reports };
  if (item.kind === 'filed') {
    const of = `${item.of}_report` as const;
    // What is gone waits for nobody, and is nobody's to count.
    if (what.outcome === 'done' && team.marksOf[of].has(item.reportId))
      team.mark([item.reportId], 'open', of);
    because = { of, reports: [item.reportId] };
  }
  if (subject && items.length <= mostLogged) {
    team.record({ action, subject, ...because, ...reason, ...what });
  }
  refresh(queryClient, server.id, item, actionById(action)?.changes);
}

/** The log's words are the same for everyone. */
const count = (value: number) => value.toLocaleString('en');

/**
 * One entry in the team's log for all of a job, or as few as say how many: the first of them stands for the others.
 *
 * @param isOver whether what failed is to be told, where nothing more was done
 */
export function logAll(server: Server, job: Job, isOver = true) {
  const [first] = job.items;
  const subject = first && subjectOf(first.item);
  if (!subject) return;
  const { done, failed, task } = countsOf(job);
  const { action, answers, direction, logged = 0 } = job;
  // What was logged when it was stopped isn't done again by going on.
  const added = done + task - logged;
  if (added <= 0 && !(isOver && failed)) return;
  job.logged = done + task;
  const { record } = teamOf(server).snapshot();
  let left = added;
  do {
    record({
      action,
      subject,
      reports: [],
      ...(answers.reason !== '' && { reason: answers.reason }),
      outcome: direction === 'undo' ? 'undone' : added > 0 ? 'done' : 'failed',
      ...(added > 0 && { count: Math.min(left, mostDoneAtOnce) }),
      detail: `one of ${count(job.items.length)}: ${count(done + task)} done, ${count(failed)} failed`,
    });
    left -= mostDoneAtOnce;
  } while (left > 0);
}
