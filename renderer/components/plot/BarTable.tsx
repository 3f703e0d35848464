import { i18n } from '@lingui/core';
import { Tooltip } from '@mantine/core';
import { type CSSProperties, type ReactNode, type SyntheticEvent, useState } from 'react';
import { number } from '../../words/format.ts';
import classes from './Plots.module.css';

type Bar = {
  key: string;
  label: ReactNode;
  count: number;
  /** The formatted count, if not a plain number. */
  figure?: string;
  onChoose?: (() => void) | undefined;
};

type Props = {
  title: string;
  of: string;
  bars: readonly Bar[];
  /** Cuts labels to one line; otherwise they wrap. */
  oneLine?: true;
};

/** Renders a bar chart as a table, with the same data for screen readers. */
export function BarTable({ title, of, bars, oneLine }: Props) {
  const maxCount = Math.max(1, ...bars.map(({ count }) => count));
  const longestFigure = Math.max(0, ...bars.map(({ figure = '' }) => figure.length));
  return (
    <table
      className={classes.table}
      data-one-line={oneLine}
      aria-label={title}
      style={{ '--longest-figure': longestFigure } as CSSProperties}
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
              {onChoose ? <BarButton label={label} onChoose={onChoose} /> : label}
            </th>
            <td className={classes.figure}>
              <span
                className={classes.bar}
                style={{ '--share': count / maxCount } as CSSProperties}
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

const tooltipClasses = { tooltip: classes.whole ?? '' };

/** Shows a label that is cut off in a tooltip, on hover and focus. */
function BarButton({ label, onChoose }: { label: ReactNode; onChoose: () => void }) {
  const [cutElement, setCutElement] = useState<HTMLElement>();
  const showIfCut = ({ currentTarget: element }: SyntheticEvent<HTMLElement>) =>
    setCutElement(isCut(element) ? element : undefined);
  const hide = () => setCutElement(undefined);
  return (
    <>
      <button
        type="button"
        className={classes.choose}
        onClick={onChoose}
        onPointerMove={(event) => event.pointerType !== 'touch' && showIfCut(event)}
        onPointerLeave={hide}
        onFocus={showIfCut}
        onBlur={hide}
        onKeyDown={({ key }) => key === 'Escape' && hide()}
      >
        {label}
      </button>
      {/* No description: screen readers read the whole label already. */}
      {cutElement && (
        <Tooltip target={cutElement} opened classNames={tooltipClasses} multiline maw="30rem" label={label} />
      )}
    </>
  );
}

const isCut = (button: HTMLElement) =>
  [button, ...button.querySelectorAll('bdi')].some(
    ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      scrollWidth > clientWidth || scrollHeight > clientHeight + 1,
  );
