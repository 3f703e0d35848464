import { i18n } from '@lingui/core';
import { number, shortDay } from '../../words/format.ts';
import type { Bin } from './day-bins.ts';
import classes from './Plots.module.css';

type Props = {
  title: string;
  bins: readonly Bin[];
  /** `12 Mar: 3 reports`, in the person's language. */
  labelOf: (bin: Bin) => string;
  /** Makes each bar a way into the list. */
  onChoose?: (bin: Bin) => void;
  /** The first and the last one's time; the day, where it isn't said. */
  endOf?: (time: number) => string;
  /** A count as people say it, where a number is not how they do. */
  figureOf?: (count: number) => string;
};

const dayOf = (time: number) => shortDay(new Date(time));

/** What happened over time: a bar for each piece of it. */
export function TimePlot({ title, bins, labelOf, onChoose, endOf = dayOf, figureOf = number }: Props) {
  const most = bins.reduce((so, { count }) => Math.max(so, count), 0);
  const [first, last] = [bins[0], bins.at(-1)];
  return (
    <figure className={classes.plot} aria-label={title}>
      {/* Time goes to the right in every language's charts. */}
      <ol className={classes.columns} dir="ltr">
        {bins.map((bin) => (
          <li key={bin.from} className={classes.column}>
            {onChoose ? (
              <button
                type="button"
                className={classes.columnButton}
                disabled={bin.count === 0}
                title={labelOf(bin)}
                aria-label={labelOf(bin)}
                onClick={() => onChoose(bin)}
              >
                <ColumnBar share={bin.count / most} />
              </button>
            ) : (
              <span className={classes.columnButton} title={labelOf(bin)}>
                <ColumnBar share={bin.count / most} />
              </span>
            )}
          </li>
        ))}
      </ol>
      <figcaption className={classes.axis} dir="ltr">
        <span>{first && endOf(first.from)}</span>
        <span>{i18n.t('max: {most}', { most: figureOf(most) })}</span>
        <span>{last && endOf(last.from)}</span>
      </figcaption>
    </figure>
  );
}

function ColumnBar({ share }: { share: number }) {
  return (
    <span style={{ height: share > 0 ? `${Math.max(2, share * 100)}%` : 0 }} className={classes.columnBar} />
  );
}
