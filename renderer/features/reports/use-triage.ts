import { useRef } from 'react';
import type { Mark, ReportState } from '../../team/entries.ts';
import { useTeam } from '../../team/use-team.ts';
import type { Queue } from './report-search.ts';
import type { ReportSelection } from './report-selection.ts';
import type { ReportListState } from './rows/use-report-list.ts';

type Context = {
  list: ReportListState;
  queue: Queue | undefined;
  selection: ReportSelection;
  open: (reportId: number | undefined, step: 'click' | 'key') => void;
};

/** What the team's marks are set by, and where one goes on after it. */
export function useTriage({ list, queue, selection, open }: Context) {
  const { marks, mark } = useTeam();
  /** What was marked here, latest last, so that it can be taken back. */
  const made = useRef<(readonly number[])[]>([]);

  /** The next report without a mark, or the next of a queue, after those that are being marked. */
  async function goOn(marked: readonly number[]) {
    const { rows, framed, isSieved } = list;
    const from = selection.here();
    if (from === undefined) return;
    const isOpen = ({ id }: { id: number }) =>
      !marked.includes(id) && (queue !== undefined || !marks.has(id));
    let row = from + 1;
    for (; row < rows.count; row++) {
      const report = rows.at(row);
      if (!report) break;
      if (isOpen(report)) return selection.goTo(row);
    }
    if (isSieved || row >= rows.count) return;
    const found = await framed.findFrom(row, isOpen);
    // Who has opened another one meanwhile stays there.
    if (found !== undefined && selection.here() === from) selection.goTo(found);
  }

  function set(reportIds: readonly number[], state: 'reviewed' | 'escalated') {
    const changed = reportIds.filter((id) => marks.get(id)?.state !== state);
    const isOpenOne = reportIds.length === 1 && reportIds[0] === selection.currentId;
    // Out of a queue that it no longer belongs to, as out of one that it is deleted from.
    if (isOpenOne) void goOn(reportIds);
    if (changed.length > 0) {
      made.current.push(changed);
      mark(changed, state);
    }
    selection.clear();
  }

  return {
    review: (reportIds: readonly number[]) => set(reportIds, 'reviewed'),
    escalate: (reportIds: readonly number[]) => set(reportIds, 'escalated'),
    /** Takes the marks of these back, or the last that were set where these have none. */
    takeBack(reportIds: readonly number[]) {
      const marked = reportIds.filter((id) => marks.has(id));
      if (marked.length > 0) {
        mark(marked, 'open');
        selection.clear();
        return;
      }
      const last = made.current.pop()?.filter((id) => marks.has(id)) ?? [];
      if (last.length === 0) return;
      mark(last, 'open');
      open(last[0], 'key');
    },
    /** Marks them, or takes the mark back where all of them have it. */
    toggle(reportIds: readonly number[], state: 'reviewed' | 'escalated') {
      if (commonState(reportIds, marks) === state) {
        mark(reportIds, 'open');
        selection.clear();
      } else set(reportIds, state);
    },
    nextUnreviewed: () => void goOn([]),
  };
}

/** The state of these reports; `open` where they differ. */
export function commonState(reportIds: readonly number[], marks: ReadonlyMap<number, Mark>): ReportState {
  const [first = 'open', ...others] = new Set(reportIds.map((id) => marks.get(id)?.state ?? 'open'));
  return others.length === 0 ? first : 'open';
}

export type Triage = ReturnType<typeof useTriage>;
