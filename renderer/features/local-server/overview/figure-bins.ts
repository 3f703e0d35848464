import type { FiguresPoint } from '../../../../shared/workbench/figures.ts';
import type { Bin } from '../../../components/plot/day-bins.ts';

const minute = 60_000;
const minutesShown = 60;

/**
 * The last hour, minute by minute, the oldest first: of each minute's points what `choose` makes of them. A minute
 * without points counts as nothing.
 */
export function minuteBins(
  points: readonly FiguresPoint[],
  figureIn: (point: FiguresPoint) => number | null,
  choose: (values: number[]) => number,
): Bin[] {
  const last = points.at(-1)?.at ?? 0;
  const end = (Math.floor(last / minute) + 1) * minute;
  const byMinute = new Map<number, number[]>();
  for (const point of points) {
    const value = figureIn(point);
    if (value === null) continue;
    const from = Math.floor(point.at / minute) * minute;
    byMinute.set(from, [...(byMinute.get(from) ?? []), value]);
  }
  return Array.from({ length: minutesShown }, (_, index) => {
    const from = end - (minutesShown - index) * minute;
    const values = byMinute.get(from);
    return { from, to: from + minute, count: values ? choose(values) : 0 };
  });
}

export const most = (values: number[]) => values.reduce((a, b) => Math.max(a, b));
