import { queryOptions, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { memo, useCallback, useMemo } from 'react';
import { placeholderTargets, targetsOfReports } from '../../../actions/report-targets.ts';
import { currentEventQuery } from '../../../api/event-context.ts';
import { type Medium, mediumQuery } from '../../../api/media.ts';
import { eventReportQuery } from '../../../api/reports/event-reports.ts';
import { offeredQuery } from '../../../api/supported-endpoints.ts';
import { redactionOf } from '../../../components/event/event-versions.ts';
import { useServer } from '../../../console-context.ts';
import { mediumFacts } from '../../../subjects/media-states.ts';
import { NotFound } from '../../../transport/refusal.ts';
import { ReportContentSkeleton, ReportFailure } from './placeholders.tsx';
import type { MissingReportProps } from './ReportContent.tsx';
import { ReportToolbar } from './ReportToolbar.tsx';

/** Loads while the first report does. A query, since Suspense would show its fallback for at least 300 ms. */
const contentQuery = queryOptions({
  queryKey: ['report-content'],
  queryFn: async () => {
    const { ReportContent, MissingReport } = await import('./ReportContent.tsx');
    return { ReportContent, MissingReport };
  },
  staleTime: Number.POSITIVE_INFINITY,
  // The screen reloads, as for any missing script.
  throwOnError: true,
});

type Props = MissingReportProps & { onOpen: (reportId: number) => void };

/** A report, or the reason why it can't be shown. */
export const OpenReport = memo(function OpenReport(props: Props) {
  const { reportId, listed, onFilter, onOpen, ...toolbar } = props;
  const server = useServer();
  const query = useQuery(eventReportQuery(server, reportId));
  const report = query.data;
  const { ReportContent, MissingReport } = useQuery(contentQuery).data ?? {};
  // Loaded by the report's parts.
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

  const isMissing = query.error instanceof NotFound;
  if (isMissing && MissingReport) {
    return <MissingReport reportId={reportId} listed={listed} onFilter={onFilter} {...toolbar} />;
  }
  if (!report && !query.isPending && !isMissing) return <ReportFailure query={query} />;
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
