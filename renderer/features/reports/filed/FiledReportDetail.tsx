import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { placeholderTargets, targetsOfFiled } from '../../../actions/report-targets.ts';
import { type FiledKind, filedReportQuery } from '../../../api/reports/filed-reports.ts';
import { useServer } from '../../../console-context.ts';
import { NotFound } from '../../../transport/refusal.ts';
import { ReportGone } from '../detail/NoReport.tsx';
import { ReportContentSkeleton, ReportFailure } from '../detail/placeholders.tsx';
import { ReportToolbar, type ReportToolbarProps } from '../detail/ReportToolbar.tsx';

/** Loads while the first report does. A query, since Suspense would show its fallback for at least 300 ms. */
const contentQuery = queryOptions({
  queryKey: ['filed-report-content'],
  queryFn: () => import('./FiledReportContent.tsx').then(({ ReportContent }) => ({ ReportContent })),
  staleTime: Number.POSITIVE_INFINITY,
  // The screen reloads, as for any missing script.
  throwOnError: true,
});

type Props = Omit<ReportToolbarProps, 'of'> & { kind: FiledKind };

/** A user or room report, or the reason why it can't be shown. */
export function FiledReportDetail({ kind, id, ...props }: Props) {
  const server = useServer();
  const query = useQuery(filedReportQuery(server, kind, id));
  const report = query.data;
  const ReportContent = useQuery(contentQuery).data?.ReportContent;
  const on = useMemo(
    () => (report ? targetsOfFiled(kind, [report]) : placeholderTargets(server, kind, id)),
    [report, server, kind, id],
  );
  // Also if cached data of a deleted report exists.
  if (query.error instanceof NotFound) return <ReportGone reportId={id} of={`${kind}_report`} />;
  if (!report && !query.isPending) return <ReportFailure query={query} />;
  return (
    <>
      <ReportToolbar
        {...props}
        id={id}
        of={`${kind}_report`}
        on={on}
        reporter={report?.by}
        isLoading={!report}
      />
      {report && ReportContent ? <ReportContent kind={kind} report={report} /> : <ReportContentSkeleton />}
    </>
  );
}
