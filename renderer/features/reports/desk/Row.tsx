import { i18n } from '@lingui/core';
import { IconCheck, IconUrgent } from '@tabler/icons-react';
import { type MouseEvent, memo, type ReactNode } from 'react';
import type { ReportState } from '../../../../shared/team/entries.ts';
import { LoadingNote } from '../../../components/LoadStates.tsx';
import { useRowHeights } from '../../../density.ts';
import { truncate } from '../../../words/clip.ts';
import classes from './Row.module.css';

export const rowId = (reportId: number) => `report-${reportId}`;

export type RowProps<Report> = {
  report: Report;
  position: number;
  total: number;
  current: boolean;
  selected: boolean;
  /** Undefined while the marks aren't known. */
  state: ReportState | undefined;
  /** Offset in pixels from the beginning of the rendered rows. */
  start: number;
  /** Whether to load the number of other reports: not while rows scroll by. */
  counted: boolean;
  onPress: (reportId: number, event: MouseEvent) => void;
  onToggle: (reportId: number) => void;
};

/** Returns enough of a reason for one line: more would slow the list down. */
export function firstLine(reason: string | null): string | undefined {
  const line = reason?.trimStart().split('\n', 1)[0] ?? '';
  return truncate(line, 300) || undefined;
}

/** The icon of an open or escalated report. */
export function StateSign({ state }: { state: ReportState | undefined }) {
  if (state === 'escalated') {
    return <IconUrgent size={15} className={classes.escalated} aria-label={i18n.t('Escalated')} role="img" />;
  }
  if (state !== 'open') return null;
  return <span className={classes.unread} role="img" aria-label={i18n.t('Open')} />;
}

/** The frame of a row: position, state, and whether it is open and selected. */
export function RowFrame({
  children,
  ...props
}: Omit<RowProps<{ id: number }>, 'counted'> & { children: ReactNode }) {
  const { current, selected, state } = props;
  return (
    // The listbox has the focus and handles keys; options are only clicked.
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
        {/* biome-ignore lint/a11y/noStaticElementInteractions: for the pointer only; the option has the selected state */}
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

const widths = [62, 48, 71, 55, 66, 44, 58, 69];

type Props = {
  /** Its position on screen, which determines its shape. */
  slot: number;
  /** Offset in pixels from the beginning of the rendered rows. */
  start: number;
};

/** Placeholder of a report that is loading. Not animated: hundreds can pass in a second. */
export const RowSkeleton = memo(function RowSkeleton({ slot, start }: Props) {
  const width = widths[slot % widths.length] ?? 60;
  return (
    <div className={classes.rowSkeletonRow} style={{ transform: `translateY(${start}px)` }} aria-hidden>
      <span style={{ width: `${width}%` }} />
      <span style={{ width: `${width + 18}%` }} />
      <span style={{ width: `${width - 12}%` }} />
    </div>
  );
});

const slots = [0, 1, 2, 3, 4, 5, 6, 7];

/** @param awaited label of the command that runs once reports are loaded */
export function ReportListSkeleton({ awaited: action }: { awaited?: string | undefined }) {
  const { reportRow } = useRowHeights();
  return (
    <div className={classes.list}>
      {slots.map((slot) => (
        <RowSkeleton key={slot} slot={slot} start={slot * reportRow} />
      ))}
      <LoadingNote
        text={i18n.t('Loading reports…')}
        queuedAction={
          action === undefined ? undefined : i18n.t('“{action}” runs once reports load.', { action })
        }
      />
    </div>
  );
}
