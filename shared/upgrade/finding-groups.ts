import { type Finding, type Severity, severities } from '../api/upgrade-plan.ts';

/** Names of the severities. */
export const severityWords: Readonly<Record<Severity, string>> = {
  'refuses to start': /*i18n*/ "Won't start",
  removed: /*i18n*/ 'Removed',
  deprecated: /*i18n*/ 'Deprecated',
  'default changed': /*i18n*/ 'Default changed',
  hint: /*i18n*/ 'Hint',
};

export type FindingGroup<Each extends Finding = Finding> = {
  /** One of the findings, for their common fields. */
  finding: Each;
  /** All positions, each with its replacement. */
  places: Each[];
};

/** Groups findings by note, across files; the most severe groups first. */
export function groupFindings<Each extends Finding>(findings: readonly Each[]): FindingGroup<Each>[] {
  return [...Map.groupBy(findings, ({ note }) => note).values()]
    .flatMap((places) => {
      const bySeverity = places.toSorted((a, b) => rank(a) - rank(b));
      const [finding] = bySeverity;
      return finding ? { finding, places: bySeverity } : [];
    })
    .sort((a, b) => rank(a.finding) - rank(b.finding));
}

const rank = ({ severity }: Finding) => severities.indexOf(severity);

export const willNotStart = (findings: readonly Finding[]) =>
  findings.some(({ severity }) => severity === 'refuses to start');
