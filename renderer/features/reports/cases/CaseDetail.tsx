import { i18n } from '@lingui/core';
import { IconFolders } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReportState } from '../../../../shared/team/entries.ts';
import { StateMessage } from '../../../components/LoadStates.tsx';
import { useConsole } from '../../../console-context.ts';
import type { OnMark } from '../desk/MarkButtons.tsx';
import { OpenReport } from '../detail/OpenReport.tsx';
import { FiledReportDetail } from '../filed/FiledReportDetail.tsx';
import type { CaseReport } from './cases.ts';

type DetailProps = {
  report: CaseReport;
  state: ReportState;
  onMark: OnMark;
  onMessage: () => void;
  onActed: (how: { reviewed: boolean }) => void;
};

/** The open report of a case. Decisions in its toolbar apply to the case. */
export function CaseReportDetail({ report, state, onMark, onMessage, onActed }: DetailProps) {
  const navigate = useNavigate();
  const { of, id, event } = report;
  const toolbar = { state, onMark, onMessage, onActed, selecting: false };
  if (of !== 'report') {
    return <FiledReportDetail kind={of === 'user_report' ? 'user' : 'room'} id={id} {...toolbar} />;
  }
  return (
    <OpenReport
      reportId={id}
      listed={event}
      onFilter={(filters) => navigate({ to: '/reports', search: ({ server }) => ({ server, ...filters }) })}
      onOpen={(other) => navigate({ to: '/reports', search: ({ server }) => ({ server, report: other }) })}
      {...toolbar}
    />
  );
}

/** Stands in for the report if none is open. */
export function NoCase({ isMissing }: { isMissing: boolean }) {
  const { commands } = useConsole();
  const icon = <IconFolders size={24} stroke={1.5} />;
  if (isMissing) {
    return (
      <StateMessage
        icon={icon}
        title={i18n.t('Case not found')}
        description={i18n.t('None of the scanned reports belong to it.')}
      />
    );
  }
  return (
    <StateMessage
      icon={icon}
      title={i18n.t('No case open')}
      description={
        commands.keyWorks('j')
          ? i18n.t('Choose a case, or press j. Press ? for shortcuts.')
          : i18n.t('Choose a case.')
      }
    />
  );
}
