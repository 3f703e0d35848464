/** The other reports on what was acted on, which are marked with those that it was acted on because of. */
import type { ReportKind } from '../../team/entries.ts';
import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';
import type { Item } from '../subject.ts';

export type Marked = { of: ReportKind; reports: readonly number[] };

/** Resolves those that no one has decided about in the meantime, except reports on events that can still be read. */
export function markFurther(
  server: Server,
  { further = [] }: Item,
  unredacted: ReadonlySet<number>,
): Marked[] {
  const { marksOf, mark } = teamOf(server).snapshot();
  return further.flatMap(({ of, reports }) => {
    const open = reports.filter((id) => !marksOf[of].has(id) && !(of === 'report' && unredacted.has(id)));
    mark(open, 'reviewed', of);
    return open.length > 0 ? { of, reports: open } : [];
  });
}

/** What others have decided since stays. */
export function takeBackFurther(server: Server, further: readonly Marked[] = []) {
  const { marksOf, mark } = teamOf(server).snapshot();
  const isOwn = (of: ReportKind, id: number) => {
    const { state, by } = marksOf[of].get(id) ?? {};
    return state === 'reviewed' && by === server.connection.userId;
  };
  for (const { of, reports } of further) {
    mark(
      reports.filter((id) => isOwn(of, id)),
      'open',
      of,
    );
  }
}
