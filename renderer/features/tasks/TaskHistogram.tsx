import { i18n } from '@lingui/core';
import { type PointerEvent, useMemo, useRef, useState } from 'react';
import type { ScheduledTask } from '../../../shared/api/tasks.ts';
import { list, mediumTimeFormat, number } from '../../words/format.ts';
import classes from './TaskHistogram.module.css';
import { statusWord } from './TaskStatusMark.tsx';
import { type TaskSearch, type TaskState, taskStates } from './task-search.ts';

type Bin = { from: number; to: number; counts: Partial<Record<TaskState, number>>; total: number };

/** Readable bin widths, in milliseconds. */
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const widths = [
  ...[1, 5, 15, 30].map((count) => count * second),
  ...[1, 5, 15, 30].map((count) => count * minute),
  ...[1, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => count * day),
];
const maxBins = 72;

/** Counts tasks by time and status, in bins of equal and readable width. */
export function histogramBins(tasks: ScheduledTask[], from: number, to: number): Bin[] {
  const span = Math.max(to - from, second);
  const width = widths.find((candidate) => span / candidate <= maxBins) ?? span / maxBins;
  const start = Math.floor(from / width) * width;
  const count = Math.min(maxBins + 2, Math.max(1, Math.ceil((to - start + 1) / width)));
  const bins: Bin[] = Array.from({ length: count }, (_, index) => ({
    from: start + index * width,
    to: start + (index + 1) * width,
    counts: {},
    total: 0,
  }));
  for (const { timestamp_ms, status } of tasks) {
    const bin = bins[Math.floor((timestamp_ms - start) / width)];
    if (!bin) continue;
    bin.counts[status] = (bin.counts[status] ?? 0) + 1;
    bin.total += 1;
  }
  return bins;
}

/** Near the maximum of `Date`; the end of the last bin must be valid as well. */
const latest = 8e15;

/** Returns the range of timestamps; undefined without tasks. */
function timeSpan(tasks: ScheduledTask[]): { from: number; to: number } | undefined {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { timestamp_ms } of tasks) {
    if (Math.abs(timestamp_ms) > latest) continue;
    from = Math.min(from, timestamp_ms);
    to = Math.max(to, timestamp_ms);
  }
  return from <= to ? { from, to } : undefined;
}

type Props = {
  tasks: ScheduledTask[];
  search: TaskSearch;
  onRange: (range: { after: number; before: number }) => void;
};

/** Renders tasks over time. Dragging selects a range, as the time fields do. */
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
    // Ignores a range without tasks.
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
        // Time runs to the right in every language.
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

/** Bins below a minute need seconds. */
const timeFormatOf = ({ from, to }: Bin) => mediumTimeFormat(to - from < minute ? 'medium' : 'short');

function binTitle(bin: Bin): string {
  const { from, to, counts, total } = bin;
  const parts = taskStates.flatMap((status) =>
    counts[status] ? [`${statusWord(status)}: ${number(counts[status])}`] : [],
  );
  return `${timeFormatOf(bin).formatRange(from, to)}\n${total === 0 ? i18n.t('No tasks') : list(parts)}`;
}
