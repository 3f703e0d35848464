import { i18n } from '@lingui/core';
import { Skeleton } from '@mantine/core';
import { LoadingNote } from '../../../components/LoadingNote.tsx';
import classes from './ReportDetail.module.css';

/** In the place of a report whose script is on its way. */
export function ReportDetailSkeleton() {
  return (
    <>
      <div className={classes.toolbar}>
        <ReportNumberSkeleton />
      </div>
      <ReportContentSkeleton />
    </>
  );
}

/** In the place of the report's number and of what it can be marked as. */
export const ReportNumberSkeleton = () => (
  <div className={classes.coming} aria-hidden>
    <Skeleton height={12} width={90} />
  </div>
);

export function ReportContentSkeleton() {
  return (
    <>
      <div className={classes.content} aria-hidden>
        <Skeleton height={92} radius="lg" />
        {[70, 52, 60, 44].map((width) => (
          <Skeleton key={width} height={12} width={`${width}%`} />
        ))}
      </div>
      <LoadingNote text={i18n.t('Loading report…')} />
    </>
  );
}
