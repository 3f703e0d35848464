/** The other reports on what was acted on, which are marked with those that it was acted on because of. */
import { i18n } from '@lingui/core';
import { showNotice } from '../../components/notice.tsx';
import type { ReportKind } from '../../team/entries.ts';
import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';
import { sayFurther } from '../action-words.ts';
import { offerUndo } from '../latest-undo.ts';
import type { Item } from '../subject.ts';

type Marked = { of: ReportKind; reports: readonly number[] };

/** Those that nobody has decided about meanwhile; gives them. */
export function markFurther(server: Server, { further = [] }: Item): Marked[] {
  const { marksOf, mark } = teamOf(server).snapshot();
  return further.flatMap(({ of, reports }) => {
    const open = reports.filter((id) => !marksOf[of].has(id));
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

let last: { job: string; marked: Marked[]; hide: () => void } | undefined;

/** Of what can't be taken back itself, a line for each job says what was marked, and takes that back. */
export function announceFurther(server: Server, job: string, marked: readonly Marked[]) {
  if (marked.length === 0) return;
  const before = last?.job === job ? last : undefined;
  before?.hide();
  const all = [...(before?.marked ?? []), ...marked];
  const undo = () => {
    withdraw();
    hide();
    last = undefined;
    takeBackFurther(server, all);
    showNotice({ text: i18n.t('The other reports are open again') });
  };
  const withdraw = offerUndo(undo);
  const hide = showNotice({
    text: sayFurther(all.reduce((sum, { reports }) => sum + reports.length, 0)),
    undo,
  });
  last = {
    job,
    marked: all,
    hide() {
      withdraw();
      hide();
    },
  };
}
