import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { caseKey, caseSubjectOf } from '../../../../shared/team/cases.ts';
import { evidenceIn, evidenceKind, heldCase, type ReportRef } from '../../../../shared/team/evidence.ts';
import { eventReportQuery } from '../../../api/reports/event-reports.ts';
import { useServer } from '../../../console-context.ts';
import { useTeam } from '../../../team/use-team.ts';
import classes from '../evidence/HeldEvidence.module.css';
import type { CaseRow } from './cases.ts';

const HeldEvidence = lazy(async () => ({
  default: (await import('../evidence/HeldEvidence.tsx')).HeldEvidence,
}));

/** The evidence that the team holds for a case. */
export const CaseEvidence = ({ row }: { row: CaseRow }) => <Evidence of={row.key} ofCase={row.reports} />;

/** The evidence that the team holds for the case of an event report. */
export function ReportEvidence({ reportId }: { reportId: number }) {
  const server = useServer();
  const { data: report } = useQuery({ ...eventReportQuery(server, reportId), enabled: false });
  return report && <Evidence of={caseKey(caseSubjectOf(report))} />;
}

/** @param ofCase all reports of the case; undefined if they aren't known */
function Evidence({ of, ofCase }: { of: string; ofCase?: readonly ReportRef[] }) {
  const team = useTeam();
  const documents = team.documents(evidenceKind);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the team is a new object after any change
  const all = useMemo(() => evidenceIn(team), [documents]);
  const evidence = all.filter((held) => caseKey(heldCase(held)) === of);
  if (evidence.length === 0) return null;
  return (
    <div className={classes.inCase}>
      <Suspense>
        <HeldEvidence evidence={evidence} withSubject={!ofCase} {...(ofCase && { ofCase })} />
      </Suspense>
    </div>
  );
}
