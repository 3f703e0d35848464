import { i18n } from '@lingui/core';
import { dayOfYear, number, shortDay } from '../../words/format.ts';
import type { Bin } from './day-bins.ts';
import classes from './Plots.module.css';

type Props = {
  title: string;
  bins: readonly Bin[];
  /** For example `12 Mar: 3 reports`. */
  labelOf: (bin: Bin) => string;
  /** Makes the bars buttons. */
  onChoose?: (bin: Bin) => void;
  /** Formats the axis' ends; as days by default, with the year if they are far apart. */
  formatEnd?: (time: number) => string;
  /** Formats a count; as a number by default. */
  formatCount?: (count: number) => string;
};

const longMs = 300 * 86_400_000;

/** Renders a histogram over time. */
export function TimePlot({ title, bins, labelOf, onChoose, formatEnd, formatCount = number }: Props) {
  const maxCount = bins.reduce((so, { count }) => Math.max(so, count), 0);
  const [first, last] = [bins[0], bins.at(-1)];
  const dayOf = first && last && last.from - first.from < longMs ? dayOfYear : shortDay;
  const endOf = (bin: Bin | undefined) => bin && (formatEnd?.(bin.from) ?? dayOf(new Date(bin.from)));
  return (
    <figure className={classes.plot} aria-label={title}>
      {/* Time runs to the right in every language. */}
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
                <ColumnBar share={bin.count / maxCount} />
              </button>
            ) : (
              <span className={classes.columnButton} title={labelOf(bin)}>
                <ColumnBar share={bin.count / maxCount} />
              </span>
            )}
          </li>
        ))}
      </ol>
      <figcaption className={classes.axis} dir="ltr">
        <span>{endOf(first)}</span>
        <span>{i18n.t('max: {most}', { most: formatCount(maxCount) })}</span>
        <span>{endOf(last)}</span>
      </figcaption>
    </figure>
  );
}

function ColumnBar({ share }: { share: number }) {
  return (
    <span style={{ height: share > 0 ? `${Math.max(2, share * 100)}%` : 0 }} className={classes.columnBar} />
  );
}
