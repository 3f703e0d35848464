import type { ReportKind } from '../../team/entries.ts';
import { markReviewed } from '../reviewed-by-acting.ts';
import type { Job } from './job.ts';
import { jobsOf } from './job-store.ts';

/** Returns the reports that running jobs are about to resolve: nobody has to look at them any more. */
export const pendingMarks = (serverId: string, of: ReportKind): ReadonlySet<number> =>
  pendingMarksIn(jobsOf(serverId).snapshot(), of);

export function pendingMarksIn(
  jobs: readonly Pick<Job, 'state' | 'direction' | 'answers' | 'items'>[],
  of: ReportKind,
): ReadonlySet<number> {
  const running = jobs.filter(({ state, direction }) => state === 'running' && direction === 'do');
  return new Set(
    running.flatMap(({ items, answers }) =>
      items.flatMap(({ item }) => {
        const { reports = [], reportKind = 'report', further = [] } = item;
        const own = answers.fields[markReviewed] === true && reportKind === of ? reports : [];
        return [...own, ...further.filter((each) => each.of === of).flatMap(({ reports }) => reports)];
      }),
    ),
  );
}
