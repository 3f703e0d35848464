import { i18n } from '@lingui/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Row.module.css';
import { type RowProps, rowId } from './row.ts';
import { StateSign } from './StateSign.tsx';

/** A row as the list's keys and clicks know it: its place, its state, and whether it is open and selected. */
export function RowFrame({
  children,
  ...props
}: Omit<RowProps<{ id: number }>, 'counted'> & { children: ReactNode }) {
  const { current, selected, state } = props;
  return (
    // The listbox has the focus and the keys; an option is what it points at.
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the listbox
    <div
      role="option"
      tabIndex={-1}
      id={rowId(props.report.id)}
      className={classes.row}
      style={{ transform: `translateY(${props.start}px)` }}
      aria-selected={selected}
      aria-current={current || undefined}
      aria-posinset={props.position}
      aria-setsize={props.total}
      data-state={state}
      onClick={(event) => props.onPress(props.report.id, event)}
    >
      <span className={classes.mark}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: for the pointer alone; the option says whether it is selected */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the listbox has a key for it */}
        <span
          className={classes.checkbox}
          data-checked={selected || undefined}
          title={i18n.t('Select')}
          onClick={(event) => {
            event.stopPropagation();
            if (event.shiftKey) props.onPress(props.report.id, event);
            else props.onToggle(props.report.id);
          }}
        >
          {selected && <IconCheck size={12} stroke={3} aria-hidden />}
        </span>
        <StateSign state={state} />
      </span>
      {children}
    </div>
  );
}
