import type { ScheduledTask } from '../../../shared/api/tasks.ts';
import type { TaskState } from './task-search.ts';

export type Bin = { from: number; to: number; counts: Partial<Record<TaskState, number>>; total: number };

/** Widths that people read easily, in milliseconds: seconds, minutes, hours, days, weeks. */
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
const mostBins = 72;

/**
 * The tasks over time, in bins of equal and readable width, each by status.
 *
 * @param from the first bin begins at or before it, in milliseconds
 * @param to the last bin ends at or after it
 */
export function histogramBins(tasks: ScheduledTask[], from: number, to: number): Bin[] {
  const span = Math.max(to - from, second);
  const width = widths.find((candidate) => span / candidate <= mostBins) ?? span / mostBins;
  const start = Math.floor(from / width) * width;
  const count = Math.min(mostBins + 2, Math.max(1, Math.ceil((to - start + 1) / width)));
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

/** A server may name a time that no calendar has; the last bin ends after the last of these, and has to be one, too. */
const latest = 8e15;

/** From the earliest to the latest task; undefined without any. */
export function timeSpan(tasks: ScheduledTask[]): { from: number; to: number } | undefined {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { timestamp_ms } of tasks) {
    if (Math.abs(timestamp_ms) > latest) continue;
    from = Math.min(from, timestamp_ms);
    to = Math.max(to, timestamp_ms);
  }
  return from <= to ? { from, to } : undefined;
}
