import type { ReportKind } from '../../team/entries.ts';
import { jobsOf } from './job-store.ts';

/** Returns the reports that running jobs are about to resolve: nobody has to look at them any more. */
export function pendingMarks(serverId: string, of: ReportKind): ReadonlySet<number> {
  const running = jobsOf(serverId)
    .snapshot()
    .filter(({ state, direction }) => state === 'running' && direction === 'do');
  return new Set(
    running.flatMap(({ items }) =>
      items.flatMap(({ item }) =>
        (item.further ?? []).filter((each) => each.of === of).flatMap(({ reports }) => reports),
      ),
    ),
  );
}
