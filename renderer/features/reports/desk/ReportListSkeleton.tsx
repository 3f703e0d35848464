import { i18n } from '@lingui/core';
import { Skeleton } from '@mantine/core';
import { LoadingNote } from '../../../components/LoadingNote.tsx';
import classes from './ReportListSkeleton.module.css';

const rows = [62, 48, 71, 55, 66, 44, 58, 69];

export function ReportListSkeleton() {
  return (
    <div className={classes.root}>
      {rows.map((width) => (
        <div key={width} className={classes.row} aria-hidden>
          <Skeleton height={11} width={`${width}%`} />
          <Skeleton height={9} width={`${width + 18}%`} />
          <Skeleton height={9} width={`${width - 12}%`} />
        </div>
      ))}
      <LoadingNote text={i18n.t('Loading the reports…')} />
    </div>
  );
}
