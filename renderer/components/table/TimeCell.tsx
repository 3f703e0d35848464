import { mediumTimeFormat } from '../../words/format.ts';
import { RelativeTime } from '../RelativeTime.tsx';
import classes from './cells.module.css';

/** How wide a column of times is that has room for all of them, in pixels. */
export const roomOfTime = 270;

/** When, as a person says it; and exactly, where the column has room for both. */
export const TimeCell = ({ timestamp }: { timestamp: number }) => (
  <span className={classes.time}>
    <RelativeTime timestamp={timestamp} />
    <span className={classes.exact} aria-hidden>
      {shortTime(timestamp)}
    </span>
  </span>
);

function shortTime(timestamp: number): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? '' : mediumTimeFormat().format(date);
}
