import { i18n } from '@lingui/core';
import { LoadingNote } from '../../../components/LoadingNote.tsx';
import classes from './RowSkeleton.module.css';
import { RowSkeleton } from './RowSkeleton.tsx';
import { rowHeight } from './row.ts';

const slots = [0, 1, 2, 3, 4, 5, 6, 7];

export function ReportListSkeleton() {
  return (
    <div className={classes.list}>
      {slots.map((slot) => (
        <RowSkeleton key={slot} slot={slot} start={slot * rowHeight} />
      ))}
      <LoadingNote text={i18n.t('Loading the reports…')} />
    </div>
  );
}
