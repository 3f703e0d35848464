import classes from './Plots.module.css';

const width = 72;
const height = 20;

/** Renders a decorative line without axes: the text beside it describes the change. */
export function TrendLine({ values }: { values: readonly number[] }) {
  const min = Math.min(...values);
  const range = Math.max(...values) - min || 1;
  const points = values.map(
    (value, index) =>
      `${(index / Math.max(1, values.length - 1)) * width},${height - ((value - min) / range) * height}`,
  );
  return (
    <svg className={classes.trend} viewBox={`-1 -1 ${width + 2} ${height + 2}`} aria-hidden>
      <polyline points={points.join(' ')} />
    </svg>
  );
}
