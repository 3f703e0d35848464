import { memo } from 'react';
import classes from './RowSkeleton.module.css';

const widths = [62, 48, 71, 55, 66, 44, 58, 69];

type Props = {
  /** Which of those on screen it is: it has the same form wherever it is drawn. */
  slot: number;
  /** Where it is drawn, in pixels from the rows' common beginning. */
  start: number;
};

/** Stands for a report that is on its way. It moves nothing: there can be hundreds in a second. */
export const RowSkeleton = memo(function RowSkeleton({ slot, start }: Props) {
  const width = widths[slot % widths.length] ?? 60;
  return (
    <div className={classes.row} style={{ transform: `translateY(${start}px)` }} aria-hidden>
      <span style={{ width: `${width}%` }} />
      <span style={{ width: `${width + 18}%` }} />
      <span style={{ width: `${width - 12}%` }} />
    </div>
  );
});
