import { i18n } from '@lingui/core';
import { TrendLine } from '../../components/plot/TrendLine.tsx';
import { number, shortDay } from '../../words/format.ts';
import classes from './Home.module.css';

type Props = {
  total: number;
  unit: string;
  /** The totals of earlier days, oldest first. */
  earlier: readonly { at: number; total: number }[];
};

/** Renders a total with its trend. */
export function Total({ total, unit, earlier }: Props) {
  const [first] = earlier;
  return (
    <div className={classes.total}>
      <p className={classes.figure}>
        {number(total)} <span className={classes.unit}>{unit}</span>
      </p>
      {first && (
        <>
          <TrendLine values={[...earlier.map((day) => day.total), total]} />
          <span className={classes.dim}>{trendText(total - first.total, shortDay(new Date(first.at)))}</span>
        </>
      )}
    </div>
  );
}

function trendText(change: number, day: string): string {
  if (change === 0) return i18n.t('No change since {day}', { day });
  return change > 0
    ? i18n.t('+{count} since {day}', { count: number(change), day })
    : i18n.t('−{count} since {day}', { count: number(-change), day });
}
