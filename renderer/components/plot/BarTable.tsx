import { i18n } from '@lingui/core';
import { Tooltip } from '@mantine/core';
import type { ComponentProps, CSSProperties, ReactNode } from 'react';
import { number } from '../../words/format.ts';
import classes from './Plots.module.css';

type Bar = {
  key: string;
  label: ReactNode;
  count: number;
  /** The count as people say it, where a number is not how they do. */
  figure?: string;
  onChoose?: (() => void) | undefined;
};

type Props = {
  title: string;
  of: string;
  bars: readonly Bar[];
  /** Where there is room for so many lines and no more: what is longer is cut off, and whole beside it when looked at. */
  oneLine?: true;
};

/** A plot that is a table: a bar and its figure in each row, the same for eyes and ears. */
export function BarTable({ title, of, bars, oneLine }: Props) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <table className={classes.table} data-one-line={oneLine} aria-label={title}>
      <thead className={classes.head}>
        <tr>
          <th scope="col">{of}</th>
          <th scope="col">{i18n.t('How many')}</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ key, label, count, figure, onChoose }) => (
          <tr key={key}>
            <th scope="row" className={classes.label}>
              {onChoose ? (
                <Tooltip
                  classNames={whole}
                  multiline
                  maw="30rem"
                  label={label}
                  disabled={!oneLine}
                  events={looks}
                >
                  <Choice className={classes.choose} onClick={onChoose}>
                    {label}
                  </Choice>
                </Tooltip>
              ) : (
                label
              )}
            </th>
            <td className={classes.figure}>
              <span
                className={classes.bar}
                style={{ '--share': count / most } as CSSProperties}
                aria-hidden
              />
              <span className={classes.number}>{figure ?? number(count)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const whole = { tooltip: classes.whole ?? '' };
const looks = { hover: true, focus: true, touch: false };

/** It is described by nothing: whoever listens hears its name whole, and would hear it twice. */
function Choice({ 'aria-describedby': _, ...props }: ComponentProps<'button'>) {
  return <button type="button" {...props} />;
}
