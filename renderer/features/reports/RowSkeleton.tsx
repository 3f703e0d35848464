import type { CSSProperties } from 'react';
import classes from './RowSkeleton.module.css';

const widths = [62, 48, 71, 55, 66, 44, 58, 69];

/** Stands for a report that is on its way. It moves nothing: there can be hundreds in a second. */
export function RowSkeleton({ row, style }: { row: number; style: CSSProperties }) {
  const width = widths[row % widths.length] ?? 60;
  return (
    <div className={classes.row} style={style} aria-hidden>
      <span style={{ width: `${width}%` }} />
      <span style={{ width: `${width + 18}%` }} />
      <span style={{ width: `${width - 12}%` }} />
    </div>
  );
}
