import { i18n } from '@lingui/core';
import { useRef } from 'react';
import {
  type Mark,
  maxReportsPerEntry,
  type ReportKind,
  type ReportState,
  type Subject,
  type Verdict,
} from '../../../../shared/team/entries.ts';
import { policyKind, policyName, usablePolicies } from '../../../../shared/team/policies.ts';
import { decideUnlessConflicting, isBeingDecided } from '../../../actions/decision-conflicts.ts';
import {
  markScope,
  noticeOfMarks,
  offerMarkUndo,
  pendingMarks,
  undoMarks,
} from '../../../actions/undo-marks.ts';
import { undosOf } from '../../../actions/undo-stack.ts';
import { deletionsKeyOf } from '../../../api/reports/deleted-reports.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import { teamOf } from '../../../team/team-store.ts';
import { useMarks } from '../../../team/use-team.ts';
import { verdictName } from '../../../team/verdicts.ts';
import { firstFitting, type ReportRows } from '../list/report-rows.ts';
import type { Queue } from '../report-search.ts';
import type { ReportSelection } from './report-selection.ts';

/** Returns the first row from one on whose report fits, if it is near enough to wait for. */
type FindFrom<Report> = (row: number, fits: (report: Report) => boolean) => Promise<number | undefined>;

type Context<Report extends { id: number }> = {
  of: ReportKind;
  rows: ReportRows<Report>;
  /** Searches beyond the loaded rows; undefined if all rows are loaded. */
  findFrom?: FindFrom<Report> | undefined;
  queue: Queue | undefined;
  selection: ReportSelection<Report>;
  /** Opens the panel that asks for a reason. */
  onEscalate: (reportIds: readonly number[]) => void;
  /** Opens the panel that asks which policy the decision rests on. */
  onUphold: (reportIds: readonly number[]) => void;
  /** Returns the subjects of a report, if it is loaded. */
  subjectsOf: (reportId: number) => readonly Subject[];
  /** Opens a report whose mark was undone. */
  onRestored: (reportIds: readonly number[]) => void;
};

/** Sets and undoes the team's marks, and opens the next report. */
export function useTriage<Report extends { id: number }>({
  of,
  rows,
  findFrom,
  queue,
  selection,
  onEscalate,
  onUphold,
  subjectsOf,
  onRestored,
}: Context<Report>) {
  const { deletedReports } = useConsole();
  const server = useServer();
  const marks = useMarks(of);
  const isOfDecided = queue === 'escalated' || queue === 'resolved';

  /** Opens the next report without a mark, or the next in a queue of marked ones; if there is none below, the first. */
  async function openNext(marked: readonly number[]) {
    const from = selection.currentRow();
    const next = selection.currentId === undefined && from === undefined ? 0 : selection.next();
    if (next === undefined) return selection.whenRowKnown(() => openNextUnlessUndone(marked));
    const pending = pendingMarks(server, of);
    const isOpen = ({ id }: { id: number }) =>
      id !== selection.currentId &&
      !marked.includes(id) &&
      !pending.has(id) &&
      !isBeingDecided(server, { of, id }) &&
      (isOfDecided || !marks.has(id));
    const parts = [
      [next, rows.count],
      [0, Math.min(next, rows.count)],
    ] as const;
    for (const [start, end] of parts) {
      const first = firstFitting(rows, start, end, isOpen);
      if (first?.isKnown) return selection.goTo(first.row);
      const found = first && (await findFrom?.(first.row, isOpen));
      // Another report was opened in the meantime.
      if (selection.currentRow() !== from) return;
      if (found !== undefined && found < end) return selection.goTo(found);
    }
  }

  const latestOpenNext = useRef(openNext);
  latestOpenNext.current = openNext;
  /** Runs after the click, with the list of that time. */
  function openNextUnlessUndone(marked: readonly number[]) {
    const now = teamOf(server).snapshot().marksOf[of];
    if (marked.every((id) => now.has(id) || isBeingDecided(server, { of, id })))
      void latestOpenNext.current(marked);
  }

  /** Deleted reports have no state. */
  function change(reportIds: readonly number[], state: ReportState, verdict?: Verdict, policy?: string) {
    const stones = deletedReports.of(deletionsKeyOf(server.id, of));
    const stateOf = (id: number) => marks.get(id)?.state ?? 'open';
    const isChanged = (id: number) =>
      stateOf(id) !== state ||
      (verdict !== undefined && marks.get(id)?.verdict !== verdict) ||
      (policy !== undefined && marks.get(id)?.policy !== policy);
    const changed = reportIds.filter((id) => stones.get(id) !== 'gone' && isChanged(id));
    if (changed.length === 0) return;
    const formerly = changed.map((id) => {
      const before = marks.get(id);
      return {
        of,
        id,
        state: stateOf(id),
        ...(before?.verdict && { verdict: before.verdict }),
        ...(before?.policy && { policy: before.policy }),
      };
    });
    const [id, ...others] = changed;
    const namesSubjects = state === 'escalated' || verdict !== undefined;
    const about = id !== undefined && others.length === 0 && namesSubjects ? [...subjectsOf(id)] : [];
    const markChange = { state, formerly, ...(about.length > 0 && { about }), at: Date.now() };
    teamOf(server).snapshot().mark(changed, state, of, { about, verdict, policy });
    const undo = () => {
      withdraw();
      undoMarks(server, markChange, ({ id }) => stones.get(id) === 'gone');
      if (changed.length === 1) onRestored(changed);
    };
    const withdraw = offerMarkUndo(server, markChange, undo);
    // The notice of quick marks in a row names the last one.
    noticeOfMarks(server, marked(changed, state, verdict, policyText(policy)), {
      run: undo,
      what: reportsInUndo(changed),
    });
  }

  const policyText = (policy: string | undefined) =>
    policy === undefined ? '' : policyName(teamOf(server).snapshot().documents(policyKind), policy);

  /** @param onDecided called with the reports that no colleague has just decided */
  function set(
    reportIds: readonly number[],
    state: ReportState,
    {
      verdict,
      policy,
      onDecided,
    }: { verdict?: Verdict; policy?: string; onDecided?: (ids: readonly number[]) => void } = {},
  ) {
    const isOpenOne = reportIds.length === 1 && reportIds[0] === selection.currentId;
    // Leaves a queue that the report no longer belongs to.
    if (isOpenOne && (state !== 'open' || isOfDecided)) void openNext(reportIds);
    decideUnlessConflicting(
      server,
      state,
      reportIds,
      (id) => [{ of, id }],
      (left) => {
        change(left, state, verdict, policy);
        onDecided?.(left);
      },
    );
    selection.clear();
  }

  function noteReason(reportIds: readonly number[], reason: string) {
    const { note } = teamOf(server).snapshot();
    for (let start = 0; reason && start < reportIds.length; start += maxReportsPerEntry) {
      const [id = 0, ...rest] = reportIds.slice(start, start + maxReportsPerEntry);
      const about = reportIds.length === 1 ? subjectsOf(id) : [];
      note({ kind: of, id }, reason, {
        escalation: true,
        ...(rest.length > 0 && { others: rest.map((other) => ({ kind: of, id: other })) }),
        ...(about.length > 0 && { about: [...about] }),
      });
    }
  }

  /** Asks for the policy first if the team has any. */
  function review(reportIds: readonly number[], verdict?: Verdict) {
    const hasPolicies = () => usablePolicies(teamOf(server).snapshot().documents(policyKind)).length > 0;
    if (verdict === 'upheld' && hasPolicies()) onUphold(reportIds);
    else set(reportIds, 'reviewed', { ...(verdict && { verdict }) });
  }

  return {
    review,
    /** Resolves reports as upheld. */
    uphold: (reportIds: readonly number[], policy: string | undefined) =>
      set(reportIds, 'reviewed', { verdict: 'upheld', ...(policy !== undefined && { policy }) }),
    escalate: onEscalate,
    /** Escalates reports, with a note if there is a reason. */
    escalateFor(reportIds: readonly number[], reason: string) {
      set(reportIds, 'escalated', { onDecided: (ids) => noteReason(ids, reason) });
    },
    /** Undoes the marks of these reports, or the last ones set if these have none. */
    undo(reportIds: readonly number[]) {
      if (!reportIds.some((id) => marks.has(id))) {
        undosOf(server).undoLatest(markScope(of, 'reviewed'));
        return;
      }
      set(reportIds, 'open');
    },
    /** Marks reports, or removes the mark if all of them have it. */
    toggle(reportIds: readonly number[], state: 'reviewed' | 'escalated', verdict?: Verdict) {
      if (verdict) review(reportIds, verdict);
      else if (commonState(reportIds, marks) === state) set(reportIds, 'open');
      else if (state === 'escalated') onEscalate(reportIds);
      else set(reportIds, state);
    },
    nextUnreviewed: () => void openNext([]),
    /** Opens the next report after an action, unless the open one isn't among those acted on. */
    openNextAfter(reportIds: readonly number[]) {
      const { currentId } = selection;
      if (currentId === undefined || reportIds.includes(currentId)) void openNext(reportIds);
    },
  };
}

/** Returns the state of these reports; `open` if they differ. */
export function commonState(reportIds: readonly number[], marks: ReadonlyMap<number, Mark>): ReportState {
  const [first = 'open', ...others] = new Set(reportIds.map((id) => marks.get(id)?.state ?? 'open'));
  return others.length === 0 ? first : 'open';
}

export const reportsInUndo = (ids: readonly number[]): string =>
  i18n.t('{count, plural, one {report {id}} other {# reports}}', { count: ids.length, id: ids[0] });

export function marked(
  reportIds: readonly number[],
  state: ReportState,
  verdict: Verdict | undefined,
  policy = '',
): string {
  const done = stateSet(reportIds, state);
  return [done, verdict && verdictName(verdict), policy].filter(Boolean).join(' · ');
}

function stateSet([id, ...others]: readonly number[], state: ReportState): string {
  if (others.length === 0) {
    switch (state) {
      case 'reviewed':
        return i18n.t('Report {id} resolved', { id });
      case 'escalated':
        return i18n.t('Report {id} escalated', { id });
      case 'open':
        return i18n.t('Report {id} reopened', { id });
    }
  }
  const count = others.length + 1;
  switch (state) {
    case 'reviewed':
      return i18n.t('{count, plural, one {# report} other {# reports}} resolved', {
        count,
      });
    case 'escalated':
      return i18n.t('{count, plural, one {# report} other {# reports}} escalated', {
        count,
      });
    case 'open':
      return i18n.t('{count, plural, one {# report} other {# reports}} reopened', {
        count,
      });
  }
}

export type Triage = ReturnType<typeof useTriage>;
