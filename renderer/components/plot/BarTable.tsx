import { i18n } from '@lingui/core';
import { Tooltip } from '@mantine/core';
import { type CSSProperties, type ReactNode, type SyntheticEvent, useState } from 'react';
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
  /** Where there is room for so many lines and no more; elsewhere each has a few. */
  oneLine?: true;
};

/** A plot that is a table: a bar and its figure in each row, the same for eyes and ears. */
export function BarTable({ title, of, bars, oneLine }: Props) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const longest = Math.max(0, ...bars.map(({ figure = '' }) => figure.length));
  return (
    <table
      className={classes.table}
      data-one-line={oneLine}
      aria-label={title}
      style={{ '--longest-figure': longest } as CSSProperties}
    >
      <thead className={classes.head}>
        <tr>
          <th scope="col">{of}</th>
          <th scope="col">{i18n.t('Count')}</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ key, label, count, figure, onChoose }) => (
          <tr key={key}>
            <th scope="row" className={classes.label}>
              {onChoose ? <Choice label={label} onChoose={onChoose} /> : label}
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

/** What is cut off of a label is beside it when one looks at it: with the pointer, or by keyboard. */
function Choice({ label, onChoose }: { label: ReactNode; onChoose: () => void }) {
  const [cut, setCut] = useState<HTMLElement>();
  const look = ({ currentTarget: element }: SyntheticEvent<HTMLElement>) =>
    setCut(isCut(element) ? element : undefined);
  const leave = () => setCut(undefined);
  return (
    <>
      <button
        type="button"
        className={classes.choose}
        onClick={onChoose}
        onPointerEnter={(event) => event.pointerType !== 'touch' && look(event)}
        onPointerLeave={leave}
        onFocus={look}
        onBlur={leave}
        onKeyDown={({ key }) => key === 'Escape' && leave()}
      >
        {label}
      </button>
      {/* It describes nothing: whoever listens hears the name whole, and would hear it twice. */}
      {cut && <Tooltip target={cut} opened classNames={whole} multiline maw="30rem" label={label} />}
    </>
  );
}

const isCut = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: HTMLElement) =>
  scrollWidth > clientWidth || scrollHeight > clientHeight + 1;
