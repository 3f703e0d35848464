import { i18n } from '@lingui/core';
import { number, shortDay } from '../../words/format.ts';
import type { Bin } from './day-bins.ts';
import classes from './Plots.module.css';

type Props = {
  title: string;
  bins: readonly Bin[];
  /** `12 Mar: 3 reports`, in the person's language. */
  labelOf: (bin: Bin) => string;
  onChoose: (bin: Bin) => void;
};

/** What happened over time: one bar a day, a week or a month, each a way into the list. */
export function TimePlot({ title, bins, labelOf, onChoose }: Props) {
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const [first, last] = [bins[0], bins.at(-1)];
  return (
    <figure className={classes.plot} aria-label={title}>
      {/* Time goes to the right in every language's charts. */}
      <ol className={classes.columns} dir="ltr">
        {bins.map((bin) => (
          <li key={bin.from} className={classes.column}>
            <button
              type="button"
              className={classes.columnButton}
              disabled={bin.count === 0}
              title={labelOf(bin)}
              aria-label={labelOf(bin)}
              onClick={() => onChoose(bin)}
            >
              <span
                style={{ height: bin.count === 0 ? 0 : `${Math.max(2, (bin.count / most) * 100)}%` }}
                className={classes.columnBar}
              />
            </button>
          </li>
        ))}
      </ol>
      <figcaption className={classes.axis} dir="ltr">
        <span>{first && shortDay(new Date(first.from))}</span>
        <span>{i18n.t('most: {most}', { most: number(most) })}</span>
        <span>{last && shortDay(new Date(last.from))}</span>
      </figcaption>
    </figure>
  );
}
