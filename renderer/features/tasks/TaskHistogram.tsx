import { i18n } from '@lingui/core';
import { type PointerEvent, useMemo, useRef, useState } from 'react';
import type { ScheduledTask } from '../../../shared/api/tasks.ts';
import { list, mediumTimeFormat, number } from '../../words/format.ts';
import { type Bin, histogramBins, timeSpan } from './histogram-bins.ts';
import classes from './TaskHistogram.module.css';
import { statusWord } from './TaskStatusMark.tsx';
import { type TaskSearch, taskStates } from './task-search.ts';

type Props = {
  tasks: ScheduledTask[];
  search: TaskSearch;
  onRange: (range: { after: number; before: number }) => void;
};

/** Tasks over time. Dragging over it narrows the time down; the time fields do the same by key. */
export function TaskHistogram({ tasks, search, onRange }: Props) {
  const plot = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ start: number; end: number }>();
  const bins = useMemo(() => {
    const span = timeSpan(tasks);
    const from = search.after ?? span?.from;
    const to = search.before === undefined ? span?.to : search.before - 1;
    return from === undefined || to === undefined || to < from ? [] : histogramBins(tasks, from, to);
  }, [tasks, search.after, search.before]);
  const highest = Math.max(1, ...bins.map(({ total }) => total));
  const now = Date.now();

  function binAt(event: PointerEvent): number {
    const box = plot.current?.getBoundingClientRect();
    if (!box) return 0;
    const index = Math.floor(((event.clientX - box.left) / box.width) * bins.length);
    return Math.min(bins.length - 1, Math.max(0, index));
  }

  function finish() {
    if (!drag) return;
    const chosen = bins.slice(Math.min(drag.start, drag.end), Math.max(drag.start, drag.end) + 1);
    const [first, last] = [chosen[0], chosen.at(-1)];
    setDrag(undefined);
    // A time without tasks is nothing to look at.
    const isEmpty = chosen.every(({ total }) => total === 0);
    if (first && last && !isEmpty) onRange({ after: first.from, before: last.to });
  }

  const first = bins[0];
  const last = bins.at(-1);
  return (
    <figure
      className={classes.histogram}
      aria-label={i18n.t('{count, plural, one {# task} other {# tasks}} over time', {
        count: tasks.length,
      })}
    >
      <div
        ref={plot}
        className={classes.plot}
        // Time goes to the right in every language's charts.
        dir="ltr"
        onPointerDown={(event) => {
          if (bins.length === 0 || event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag({ start: binAt(event), end: binAt(event) });
        }}
        onPointerMove={(event) => drag && setDrag({ ...drag, end: binAt(event) })}
        onPointerUp={finish}
        onPointerCancel={() => setDrag(undefined)}
      >
        {bins.map((bin, index) => (
          <div
            key={bin.from}
            className={classes.bin}
            title={binTitle(bin)}
            data-chosen={
              (drag && index >= Math.min(drag.start, drag.end) && index <= Math.max(drag.start, drag.end)) ||
              undefined
            }
          >
            <div className={classes.bar} style={{ height: `${(bin.total / highest) * 100}%` }}>
              {taskStates.map((status) => {
                const count = bin.counts[status];
                return count && <div key={status} data-status={status} style={{ flexGrow: count }} />;
              })}
            </div>
          </div>
        ))}
        {first && last && now > first.from && now < last.to && (
          <div
            className={classes.now}
            style={{ insetInlineStart: `${((now - first.from) / (last.to - first.from)) * 100}%` }}
            title={i18n.t('Now')}
          />
        )}
      </div>
      {first && last && (
        <figcaption className={classes.axis}>
          <span>{timeFormatOf(first).format(first.from)}</span>
          <span className={classes.hint}>{i18n.t('Drag to select a time range')}</span>
          <span>{timeFormatOf(last).format(last.to)}</span>
        </figcaption>
      )}
    </figure>
  );
}

const minute = 60_000;

/** Bins of less than a minute are told apart by their seconds. */
const timeFormatOf = ({ from, to }: Bin) => mediumTimeFormat(to - from < minute ? 'medium' : 'short');

function binTitle(bin: Bin): string {
  const { from, to, counts, total } = bin;
  const parts = taskStates.flatMap((status) =>
    counts[status] ? [`${statusWord(status)}: ${number(counts[status])}`] : [],
  );
  return `${timeFormatOf(bin).formatRange(from, to)}\n${total === 0 ? i18n.t('No tasks') : list(parts)}`;
}
