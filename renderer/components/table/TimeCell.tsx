import { mediumTimeFormat } from '../../words/format.ts';
import { fileTime } from '../file/table-file.ts';
import { RelativeTime } from '../RelativeTime.tsx';
import classes from './cells.module.css';

/** Column width that fits the relative and the exact time, in pixels. */
export const timeColumnWidth = 270;

/** Renders a relative time, with the exact one if the column is wide enough. */
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

/** Returns the parts of a column of times; a column without a time shows a dash. */
export const timeColumn = <Row,>(timeOf: (row: Row) => number | null | undefined) => ({
  comfortableWidth: timeColumnWidth,
  descending: true,
  value: (row: Row) => fileTime(timeOf(row)),
  cell(row: Row) {
    const time = timeOf(row);
    return time ? <TimeCell timestamp={time} /> : '–';
  },
});
