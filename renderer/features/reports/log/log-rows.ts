import { i18n } from '@lingui/core';
import type { DocumentsOfKind } from '../../../../shared/team/documents.ts';
import type { Body, LogEntry, ReportState, Subject } from '../../../../shared/team/entries.ts';
import { subjectsOf } from '../../../../shared/team/fold.ts';
import { policyName } from '../../../../shared/team/policies.ts';
import { removeStrike } from '../../../../shared/team/strikes.ts';
import { actionLabel } from '../../../actions/action-words.ts';
import { caseChangeSentence } from '../../../team/case-words.ts';
import { detailText } from '../../../team/detail-words.ts';
import { reportName } from '../../../team/report-names.ts';
import { verdictName } from '../../../team/verdicts.ts';
import { endOfDay, startOfDay } from '../../../words/format.ts';
import type { LogSearch } from './log-search.ts';

type ActionBody = Extract<Body, { type: 'action' }>;

/** One entry of the team's log, as text. `at` is in milliseconds since the Unix epoch. */
export type LogRow = {
  id: string;
  at: number;
  by: string;
  /** The same for entries of the same action, with any outcome. */
  action: string;
  label: string;
  outcome: 'done' | 'unchanged' | 'failed' | 'undone';
  /** All subjects; at least one. */
  subjects: readonly Subject[];
  /** Number of subjects: bulk actions may not name all of them. */
  count: number;
  text: string;
  /** Name of the policy that the decision is based on. */
  policy?: string;
  /** The automatic rule that led to it. */
  rule?: { key: string; name: string };
};

/**
 * Returns a function that turns the log into rows. It caches the rows of entries, because the log is passed again
 * whenever more of it has loaded, and the labels of actions, because formatting one for each of 100,000 entries takes
 * seconds.
 */
export function logRows(policies: DocumentsOfKind) {
  const known = new WeakMap<LogEntry, LogRow | undefined>();
  const labels = new Map<string, string>();
  const labelOf = (body: ActionBody) => {
    const label = labels.get(body.action) ?? actionLabel(body);
    labels.set(body.action, label);
    return label;
  };
  return (log: readonly LogEntry[]): LogRow[] =>
    log.flatMap((entry) => {
      if (!known.has(entry)) known.set(entry, logRow(entry, policies, labelOf));
      return known.get(entry) ?? [];
    });
}

/** Returns undefined for documents, which aren't decisions. */
export function logRow(
  { id, at, by, body }: LogEntry,
  policies: DocumentsOfKind = new Map(),
  labelOf: (body: ActionBody) => string = actionLabel,
): LogRow | undefined {
  const policy =
    'policy' in body && body.policy !== undefined ? policyName(policies, body.policy) : undefined;
  const rule = 'rule' in body ? body.rule : undefined;
  const entry = { id, at, by, ...(policy !== undefined && { policy }), ...(rule && { rule }) };
  switch (body.type) {
    case 'document':
      return undefined;
    case 'mark': {
      const kind = body.of ?? 'report';
      const subjects = body.reports.map((report) => ({ kind, id: report }));
      return {
        ...entry,
        action: body.state,
        label: stateLabel(body.state),
        outcome: 'done',
        subjects,
        count: subjects.length,
        text: body.verdict ? verdictName(body.verdict) : '',
      };
    }
    case 'note': {
      const subjects = subjectsOf(body);
      return {
        ...entry,
        action: 'note',
        label: i18n.t('Add note'),
        outcome: 'done',
        subjects,
        count: subjects.length,
        text: body.text,
      };
    }
    case 'case':
      return {
        ...entry,
        action: 'case',
        label: i18n.t('Change case'),
        outcome: 'done',
        subjects: [body.subject],
        count: 1,
        // The log shows it as untrusted text, which makes isolate characters visible.
        text: caseChangeSentence(body).replace(/[\u2068\u2069]/g, ''),
      };
    case 'action': {
      const { action, outcome, unchanged, reason, count = 1 } = body;
      const subjects = subjectsOf(body);
      return {
        ...entry,
        action,
        label: labelOf(body),
        outcome: unchanged ? 'unchanged' : outcome,
        subjects,
        count: Math.max(count, subjects.length),
        text: [reason, detailText(body), strikeText(body)].filter(Boolean).join(' · '),
      };
    }
  }
}

function stateLabel(state: ReportState): string {
  switch (state) {
    case 'reviewed':
      return i18n.t('Resolve');
    case 'escalated':
      return i18n.t('Escalate');
    case 'open':
      return i18n.t('Reopen');
  }
}

function strikeText({ strike, action, outcome }: ActionBody): string {
  if (!strike || outcome !== 'done' || action === removeStrike) return '';
  return i18n.t('{count, plural, one {# strike} other {# strikes}}', { count: strike.weight });
}

/** Returns the rows that match, newest first unless the search says otherwise. @param rows newest first */
export function filterLog(rows: readonly LogRow[], search: LogSearch): LogRow[] {
  const from = startOfDay(search.from) ?? 0;
  const until = endOfDay(search.until) ?? Number.POSITIVE_INFINITY;
  const text = search.text?.toLowerCase();
  const found = rows.filter(
    (row) =>
      row.at >= from &&
      row.at <= until &&
      (search.by === undefined || row.by === search.by) &&
      (search.action === undefined || row.action === search.action) &&
      (search.rule === undefined || row.rule?.key === search.rule) &&
      (text === undefined ||
        row.text.toLowerCase().includes(text) ||
        row.policy?.toLowerCase().includes(text) ||
        row.rule?.name.toLowerCase().includes(text) ||
        row.subjects.some((subject) => subjectText(subject).toLowerCase().includes(text))),
  );
  return search.dir === 'f' ? found.reverse() : found;
}

/** Names a subject by its IDs, in one line. */
export function subjectText(subject: Subject): string {
  switch (subject.kind) {
    case 'user':
      return subject.userId;
    case 'room':
      return subject.roomId;
    case 'event':
      return `${subject.eventId} ${subject.roomId}`;
    default:
      return reportName(subject);
  }
}
