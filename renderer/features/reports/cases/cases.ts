/** Gathers reports of all kinds into cases, and computes their priority. */
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import {
  type CaseDecisions,
  type Cases,
  caseKey,
  caseSubjectOf,
  isClaimExpired,
  isMutedReporter,
  isWatched,
} from '../../../../shared/team/cases.ts';
import type { CaseSubject, Mark, ReportKind, Severity, Verdict } from '../../../../shared/team/entries.ts';
import {
  type Accuracy,
  accuraciesOf,
  type KeyedRule,
  type RuledReport,
  type RuledSeverity,
  type RuleFacts,
  ruledSeverities,
} from '../../../../shared/team/rules.ts';
import type { FiledReport } from '../../../api/reports/filed-reports.ts';
import type { CaseOrder, CaseQueue, TeamQueue } from './case-search.ts';
import { type Script, scriptOf } from './script.ts';

/** A report of any kind. `at` is in milliseconds since the Unix epoch. */
export type CaseReport = {
  of: ReportKind;
  id: number;
  at: number;
  /** The reporter. */
  by: string;
  reason: string;
  /** Only for event reports. */
  event?: EventReportItem;
};

/** All scanned reports on a user, else a room, else an event. Newest first. */
export type Case = { key: string; subject: CaseSubject; reports: readonly [CaseReport, ...CaseReport[]] };

export type Marks = Readonly<Record<ReportKind, ReadonlyMap<number, Mark>>>;

export function gatherCases(
  onEvents: readonly EventReportItem[],
  onUsers: readonly FiledReport[],
  onRooms: readonly FiledReport[],
): Case[] {
  const cases = new Map<string, { subject: CaseSubject; reports: [CaseReport, ...CaseReport[]] }>();
  function add(subject: CaseSubject, report: CaseReport) {
    const key = caseKey(subject);
    const found = cases.get(key);
    if (found) found.reports.push(report);
    else cases.set(key, { subject, reports: [report] });
  }
  const filed = (of: ReportKind, { id, received_ts: at, by, reason }: FiledReport) => ({
    of,
    id,
    at,
    by,
    reason,
  });
  for (const event of onEvents) {
    const { id, received_ts: at, user_id: by, reason } = event;
    add(caseSubjectOf(event), { of: 'report', id, at, by, reason: reason ?? '', event });
  }
  for (const report of onUsers) add({ kind: 'user', userId: report.about }, filed('user_report', report));
  for (const report of onRooms) add({ kind: 'room', roomId: report.about }, filed('room_report', report));
  return [...cases].map(([key, { subject, reports }]) => ({
    key,
    subject,
    reports: reports.sort((one, other) => other.at - one.at || other.id - one.id),
  }));
}

/** `waiting` is an open case that is snoozed. */
type CaseState = 'open' | 'escalated' | 'waiting' | 'resolved';

export type CaseRow = Case & {
  state: CaseState;
  decisions: CaseDecisions;
  /** The report that is shown first: of the unresolved reports, one on the most reported event, if there is one. */
  lead: CaseReport;
  /** The open and escalated reports, newest first. */
  unresolved: readonly CaseReport[];
  /** Number of reporters; of a resolved case, ever. */
  reporters: number;
  /** Whether unresolved reports are newer than the last resolution. */
  isRepeated: boolean;
  /** The rule that sets its severity, unless the team has set one. */
  ruled: RuledSeverity | undefined;
  /** When a report of it was last marked; 0 if never. */
  decidedAt: number;
  /** The greater ones first. */
  level: number;
  weight: number;
  /** Assignee whose claim has expired. */
  formerAssignee?: string | undefined;
  /** About the leading report, see `lead`. */
  script?: Script | undefined;
  /** The first of the team's queues that it matches. */
  teamQueue?: TeamQueue | undefined;
};

type Context = {
  marks: Marks;
  decisions: Cases;
  /** By reporter, see `accuracies`. */
  accuracy: ReadonlyMap<string, Accuracy>;
  now: number;
  /** By `caseKey`, see `severitiesByRules`. */
  ruled: ReadonlyMap<string, RuledSeverity>;
};

const none: CaseDecisions = {};

/** Returns the script of the message that is seen first, else of the reason, as far as they're known. */
export const caseScript = ({ lead }: Pick<CaseRow, 'lead'>, messages: MessageFacts['messages']) =>
  scriptOf((lead.event && messages(lead.event.event_id)) || lead.reason);

/** Adds the team's decisions to a case. */
export function caseRow(found: Case, { marks, decisions, accuracy, now, ruled }: Context): CaseRow {
  const { formerAssignee, ...decided } = atTime(decisions.get(found.key) ?? none, now);
  const markOf = ({ of, id }: CaseReport) => marks[of].get(id);
  const unresolved = found.reports.filter((report) => markOf(report)?.state !== 'reviewed');
  const marked = found.reports.flatMap((report) => markOf(report) ?? []);
  const resolvedAt = marked.reduce(
    (latest, { state, at }) => (state === 'reviewed' ? Math.max(latest, at) : latest),
    0,
  );
  const reporters = new Set(countedReports(found, marks).map(({ by }) => by));
  const isMuted = (by: string) => isMutedReporter(decisions, by, now);
  // Reports by muted reporters don't reopen a decided case.
  const counting =
    resolvedAt > 0
      ? unresolved.filter((report) => !isMuted(report.by) || markOf(report)?.state === 'escalated')
      : unresolved;
  const rule = ruled.get(found.key);
  const upheld = marked.filter(({ verdict }) => verdict === 'upheld').length;
  return {
    ...found,
    state: stateOf(counting, markOf, decided, now),
    decisions: decided,
    formerAssignee,
    lead: byWeight(found.reports, unresolved)[0] ?? found.reports[0],
    unresolved,
    reporters: reporters.size,
    isRepeated: resolvedAt > 0 && counting.some(({ at }) => at > resolvedAt),
    ruled: rule,
    decidedAt: marked.reduce((latest, { at }) => Math.max(latest, at), 0),
    level: decided.severity
      ? severityLevels[decided.severity]
      : Math.max(levelOf(rule?.severity), isWatched(decided, now) ? severityLevels.high : 0),
    weight:
      [...reporters].reduce((sum, by) => sum + (isMuted(by) ? 0 : trustIn(accuracy.get(by))), 0) +
      upheldWeight * Math.min(maxUpheldCounted, upheld),
  };
}

/** Removes the assignee of an expired claim. */
function atTime(decisions: CaseDecisions, now: number): CaseDecisions & { formerAssignee?: string } {
  if (!isClaimExpired(decisions, now)) return decisions;
  const { assignee, claimedAt: _, ...others } = decisions;
  return { ...others, ...(assignee !== undefined && { formerAssignee: assignee }) };
}

function stateOf(
  unresolved: readonly CaseReport[],
  markOf: (report: CaseReport) => Mark | undefined,
  { snoozedUntil = 0, snoozedAt = 0, quietUntil = 0, quietAt = 0 }: CaseDecisions,
  now: number,
): CaseState {
  if (unresolved.some((report) => markOf(report)?.state === 'escalated')) return 'escalated';
  const open = unresolved.filter(({ at }) => at <= quietAt || at > quietUntil);
  if (open.length === 0) return 'resolved';
  return snoozedUntil > now && open.every(({ at }) => at <= snoozedAt) ? 'waiting' : 'open';
}

/** Returns the unresolved reports; of a resolved case all of them. */
function countedReports({ reports }: Case, marks: Marks): readonly CaseReport[] {
  const unresolved = reports.filter(({ of, id }) => marks[of].get(id)?.state !== 'reviewed');
  return unresolved.length > 0 ? unresolved : reports;
}

/** Returns the severities that the team's rules set. */
export function severitiesByRules(
  cases: readonly Case[],
  marks: Marks,
  rules: readonly KeyedRule[],
  { messages, files, isMuted, ...facts }: RuleFacts & MessageFacts & { isMuted: (by: string) => boolean },
): Map<string, RuledSeverity> {
  const reports = cases.flatMap((each) =>
    countedReports(each, marks)
      .filter(({ by }) => !isMuted(by))
      .map((report) => ruledReport(report, each.subject, { messages, files })),
  );
  return ruledSeverities(rules, reports, facts);
}

type MessageFacts = {
  messages: (eventId: string) => string | undefined;
  /** Returns the known hashes of a message's files. */
  files: (eventId: string) => readonly string[];
};

/** Returns a report as rules see it. */
export const ruledReport = (
  { of, id, at, by, reason, event }: CaseReport,
  subject: CaseSubject,
  { messages, files }: MessageFacts,
): RuledReport => ({
  ...{ of, id, at, by, reason, subject },
  roomId: event?.room_id ?? (subject.kind === 'room' ? subject.roomId : undefined),
  eventId: event?.event_id,
  message: event && messages(event.event_id),
  files: event && files(event.event_id),
});

// Priority: the severity that the team set, else the one by rules. Within a level, the reporters and the record.

/** An earlier upheld report counts as this many reporters, up to a number of such reports. */
const upheldWeight = 2;
const maxUpheldCounted = 3;

export const severityLevels: Record<Severity, number> = { urgent: 4, high: 3, medium: 2, low: 0 };

const levelOf = (severity: Severity | undefined): number => (severity ? severityLevels[severity] : 1);

/** Counts each reporter's decided reports, of all kinds. */
export const accuracies = (cases: readonly Case[], marks: Marks): Map<string, Accuracy> =>
  accuraciesOf(
    cases.flatMap(({ reports }) => reports),
    ({ of, id }) => marks[of].get(id)?.verdict,
  );

/** Returns 1 for a new or accurate reporter, and less for one whose reports were rarely upheld. */
const trustIn = ({ decided, upheld }: Accuracy = { decided: 0, upheld: 0 }) => (upheld + 1) / (decided + 1);

// Queues, search and order

export function isInQueue(
  { state, decisions: { assignee } }: CaseRow,
  queue: CaseQueue,
  me: string,
): boolean {
  switch (queue) {
    case 'mine':
      return state !== 'resolved' && assignee === me;
    case 'unassigned':
      return (state === 'open' || state === 'escalated') && assignee === undefined;
    default:
      return state === queue;
  }
}

/** Whether a case has all words in the IDs and names of its subjects, or in its reasons. */
export function hasWords({ subject, reports }: Case, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const texts = reports.flatMap(({ by, reason, event }) => [
    reason,
    by,
    ...(event ? [event.name ?? '', event.canonical_alias ?? '', event.room_id] : []),
  ]);
  const read = [...Object.values(subject), ...texts].join('\n').toLowerCase();
  return words.every((word) => read.includes(word));
}

export function sortCases(rows: readonly CaseRow[], order: CaseOrder, queue: CaseQueue): CaseRow[] {
  const newest = ({ unresolved, reports }: CaseRow) => (unresolved[0] ?? reports[0])?.at ?? 0;
  const oldest = ({ unresolved, reports }: CaseRow) => (unresolved.at(-1) ?? reports.at(-1))?.at ?? 0;
  if (queue === 'resolved') return rows.toSorted((one, other) => other.decidedAt - one.decidedAt);
  switch (order) {
    case 'urgent':
      return rows.toSorted(
        (one, other) => other.level - one.level || other.weight - one.weight || newest(other) - newest(one),
      );
    case 'newest':
      return rows.toSorted((one, other) => newest(other) - newest(one));
    case 'oldest':
      return rows.toSorted((one, other) => oldest(one) - oldest(other));
  }
}

// Reports within a case

/** Returns the reports in reading order: unresolved ones first, then the most reported event, then the newest. */
export const reportsInOrder = ({ reports, unresolved }: CaseRow): CaseReport[] =>
  byWeight(reports, unresolved);

function byWeight(reports: readonly CaseReport[], unresolved: readonly CaseReport[]): CaseReport[] {
  const waiting = new Set(unresolved);
  const onEvent = new Map<string, number>();
  for (const { event } of waiting) {
    if (event) onEvent.set(event.event_id, (onEvent.get(event.event_id) ?? 0) + 1);
  }
  const count = ({ event }: CaseReport) => (event && onEvent.get(event.event_id)) ?? 0;
  const rank = (report: CaseReport) => (waiting.has(report) ? 1 : 0);
  return reports.toSorted((one, other) => rank(other) - rank(one) || count(other) - count(one));
}

const decisionSpanMs = 60_000;

/**
 * Returns the reports that a decision applies to: the unresolved reports, else those that were resolved in the last
 * decision.
 */
export function decidable({ reports, unresolved }: CaseRow, marks: Marks): readonly CaseReport[] {
  if (unresolved.length > 0) return unresolved;
  const markOf = ({ of, id }: CaseReport) => marks[of].get(id);
  const latest = reports
    .flatMap((report) => markOf(report) ?? [])
    .reduce<Mark | undefined>((last, mark) => (last && last.at >= mark.at ? last : mark), undefined);
  return reports.filter((report) => {
    const mark = markOf(report);
    return mark && latest && mark.by === latest.by && mark.at > latest.at - decisionSpanMs;
  });
}

/** Returns the verdict of the last decision, if the case is resolved. */
export const verdictOf = (row: CaseRow, marks: Marks): Verdict | undefined => {
  const [first] = row.unresolved.length > 0 ? [] : decidable(row, marks);
  return first && marks[first.of].get(first.id)?.verdict;
};
