import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { memo, useCallback, useMemo } from 'react';
import type { EventReportDetail } from '../../../../shared/api/event-reports.ts';
import { ActionBar, loadActionBar } from '../../../actions/ActionBar.tsx';
import { actedOnComing, actedOnReports } from '../../../actions/acted-on-reports.ts';
import { eventNowQuery } from '../../../api/event-context.ts';
import { eventReportQuery } from '../../../api/event-reports.ts';
import { type Medium, mediumQuery } from '../../../api/media.ts';
import { offeredQuery } from '../../../api/offered.ts';
import { Hint } from '../../../components/Hint.tsx';
import { useServer } from '../../../console-context.ts';
import { knownMedium } from '../../../subjects/uploads/medium-states.ts';
import type { ReportState } from '../../../team/entries.ts';
import { Lookers, useLook } from '../../../team/Lookers.tsx';
import { NotFound } from '../../../transport/refusal.ts';
import { MarkButtons } from '../desk/MarkButtons.tsx';
import type { ReportSearch } from '../report-search.ts';
import { redactionOf } from './event-versions.ts';
import { ReportFailure, ReportGone } from './NoReport.tsx';
import { ReportContent } from './ReportContent.tsx';
import classes from './ReportDetail.module.css';
import { ReportContentSkeleton, ReportNumberSkeleton } from './ReportDetailSkeleton.tsx';

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

/** The report by its id, or why it isn't there. What can be done is there before it is: keys of it wait for it. */
export default memo(function OpenReport({ reportId, ...props }: OpenReportProps) {
  const server = useServer();
  const query = useQuery(eventReportQuery(server, reportId));
  const report = query.data;
  // The report's parts ask for it.
  const { data: eventNow } = useQuery({
    ...eventNowQuery(server, report?.room_id ?? '', report?.event_id ?? ''),
    enabled: false,
  });
  const isRedacted = eventNow && redactionOf(eventNow.event) !== undefined;
  const on = useMemo(
    () => (report ? actedOnReports([report]) : actedOnComing(server, reportId)),
    [report, server, reportId],
  );

  const { data: offered } = useQuery({ ...offeredQuery(server), enabled: false });
  const media = useMemo(() => (report && offered?.has('medium') && on.media) || [], [report, offered, on]);
  const known = useQueries({
    queries: media.map(({ uri }) => mediumQuery(server, uri)),
    combine: useCallback(
      (results: UseQueryResult<Medium>[]) => ({
        ...(isRedacted !== undefined && { redacted: isRedacted }),
        media: new Map(
          results.flatMap(({ data }, index) => {
            const { uri = '', isThumbnail = false } = media[index] ?? {};
            return data ? [[uri, { ...knownMedium(data), isThumbnail }] as const] : [];
          }),
        ),
      }),
      [media, isRedacted],
    ),
  });

  if (query.error instanceof NotFound) return <ReportGone reportId={reportId} />;
  if (!report && !query.isPending) return <ReportFailure query={query} />;
  return (
    <>
      <div className={classes.toolbar}>
        {report ? <ReportHeading report={report} {...props} /> : <ReportNumberSkeleton />}
        <div className={classes.actions}>
          <ActionBar
            on={on}
            isComing={!report}
            onActed={props.onActed}
            quiet={props.selecting}
            known={known}
          />
        </div>
      </div>
      {report ? (
        <ReportContent report={report} onFilter={props.onFilter} onOpen={props.onOpen} />
      ) : (
        <ReportContentSkeleton />
      )}
    </>
  );
});

const narrow = { label: classes.label, section: classes.sign } as Record<string, string>;

type HeadingProps = Pick<OpenReportProps, 'state' | 'onMark' | 'onRemove' | 'selecting'> & {
  report: EventReportDetail;
};

function ReportHeading({ report: { id }, ...props }: HeadingProps) {
  useLook(id);
  return (
    <>
      <h1 className={classes.number}>{i18n.t('Report {id}', { id })}</h1>
      <Lookers reportId={id} />
      <MarkButtons
        state={props.state}
        onMark={(state) => props.onMark([id], state)}
        look={{ variant: 'default', classNames: narrow }}
        withKeys={!props.selecting}
      />
      <Hint label={`${i18n.t('Delete report')} · ${i18n.t('Delete key')}`}>
        <Button
          variant="default"
          classNames={narrow}
          leftSection={<IconTrash size={14} stroke={1.7} />}
          onClick={({ detail }) => detail < 2 && props.onRemove([id])}
        >
          {i18n.t('Delete report')}
        </Button>
      </Hint>
    </>
  );
}
