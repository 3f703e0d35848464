import { useMemo } from 'react';
import { caseKey } from '../../../../shared/team/cases.ts';
import { evidenceIn, evidenceKind, heldCase } from '../../../../shared/team/evidence.ts';
import { useTeam } from '../../../team/use-team.ts';
import classes from '../evidence/HeldEvidence.module.css';
import { HeldEvidence } from '../evidence/HeldEvidence.tsx';
import type { CaseRow } from './cases.ts';

/** The evidence that the team holds for a case. */
export function CaseEvidence({ row }: { row: CaseRow }) {
  const team = useTeam();
  const documents = team.documents(evidenceKind);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the team is a new object after any change
  const all = useMemo(() => evidenceIn(team), [documents]);
  const evidence = all.filter((held) => caseKey(heldCase(held)) === row.key);
  if (evidence.length === 0) return null;
  return (
    <div className={classes.inCase}>
      <HeldEvidence evidence={evidence} ofCase={row.reports} />
    </div>
  );
}
