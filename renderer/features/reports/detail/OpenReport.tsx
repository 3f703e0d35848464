import { i18n } from '@lingui/core';
import { queryOptions, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { memo, useCallback, useMemo } from 'react';
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import { findDeletion } from '../../../../shared/team/fold.ts';
import { actionLabel } from '../../../actions/action-words.ts';
import { placeholderTargets, targetsOfReports } from '../../../actions/report-targets.ts';
import { currentEventQuery } from '../../../api/event-context.ts';
import { type Medium, mediumQuery } from '../../../api/media.ts';
import { offeredQuery } from '../../../api/offered.ts';
import { eventReportQuery } from '../../../api/reports/event-reports.ts';
import { redactionOf } from '../../../components/event/event-versions.ts';
import { useServer } from '../../../console-context.ts';
import { ReportFilterContext } from '../../../subjects/chips.tsx';
import { mediumFacts } from '../../../subjects/media-states.ts';
import { Timeline } from '../../../team/Timeline.tsx';
import { useTeam } from '../../../team/use-team.ts';
import { NotFound } from '../../../transport/refusal.ts';
import type { ReportSearch } from '../report-search.ts';
import { subjectsOfReport } from '../subjects-of-report.ts';
import { ReportContentSkeleton, ReportFailure, ReportGone } from './NoReport.tsx';
import classes from './ReportDetail.module.css';
import { ReportFacts } from './ReportFacts.tsx';
import { ReportToolbar, type ReportToolbarProps } from './ReportToolbar.tsx';

/** Loads while the first report does. A query, since Suspense would show its fallback for at least 300 ms. */
const contentQuery = queryOptions({
  queryKey: ['report-content'],
  queryFn: () => import('./ReportContent.tsx').then(({ ReportContent }) => ({ ReportContent })),
  staleTime: Number.POSITIVE_INFINITY,
  // The screen reloads, as for any script that is missing.
  throwOnError: true,
});

type OpenReportProps = Omit<ReportToolbarProps, 'id' | 'of'> & {
  reportId: number;
  /** Its row in the list, if loaded. */
  listed: EventReportItem | undefined;
  onFilter: (filters: Partial<ReportSearch>) => void;
  onOpen: (reportId: number) => void;
};

/** A report, or why it isn't there. */
export const OpenReport = memo(function OpenReport(props: OpenReportProps) {
  const { reportId, listed, onFilter, onOpen, ...toolbar } = props;
  const server = useServer();
  const query = useQuery(eventReportQuery(server, reportId));
  const report = query.data;
  const ReportContent = useQuery(contentQuery).data?.ReportContent;
  // The report's parts ask for it.
  const { data: eventNow } = useQuery({
    ...currentEventQuery(server, report?.room_id ?? '', report?.event_id ?? ''),
    enabled: false,
  });
  const isRedacted = eventNow && redactionOf(eventNow.event) !== undefined;
  const on = useMemo(
    () => (report ? targetsOfReports([report]) : placeholderTargets(server, 'event', reportId)),
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
            return data ? [[uri, { ...mediumFacts(data), isThumbnail }] as const] : [];
          }),
        ),
      }),
      [media, isRedacted],
    ),
  });

  if (query.error instanceof NotFound) {
    return listed ? (
      <ListedReport report={listed} onFilter={onFilter} {...toolbar} />
    ) : (
      <ReportGone reportId={reportId} />
    );
  }
  if (!report && !query.isPending) return <ReportFailure query={query} />;
  return (
    <>
      <ReportToolbar
        id={reportId}
        of="report"
        {...toolbar}
        on={on}
        reporter={report?.user_id}
        isLoading={!report}
        known={known}
      />
      {report && ReportContent ? (
        <ReportContent report={report} onFilter={onFilter} onOpen={onOpen} />
      ) : (
        <ReportContentSkeleton />
      )}
    </>
  );
});

type ListedProps = Omit<OpenReportProps, 'reportId' | 'listed' | 'onOpen'> & { report: EventReportItem };

/** A report that can't be loaded, from its row in the list. Synapse answers 404 when the event was purged. */
function ListedReport({ report, onFilter, ...toolbar }: ListedProps) {
  const subject = { kind: 'report' as const, id: report.id };
  const isDeleted = findDeletion(useTeam().timeline(subject)) !== undefined;
  const on = useMemo(() => targetsOfReports([report]), [report]);
  const whole = useMemo(() => ({ ...report, event_json: {} }), [report]);
  if (isDeleted) return <ReportGone reportId={report.id} />;
  return (
    <>
      <ReportToolbar id={report.id} of="report" {...toolbar} on={on} reporter={report.user_id} />
      <ReportFilterContext value={onFilter}>
        <div className={classes.content}>
          <div className={classes.main}>
            <p role="status">{i18n.t('The reported event is unavailable, possibly purged.')}</p>
            <ReportFacts report={whole} />
          </div>
          <div className={classes.side}>
            <Timeline
              subject={subject}
              related={subjectsOfReport(report)}
              actionLabel={actionLabel}
              reports={[{ id: report.id, by: report.user_id, at: report.received_ts, reason: report.reason }]}
            />
          </div>
        </div>
      </ReportFilterContext>
    </>
  );
}
