import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { type FiguresPoint, figuresEverySeconds, getFigures } from '../../../../shared/workbench/figures.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { Disclosure } from '../../../components/Disclosure.tsx';
import type { Bin } from '../../../components/plot/day-bins.ts';
import { TimePlot } from '../../../components/plot/TimePlot.tsx';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { byteSize, clock, number } from '../../../words/format.ts';
import { useBench } from '../bench.ts';
import localServerClasses from '../LocalServer.module.css';
import classes from './Overview.module.css';

const minute = 60_000;
const minutesShown = 60;

/**
 * The last hour, minute by minute, the oldest first: of each minute's points what `choose` makes of them. A minute
 * without points counts as nothing.
 */
function minuteBins(
  points: readonly FiguresPoint[],
  figureIn: (point: FiguresPoint) => number | null,
  choose: (values: number[]) => number,
): Bin[] {
  const last = points.at(-1)?.at ?? 0;
  const end = (Math.floor(last / minute) + 1) * minute;
  const byMinute = new Map<number, number[]>();
  for (const point of points) {
    const value = figureIn(point);
    if (value === null) continue;
    const from = Math.floor(point.at / minute) * minute;
    byMinute.set(from, [...(byMinute.get(from) ?? []), value]);
  }
  return Array.from({ length: minutesShown }, (_, index) => {
    const from = end - (minutesShown - index) * minute;
    const values = byMinute.get(from);
    return { from, to: from + minute, count: values ? choose(values) : 0 };
  });
}

const most = (values: number[]) => values.reduce((a, b) => Math.max(a, b));

type Figure = {
  title: string;
  figureIn: (point: FiguresPoint) => number | null;
  choose: (values: number[]) => number;
  shown: (value: number) => string;
};

const rounded = (value: number) => number(Math.round(value * 10) / 10);
const milliseconds = (value: number) => i18n.t('{ms} ms', { ms: rounded(value) });

const figures: Figure[] = [
  {
    title: /*i18n*/ 'Requests per second',
    figureIn: (point) => point.requests_per_second,
    choose: most,
    shown: rounded,
  },
  {
    title: /*i18n*/ 'Median response time',
    figureIn: (point) => point.p50_ms,
    choose: most,
    shown: milliseconds,
  },
  {
    title: /*i18n*/ '99th percentile response time',
    figureIn: (point) => point.p99_ms,
    choose: most,
    shown: milliseconds,
  },
  { title: /*i18n*/ 'Memory', figureIn: (point) => point.rss_bytes, choose: most, shown: byteSize },
  { title: /*i18n*/ 'Database', figureIn: (point) => point.database_bytes, choose: most, shown: byteSize },
  {
    title: /*i18n*/ 'Running tasks',
    figureIn: ({ tasks }) => tasks.active ?? 0,
    choose: most,
    shown: rounded,
  },
  { title: /*i18n*/ 'Waiting syncs', figureIn: (point) => point.waiting_syncs, choose: most, shown: rounded },
  {
    title: /*i18n*/ 'Event loop delay',
    figureIn: (point) => point.event_loop_delay_ms,
    choose: most,
    shown: milliseconds,
  },
];

/** What the server did in the last hour: plots for the eye, and the same as a table. */
export function Figures() {
  const { connection, get } = useBench();
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
      gone={i18n.t('Metrics not available')}
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
        {figures.map(({ title, figureIn, choose, shown }) => {
          const now = latest && figureIn(latest);
          return (
            <div key={title}>
              <h3 className={classes.plotTitle}>
                {i18n.t(title)}
                <span className={classes.now}>{now === null || now === undefined ? '–' : shown(now)}</span>
              </h3>
              <TimePlot
                title={i18n.t(title)}
                bins={minuteBins(points, figureIn, choose)}
                labelOf={({ from, count }) => `${clock(from)}: ${shown(count)}`}
                formatEnd={clock}
                formatCount={shown}
              />
            </div>
          );
        })}
      </div>
      <Disclosure label={i18n.t('Show as table')}>
        <FiguresTable points={points} />
      </Disclosure>
    </>
  );
}

/** One row a minute that there is something to say of, the newest first. */
function FiguresTable({ points }: { points: readonly FiguresPoint[] }) {
  // Their clock may have been put back between them.
  const first = Math.min(...points.map(({ at }) => at));
  const columns = figures.map(({ figureIn, choose }) => minuteBins(points, figureIn, choose));
  const rows = (columns[0] ?? []).map((bin, index) => ({
    ...bin,
    cells: columns.map((bins) => bins[index]?.count ?? 0),
  }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than its box is scrolled by keys
    <section className={classes.wide} tabIndex={0} aria-label={i18n.t("Last hour's metrics")}>
      <table className={classes.figures}>
        <thead>
          <tr>
            <th scope="col">{i18n.t('Minute')}</th>
            {figures.map(({ title }) => (
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
                {figures.map(({ title, shown }, index) => (
                  <td key={title}>{shown(cells[index] ?? 0)}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}
