import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { type FiguresPoint, figuresEverySeconds, getFigures } from '../../../../shared/workbench/figures.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { Disclosure } from '../../../components/Disclosure.tsx';
import type { Bin } from '../../../components/plot/day-bins.ts';
import { TimePlot } from '../../../components/plot/TimePlot.tsx';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { byteSize, clock, number } from '../../../words/format.ts';
import localServerClasses from '../LocalServer.module.css';
import { useWorkbench } from '../workbench-context.ts';
import classes from './Overview.module.css';

const minute = 60_000;
const minuteCount = 60;

/** Returns the maximum of each minute of the last hour, oldest first; 0 for minutes without samples. */
function minuteBins(points: readonly FiguresPoint[], valueAt: Metric['valueAt']): Bin[] {
  const last = points.at(-1)?.at ?? 0;
  const end = (Math.floor(last / minute) + 1) * minute;
  const maxima = new Map<number, number>();
  for (const point of points) {
    const value = valueAt(point);
    if (value === null) continue;
    const from = Math.floor(point.at / minute) * minute;
    maxima.set(from, Math.max(maxima.get(from) ?? value, value));
  }
  return Array.from({ length: minuteCount }, (_, index) => {
    const from = end - (minuteCount - index) * minute;
    return { from, to: from + minute, count: maxima.get(from) ?? 0 };
  });
}

type Metric = {
  title: string;
  valueAt: (point: FiguresPoint) => number | null;
  format: (value: number) => string;
};

const rounded = (value: number) => number(Math.round(value * 10) / 10);
const milliseconds = (value: number) => i18n.t('{ms} ms', { ms: rounded(value) });

const metrics: Metric[] = [
  {
    title: /*i18n*/ 'Requests per second',
    valueAt: (point) => point.requests_per_second,
    format: rounded,
  },
  {
    title: /*i18n*/ 'Median response time',
    valueAt: (point) => point.p50_ms,
    format: milliseconds,
  },
  {
    title: /*i18n*/ '99th percentile response time',
    valueAt: (point) => point.p99_ms,
    format: milliseconds,
  },
  { title: /*i18n*/ 'Memory', valueAt: (point) => point.rss_bytes, format: byteSize },
  { title: /*i18n*/ 'Database', valueAt: (point) => point.database_bytes, format: byteSize },
  {
    title: /*i18n*/ 'Running tasks',
    valueAt: ({ tasks }) => tasks.active ?? 0,
    format: rounded,
  },
  { title: /*i18n*/ 'Waiting syncs', valueAt: (point) => point.waiting_syncs, format: rounded },
  {
    title: /*i18n*/ 'Event loop delay',
    valueAt: (point) => point.event_loop_delay_ms,
    format: milliseconds,
  },
];

/** The last hour's metrics as plots, and as a table for screen readers and copying. */
export function Metrics() {
  const { connection, get } = useWorkbench();
  const query = useQuery({
    queryKey: [connection.id, 'workbench', 'figures'],
    queryFn: ({ signal }) => get(getFigures.response[200], workbenchPaths.figures, signal),
    refetchInterval: figuresEverySeconds * 1000,
  });
  return (
    <Loaded
      query={query}
      loading={i18n.t('Loading metrics…')}
      lines={6}
      notFound={i18n.t('Metrics not available')}
    >
      {({ points }) =>
        points.length === 0 ? (
          <p className={localServerClasses.dim}>{i18n.t('Server just started. Metrics appear shortly.')}</p>
        ) : (
          <Plots points={points} />
        )
      }
    </Loaded>
  );
}

function Plots({ points }: { points: readonly FiguresPoint[] }) {
  const latest = points.at(-1);
  return (
    <>
      <div className={classes.plots}>
        {metrics.map(({ title, valueAt, format }) => {
          const value = latest && valueAt(latest);
          return (
            <div key={title}>
              <h3 className={classes.plotTitle}>
                {i18n.t(title)}
                <span className={classes.latestValue}>
                  {value === null || value === undefined ? '–' : format(value)}
                </span>
              </h3>
              <TimePlot
                title={i18n.t(title)}
                bins={minuteBins(points, valueAt)}
                labelOf={({ from, count }) => `${clock(from)}: ${format(count)}`}
                formatEnd={clock}
                formatCount={format}
              />
            </div>
          );
        })}
      </div>
      <Disclosure label={i18n.t('Show as table')}>
        <MetricsTable points={points} />
      </Disclosure>
    </>
  );
}

/** One row per minute with samples, newest first. */
function MetricsTable({ points }: { points: readonly FiguresPoint[] }) {
  // Not the first sample: the server's clock may have been set back.
  const first = Math.min(...points.map(({ at }) => at));
  const columns = metrics.map(({ valueAt }) => minuteBins(points, valueAt));
  const rows = (columns[0] ?? []).map((bin, index) => ({
    ...bin,
    cells: columns.map((bins) => bins[index]?.count ?? 0),
  }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard
    <section className={classes.tableScroller} tabIndex={0} aria-label={i18n.t("Last hour's metrics")}>
      <table className={classes.metrics}>
        <thead>
          <tr>
            <th scope="col">{i18n.t('Minute')}</th>
            {metrics.map(({ title }) => (
              <th key={title} scope="col">
                {i18n.t(title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows
            .filter(({ to }) => to > first)
            .reverse()
            .map(({ from, cells }) => (
              <tr key={from}>
                <th scope="row">{clock(from)}</th>
                {metrics.map(({ title, format }, index) => (
                  <td key={title}>{format(cells[index] ?? 0)}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}
