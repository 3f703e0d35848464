/** The team's automatic rules: actions when reports meet conditions. Documents of the kind `rule`. */
import { type Static, Type } from 'typebox';
import { fits } from '../fits.ts';
import { caseKey } from './cases.ts';
import type { DocumentsOfKind } from './documents.ts';
import { type CaseSubject, type ReportKind, type Severity, severities, type Verdict } from './entries.ts';
import { builtInWordLists, type Matcher } from './word-lists.ts';

export const ruleKind = 'rule';

/** How reports are grouped. `case`: by reported user, else room, else message. */
export const groupings = ['case', 'event', 'room'] as const;
export type Grouping = (typeof groupings)[number];

/** Account ages that can lead to a suspension, in days. */
export const maxSuspendDays = 90;

const Count = Type.Integer({ minimum: 1, maximum: 1000 });

export const Rule = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  on: Type.Boolean(),
  /** All of them must be met. */
  when: Type.Object({
    /** Number of reports; default 1. */
    reports: Type.Optional(Count),
    /** Number of different reporters; default 1. */
    reporters: Type.Optional(Count),
    /** Only reports by accurate reporters count. */
    accurate: Type.Optional(Type.Boolean()),
    /** Default: `case`. */
    same: Type.Optional(Type.Enum([...groupings])),
    /** The reports arrived within this time. */
    hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 8760 })),
    /** Keys of word lists: one of them matches the reason, the message or one of its files. */
    words: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 50 })),
    /** The reported user's account was younger than this at the time of the report. */
    account_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
  }),
  effects: Type.Object({
    severity: Type.Optional(Type.Enum([...severities])),
    /** Quarantine the media of the reported messages. */
    quarantine: Type.Optional(Type.Boolean()),
    /** Suspend the reported user; only with `account_days` up to `maxSuspendDays`. */
    suspend: Type.Optional(Type.Boolean()),
  }),
});
export type Rule = Static<typeof Rule>;
/** `isBuiltIn`: unchanged from Gatehouse. `replacesBuiltIn`: deleting it restores the built-in one. */
export type KeyedRule = Rule & { key: string; isBuiltIn: boolean; replacesBuiltIn: boolean };

const builtInRules: Readonly<Record<string, Rule>> = Object.fromEntries(
  Object.entries(builtInWordLists).map(([key, { name }]) => [
    key,
    { name, on: true, when: { words: [key] }, effects: { severity: 'urgent' } },
  ]),
);

/** Returns the built-in rules and the team's. A document replaces the built-in rule with its key. */
export function rulesIn(documents: DocumentsOfKind): KeyedRule[] {
  const rules = new Map<string, KeyedRule>(
    Object.entries(builtInRules).map(([key, rule]) => [
      key,
      { ...rule, key, isBuiltIn: true, replacesBuiltIn: false },
    ]),
  );
  for (const [key, { content }] of documents) {
    const replacesBuiltIn = builtInRules[key] !== undefined;
    if (fits(Rule, content)) rules.set(key, { ...content, key, isBuiltIn: false, replacesBuiltIn });
  }
  return [...rules.values()];
}

/** Whether a rule may suspend: never accounts of any age. */
export const canSuspend = ({ when, effects }: Pick<Rule, 'when' | 'effects'>): boolean =>
  effects.suspend === true && when.account_days !== undefined && when.account_days <= maxSuspendDays;

/** A report of any kind, as rules see it. `at` is in milliseconds since the Unix epoch. */
export type RuledReport = {
  of: ReportKind;
  id: number;
  at: number;
  /** The reporter. */
  by: string;
  reason: string;
  /** Subject of its case. */
  subject: CaseSubject;
  roomId?: string | undefined;
  eventId?: string | undefined;
  /** Text of the reported message, if known. */
  message?: string | undefined;
  /** SHA-256 of the files in the reported message, as far as they're known. */
  files?: readonly string[] | undefined;
};

/** Facts that rules use besides the reports. */
export type RuleFacts = {
  /** By key of the word list. */
  matchers: ReadonlyMap<string, Matcher>;
  isAccurate: (reporter: string) => boolean;
  /** Returns when an account was created, in milliseconds since the Unix epoch; undefined if unknown. */
  createdAt: (userId: string) => number | undefined;
};

/** Reports that met a rule's conditions together, oldest first. The last one triggered the rule. */
export type Hit<Report extends RuledReport = RuledReport> = {
  at: number;
  reports: readonly [Report, ...Report[]];
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Evaluates a rule, whether it's on or off. Each report is part of one hit at most: the next hit takes new reports.
 * Unknown facts never lead to a hit.
 */
export function hitsOf<Report extends RuledReport>(
  { when }: Pick<Rule, 'when'>,
  reports: Iterable<Report>,
  facts: RuleFacts,
): Hit<Report>[] {
  const { reports: least = 1, reporters: leastReporters = 1, hours } = when;
  const span = hours === undefined ? Number.POSITIVE_INFINITY : hours * hourMs;
  const counted = [...reports]
    .filter((report) => meets(when, report, facts))
    .sort((one, other) => one.at - other.at || one.id - other.id);
  const pending = new Map<string, Report[]>();
  const hits: Hit<Report>[] = [];
  for (const report of counted) {
    const group = least === 1 && leastReporters === 1 ? '' : groupOf(when.same ?? 'case', report);
    if (group === undefined) continue;
    const near = (pending.get(group) ?? []).filter(({ at }) => at > report.at - span);
    near.push(report);
    const [first, ...others] = near;
    if (first && near.length >= least && new Set(near.map(({ by }) => by)).size >= leastReporters) {
      hits.push({ at: report.at, reports: [first, ...others] });
      pending.delete(group);
    } else pending.set(group, near);
  }
  return hits;
}

function meets(
  when: Rule['when'],
  report: RuledReport,
  { matchers, isAccurate, createdAt }: RuleFacts,
): boolean {
  if (when.accurate && !isAccurate(report.by)) return false;
  if (when.account_days !== undefined) {
    const created = report.subject.kind === 'user' ? createdAt(report.subject.userId) : undefined;
    if (created === undefined || report.at - created >= when.account_days * dayMs) return false;
  }
  if (!when.words) return true;
  const texts = [report.reason, report.message ?? ''].filter(Boolean);
  return (
    when.words.some((key) => texts.some((text) => matchers.get(key)?.(text))) ||
    knownFileList(when, report, matchers) !== undefined
  );
}

/** Returns the key of the first word list that has one of a report's files. */
const knownFileList = (
  { words = [] }: Rule['when'],
  { files = [] }: RuledReport,
  matchers: RuleFacts['matchers'],
): string | undefined => (files.length > 0 ? words.find((key) => matchers.get(key)?.('', files)) : undefined);

/** Returns the key that groups a report with others; undefined if the grouping doesn't apply to it. */
function groupOf(same: Grouping, { subject, roomId, eventId }: RuledReport): string | undefined {
  switch (same) {
    case 'case':
      return caseKey(subject);
    case 'room':
      return roomId;
    case 'event':
      return eventId && `${roomId} ${eventId}`;
  }
}

/** Share of upheld reports, of those that were decided. */
export type Accuracy = { decided: number; upheld: number };

/** Counts each reporter's decided reports. Duplicates say nothing about accuracy. */
export function accuraciesOf<Report extends { by: string }>(
  reports: Iterable<Report>,
  verdictOf: (report: Report) => Verdict | undefined,
): Map<string, Accuracy> {
  const counted = new Map<string, Accuracy>();
  for (const report of reports) {
    const verdict = verdictOf(report);
    if (!verdict || verdict === 'duplicate') continue;
    const { decided, upheld } = counted.get(report.by) ?? { decided: 0, upheld: 0 };
    counted.set(report.by, { decided: decided + 1, upheld: upheld + (verdict === 'upheld' ? 1 : 0) });
  }
  return counted;
}

/** Whether at least one report of a reporter was decided, and at least half of them were right. */
export const isAccurate = (accuracy: Accuracy | undefined): boolean =>
  accuracy !== undefined && accuracy.decided > 0 && accuracy.upheld * 2 >= accuracy.decided;

/** A rule that sets a case's severity. `fileList`: key of the word list that has a reported file. */
export type RuledSeverity = { rule: KeyedRule; severity: Severity; fileList?: string };

/** Returns the highest severity that enabled rules set, by `caseKey`. */
export function ruledSeverities(
  rules: readonly KeyedRule[],
  reports: readonly RuledReport[],
  facts: RuleFacts,
): Map<string, RuledSeverity> {
  const ruled = new Map<string, RuledSeverity>();
  for (const rule of rules) {
    const { severity } = rule.effects;
    if (!rule.on || !severity) continue;
    for (const hit of hitsOf(rule, reports, facts)) {
      for (const report of hit.reports) {
        const key = caseKey(report.subject);
        const before = ruled.get(key);
        const fileList = knownFileList(rule.when, report, facts.matchers);
        const difference = before ? severities.indexOf(severity) - severities.indexOf(before.severity) : 1;
        // Among equal severities, a known file is the best reason.
        const isBetter = difference > 0 || (difference === 0 && fileList !== undefined && !before?.fileList);
        if (!isBetter) continue;
        ruled.set(key, { rule, severity, ...(fileList !== undefined && { fileList }) });
      }
    }
  }
  return ruled;
}

/** Returns whether a reason alone makes a report urgent, by rules that look for words in each report. */
export const urgentReasons = (
  rules: readonly KeyedRule[],
  matchers: RuleFacts['matchers'],
): ((reason: string) => boolean) => {
  const keys = rules.flatMap(({ on, effects, when }) => {
    const { reports = 1, reporters = 1, accurate, account_days: days, words = [] } = when;
    const isOnWords = reports === 1 && reporters === 1 && !accurate && days === undefined;
    return on && effects.severity === 'urgent' && isOnWords ? words : [];
  });
  return (reason) => keys.some((key) => matchers.get(key)?.(reason));
};
