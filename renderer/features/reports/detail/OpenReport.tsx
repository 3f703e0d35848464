import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { memo, useMemo } from 'react';
import type { EventReportDetail } from '../../../../shared/api/event-reports.ts';
import { ActionBar, loadActionBar } from '../../../actions/ActionBar.tsx';
import { actedOnReports } from '../../../actions/acted-on-reports.ts';
import { eventNowQuery } from '../../../api/event-context.ts';
import { eventReportQuery } from '../../../api/event-reports.ts';
import { Hint } from '../../../components/Hint.tsx';
import { useServer } from '../../../console-context.ts';
import type { ReportState } from '../../../team/entries.ts';
import { Lookers, useLook } from '../../../team/Lookers.tsx';
import { NotFound } from '../../../transport/refusal.ts';
import { MarkButtons } from '../desk/MarkButtons.tsx';
import type { ReportSearch } from '../report-search.ts';
import { redactionOf } from './event-versions.ts';
import { ReportFailure, ReportGone } from './NoReport.tsx';
import { ReportContent } from './ReportContent.tsx';
import classes from './ReportDetail.module.css';
import { ReportDetailSkeleton } from './ReportDetailSkeleton.tsx';

// It is there when the report is.
loadActionBar().catch(() => {});

export type OpenReportProps = {
  reportId: number;
  state: ReportState;
  onFilter: (filters: Partial<ReportSearch>) => void;
  onOpen: (reportId: number) => void;
  onRemove: (reportIds: readonly number[]) => void;
  onMark: (reportIds: readonly number[], state: 'reviewed' | 'escalated') => void;
  onActed: () => void;
  /** Keys act on the selection, and not on this report. */
  selecting: boolean;
};

/** The report by its id, or why it isn't there. */
export default memo(function OpenReport({ reportId, ...props }: OpenReportProps) {
  const server = useServer();
  const report = useQuery(eventReportQuery(server, reportId));

  if (report.isPending) return <ReportDetailSkeleton />;
  if (report.error instanceof NotFound) return <ReportGone reportId={reportId} />;
  if (!report.data) return <ReportFailure query={report} />;
  return <LoadedReport report={report.data} {...props} />;
});

const narrow = { label: classes.label, section: classes.sign } as Record<string, string>;

function LoadedReport({
  report,
  ...props
}: Omit<OpenReportProps, 'reportId'> & { report: EventReportDetail }) {
  useLook(report.id);
  // The report's parts ask for it.
  const { data: eventNow } = useQuery({
    ...eventNowQuery(useServer(), report.room_id, report.event_id),
    enabled: false,
  });
  const isRedacted = eventNow && redactionOf(eventNow.event) !== undefined;
  const on = useMemo(() => actedOnReports([report]), [report]);
  return (
    <>
      <div className={classes.toolbar}>
        <h1 className={classes.number}>{i18n.t('Report {id}', { id: report.id })}</h1>
        <Lookers reportId={report.id} />
        <MarkButtons
          state={props.state}
          onMark={(state) => props.onMark([report.id], state)}
          look={{ variant: 'default', classNames: narrow }}
          withKeys
        />
        <Hint label={`${i18n.t('Delete report')} · ${i18n.t('Delete key')}`}>
          <Button
            variant="default"
            classNames={narrow}
            leftSection={<IconTrash size={14} stroke={1.7} />}
            onClick={({ detail }) => detail < 2 && props.onRemove([report.id])}
          >
            {i18n.t('Delete report')}
          </Button>
        </Hint>
        <div className={classes.actions}>
          <ActionBar
            on={on}
            onActed={props.onActed}
            quiet={props.selecting}
            {...(isRedacted !== undefined && { known: { redacted: isRedacted } })}
          />
        </div>
      </div>
      <ReportContent report={report} onFilter={props.onFilter} onOpen={props.onOpen} />
    </>
  );
}
