/** Stand in for a report that is loading or can't be loaded. */
import { i18n } from '@lingui/core';
import { Skeleton } from '@mantine/core';
import { FailureMessage, LoadingNote } from '../../../components/LoadStates.tsx';
import classes from './ReportDetail.module.css';

type Query = { error: Error | null; isFetching: boolean; refetch: () => unknown };

/** Shown if a report couldn't be loaded. */
export const ReportFailure = ({ query }: { query: Query }) => (
  <FailureMessage title={i18n.t("Couldn't load report")} query={query} />
);

/** Skeleton of the report's heading. */
export const ReportNumberSkeleton = () => (
  <div className={classes.placeholder} aria-hidden>
    <Skeleton height={12} width={90} />
  </div>
);

export function ReportContentSkeleton() {
  return (
    <>
      <div className={classes.content} aria-hidden>
        <div className={classes.main}>
          <Skeleton height={128} radius="lg" />
          {[70, 52, 60, 44].map((width) => (
            <Skeleton key={width} height={12} width={`${width}%`} />
          ))}
        </div>
      </div>
      <LoadingNote text={i18n.t('Loading report…')} />
    </>
  );
}
