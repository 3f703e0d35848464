import type { EventReportOrder } from '../../../api/event-reports.ts';
import type { Moment } from '../../../api/report-order.ts';

/** Where a day (`2026-03-01`, as the person's clock has it) begins in a list; none for what is no day. */
export function momentOfDay(day: string, dir: EventReportOrder): Moment | undefined {
  const start = new Date(`${day}T00:00`);
  if (Number.isNaN(start.getTime())) return undefined;
  // A list that begins with the newest comes to a day at its end.
  const next = new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1);
  return dir === 'b'
    ? { received_ts: next.getTime() - 1, id: Number.MAX_SAFE_INTEGER }
    : { received_ts: start.getTime(), id: 0 };
}
