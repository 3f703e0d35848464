import { lazy, Suspense } from 'react';
import type { ActedReports } from '../../../actions/panel/acted-reports.ts';
import { EscalatePanel } from '../desk/EscalatePanel.tsx';
import { type CaseRow, type Marks, verdictOf } from './cases.ts';
import type { CaseTriage } from './use-case-triage.ts';

const PolicyPanel = lazy(async () => ({ default: (await import('../desk/PolicyPanel.tsx')).PolicyPanel }));

const MessageReportersPanel = lazy(async () => ({
  default: (await import('./MessageReportersPanel.tsx')).MessageReportersPanel,
}));

/** The dialog that is open; the one for a message is about the open case. */
export type CaseDialog = { of: 'uphold' | 'escalate'; row: CaseRow } | { of: 'message' };

type Props = {
  dialog: CaseDialog;
  current: CaseRow | undefined;
  actedReports: ActedReports | undefined;
  marks: Marks;
  triage: CaseTriage;
  onClose: () => void;
};

/** The dialogs of decisions: the policy, the message to reporters, the reason of an escalation. */
export function CaseDialogs({ dialog, current, actedReports, marks, triage, onClose }: Props) {
  if (dialog.of === 'message') {
    return (
      current &&
      actedReports && (
        <Suspense>
          <MessageReportersPanel
            key={current.key}
            row={current}
            acted={actedReports}
            verdict={verdictOf(current, marks)}
            onClose={onClose}
            onResolve={(verdict, policy, onDecided) => triage.resolveAs(current, verdict, policy, onDecided)}
          />
        </Suspense>
      )
    );
  }
  const { of, row } = dialog;
  return of === 'uphold' ? (
    <Suspense>
      <PolicyPanel
        count={row.unresolved.length || 1}
        viewed={row.reports}
        onClose={onClose}
        onChoose={(policy) => {
          onClose();
          triage.uphold(row, policy);
        }}
      />
    </Suspense>
  ) : (
    <EscalatePanel
      reportIds={row.unresolved.map(({ id }) => id)}
      viewed={row.reports}
      opened
      onClose={onClose}
      onEscalate={(reason) => {
        onClose();
        triage.escalate(row, reason);
      }}
    />
  );
}
