/** Figures of the team's decisions: by moderator, by policy, and as a transparency report. */
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import type { Mark, TeamEntry, Verdict } from '../../../../shared/team/entries.ts';
import type { FileRow } from '../../../components/file/table-file.ts';
import { timesToResolution, whatWasDone } from './figures.ts';

type Verdicts = Record<Verdict, number>;

type ModeratorFigures = Verdicts & {
  /** User ID. */
  by: string;
  /** Reports that are resolved by this moderator's status. */
  resolved: number;
  /** Escalations, ended ones included. */
  escalated: number;
  actions: number;
  undone: number;
};

const noVerdicts = (): Verdicts => ({ upheld: 0, not_upheld: 0, duplicate: 0 });

/**
 * Returns each moderator's decisions and actions, the most decisions first.
 *
 * @param marks current ones, of all kinds of reports
 * @param entries those of the team's log
 */
export function byModerator(marks: Iterable<Mark>, entries: readonly TeamEntry[]): ModeratorFigures[] {
  const figures = new Map<string, ModeratorFigures>();
  const of = (by: string) => {
    const known = figures.get(by) ?? {
      by,
      resolved: 0,
      ...noVerdicts(),
      escalated: 0,
      actions: 0,
      undone: 0,
    };
    figures.set(by, known);
    return known;
  };
  for (const { by, state, verdict } of marks) {
    if (state !== 'reviewed') continue;
    of(by).resolved++;
    if (verdict) of(by)[verdict]++;
  }
  for (const entry of entries) {
    if (entry.type === 'mark' && entry.state === 'escalated') of(entry.by).escalated++;
    if (entry.type !== 'action' || entry.outcome === 'failed') continue;
    of(entry.by)[entry.outcome === 'done' ? 'actions' : 'undone'] += entry.count ?? 1;
  }
  return [...figures.values()].sort(
    (one, other) => other.resolved - one.resolved || other.actions - one.actions,
  );
}

type PolicyFigures = Verdicts & {
  /** Key; undefined for decisions without a policy. */
  policy: string | undefined;
  resolved: number;
  actions: number;
};

/** Returns the decisions and actions under each policy, the most decisions first. */
export function byPolicy(marks: Iterable<Mark>, entries: readonly TeamEntry[]): PolicyFigures[] {
  const figures = new Map<string | undefined, PolicyFigures>();
  const of = (policy: string | undefined) => {
    const known = figures.get(policy) ?? { policy, resolved: 0, ...noVerdicts(), actions: 0 };
    figures.set(policy, known);
    return known;
  };
  for (const { state, verdict, policy } of marks) {
    if (state !== 'reviewed') continue;
    of(policy).resolved++;
    if (verdict) of(policy)[verdict]++;
  }
  for (const entry of entries) {
    if (entry.type !== 'action' || entry.outcome === 'failed') continue;
    const count = entry.count ?? 1;
    of(entry.policy).actions += entry.outcome === 'done' ? count : -count;
  }
  return [...figures.values()].sort(
    (one, other) => other.resolved - one.resolved || other.actions - one.actions,
  );
}

export const transparencyColumns = ['figure', 'name', 'count'] as const;

type Sources = {
  reports: readonly EventReportItem[];
  /** Current ones, of all kinds of reports. */
  marks: readonly Mark[];
  marksOfEvents: ReadonlyMap<number, Mark>;
  entries: readonly TeamEntry[];
  policyName: (key: string) => string;
};

/** Returns the figures that services publish about their moderation, without names of users or moderators. */
export function transparencyRows({ reports, marks, marksOfEvents, entries, policyName }: Sources): FileRow[] {
  const row = (figure: string, name: string, count: number): FileRow => ({ figure, name, count });
  const { median, resolved } = timesToResolution(reports, marksOfEvents);
  const policies = byPolicy(marks, entries);
  return [
    row('event_reports_received', '', reports.length),
    row('event_reports_resolved', '', resolved),
    ...(median === undefined
      ? []
      : [row('median_hours_to_resolution', '', Math.round(median / 36_000) / 100)]),
    ...(['upheld', 'not_upheld', 'duplicate'] as const).map((verdict) =>
      row('reports_by_verdict', verdict, marks.filter((mark) => mark.verdict === verdict).length),
    ),
    ...policies.map(({ policy, upheld }) =>
      row('reports_upheld_by_policy', policy === undefined ? '' : policyName(policy), upheld),
    ),
    ...policies.map(({ policy, actions }) =>
      row('actions_by_policy', policy === undefined ? '' : policyName(policy), actions),
    ),
    ...whatWasDone(entries).map(({ action, count }) => row('actions_by_kind', action, count)),
  ];
}
