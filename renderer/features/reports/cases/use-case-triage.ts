import {
  type CaseChange,
  maxReportsPerEntry,
  type ReportState,
  type Subject,
  type Verdict,
} from '../../../../shared/team/entries.ts';
import { policyKind, policyName, usablePolicies } from '../../../../shared/team/policies.ts';
import { changeCase } from '../../../actions/change-case.ts';
import { decideUnlessConflicting } from '../../../actions/decision-conflicts.ts';
import { noticeOfMarks, offerMarkUndo, undoMarks } from '../../../actions/undo-marks.ts';
import { useServer } from '../../../console-context.ts';
import { teamOf } from '../../../team/team-store.ts';
import { marked, reportsInUndo } from '../desk/use-triage.ts';
import { subjectsOfReport } from '../subjects-of-report.ts';
import { type CaseReport, type CaseRow, decidable, type Marks } from './cases.ts';

type Options = {
  marks: Marks;
  /** Called before a decision. */
  onDecide: (state: ReportState) => void;
  /** Opens the panel that asks for the policy. */
  onUphold: (row: CaseRow) => void;
  /** Opens a case whose decision was undone. */
  onRestored: (key: string) => void;
};

export type CaseTriage = ReturnType<typeof useCaseTriage>;

/** Decides cases: marks all of their reports, with one undo. */
export function useCaseTriage({ marks, onDecide, onUphold, onRestored }: Options) {
  const server = useServer();

  function change(
    row: CaseRow,
    reports: readonly CaseReport[],
    state: ReportState,
    verdict?: Verdict,
    policy?: string,
  ) {
    const before = ({ of, id }: CaseReport) => marks[of].get(id);
    const changed = reports.filter((report) => {
      const mark = before(report);
      return (
        (mark?.state ?? 'open') !== state ||
        (verdict !== undefined && mark?.verdict !== verdict) ||
        (policy !== undefined && mark?.policy !== policy)
      );
    });
    if (changed.length === 0) return;
    const about = subjectsOfCase(row, changed);
    const formerly = changed.map((report) => {
      const mark = before(report);
      const { of, id } = report;
      return {
        of,
        id,
        state: mark?.state ?? 'open',
        ...(mark?.verdict && { verdict: mark.verdict }),
        ...(mark?.policy && { policy: mark.policy }),
      };
    });
    const { mark } = teamOf(server).snapshot();
    for (const [of, those] of Map.groupBy(changed, (report) => report.of)) {
      mark(
        those.map(({ id }) => id),
        state,
        of,
        { about, verdict, policy },
      );
    }
    const markChange = { state, formerly, about, at: Date.now() };
    const undo = () => {
      withdraw();
      undoMarks(server, markChange);
      onRestored(row.key);
    };
    const withdraw = offerMarkUndo(server, markChange, undo);
    const ids = changed.map(({ id }) => id);
    noticeOfMarks(server, marked(ids, state, verdict, policyText(policy)), {
      run: undo,
      what: reportsInUndo(ids),
    });
  }

  const policies = () => teamOf(server).snapshot().documents(policyKind);
  const policyText = (policy: string | undefined) =>
    policy === undefined ? '' : policyName(policies(), policy);

  /** @param onDecided called unless a colleague has just decided the case */
  function set(
    row: CaseRow,
    state: ReportState,
    {
      verdict,
      policy,
      onDecided,
    }: { verdict?: Verdict | undefined; policy?: string | undefined; onDecided?: () => void } = {},
  ) {
    const reports = decidable(row, marks);
    onDecide(state);
    decideUnlessConflicting(
      server,
      state,
      [row],
      () => reports,
      () => {
        change(row, reports, state, verdict, policy);
        onDecided?.();
      },
    );
  }

  return {
    /** Asks for the policy first if the team has any. */
    resolve(row: CaseRow, verdict?: Verdict) {
      if (verdict === 'upheld' && usablePolicies(policies()).length > 0) onUphold(row);
      else set(row, 'reviewed', { verdict });
    },
    uphold: (row: CaseRow, policy: string | undefined) => set(row, 'reviewed', { verdict: 'upheld', policy }),
    /** @param onDecided called unless a colleague has just decided the case */
    resolveAs: (
      row: CaseRow,
      verdict: Verdict | undefined,
      policy: string | undefined,
      onDecided: () => void,
    ) => set(row, 'reviewed', { verdict, policy, onDecided }),
    reopen: (row: CaseRow) => set(row, 'open'),
    /** Escalates the open reports, with a note if there is a reason. */
    escalate(row: CaseRow, reason: string) {
      const reports = row.unresolved.slice(0, maxReportsPerEntry);
      const [first, ...others] = reports.map(({ of, id }): Subject => ({ kind: of, id }));
      const about = subjectsOfCase(row, reports);
      const more = { escalation: true, about, ...(others.length > 0 && { others }) };
      const note = () => first && reason && teamOf(server).snapshot().note(first, reason, more);
      set(row, 'escalated', { onDecided: () => void note() });
    },
    /** Assigns, rates, snoozes or quiets a case. */
    decide: (row: CaseRow, changes: CaseChange, text: string) =>
      changeCase(server, row.subject, changes, text),
  };
}

/** The subjects of marks: the case's subject, for one report also its event and room. */
function subjectsOfCase({ subject }: CaseRow, reports: readonly CaseReport[]): Subject[] {
  const [only, ...others] = reports;
  return others.length === 0 && only?.event ? subjectsOfReport(only.event) : [subject];
}
