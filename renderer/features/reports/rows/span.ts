import type { Span } from '../../../api/report-walk.ts';
import { endOfDay, startOfDay } from '../../../components/day.ts';

/** From the first of two days to the end of the last, by the person's calendar; undefined where neither is one. */
export function spanOf(since: string | undefined, until: string | undefined): Span | undefined {
  const [from, to] = [startOfDay(since), endOfDay(until)];
  if (from === undefined && to === undefined) return undefined;
  return { from: from ?? Number.MIN_SAFE_INTEGER, to: to ?? Number.MAX_SAFE_INTEGER };
}
