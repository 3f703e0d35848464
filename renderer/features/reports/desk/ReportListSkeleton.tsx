import { i18n } from '@lingui/core';
import { LoadingNote } from '../../../components/LoadingNote.tsx';
import classes from './RowSkeleton.module.css';
import { RowSkeleton } from './RowSkeleton.tsx';
import { rowHeight } from './row.ts';

const slots = [0, 1, 2, 3, 4, 5, 6, 7];

/** @param awaited what was asked for by its key meanwhile */
export function ReportListSkeleton({ awaited: action }: { awaited?: string | undefined }) {
  return (
    <div className={classes.list}>
      {slots.map((slot) => (
        <RowSkeleton key={slot} slot={slot} start={slot * rowHeight} />
      ))}
      <LoadingNote
        text={i18n.t('Loading reports…')}
        awaited={action === undefined ? undefined : i18n.t('“{action}” runs once reports load.', { action })}
      />
    </div>
  );
}
