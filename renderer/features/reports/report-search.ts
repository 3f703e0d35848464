import type { EventReportFilter, EventReportOrder } from '../../api/event-reports.ts';

/** What the address of the reports screen says: the filters, the order and the report that is open. */
export type ReportSearch = {
  room?: string;
  reporter?: string;
  sender?: string;
  order?: 'oldest';
  report?: number;
};

/** Leaves out whatever can't be meant: an address is typed, cut off and sent around. */
export function validateReportSearch(search: Record<string, unknown>): ReportSearch {
  const { room, reporter, sender, order, report } = search;
  return {
    ...(isText(room) && { room }),
    ...(isText(reporter) && { reporter }),
    ...(isText(sender) && { sender }),
    ...(order === 'oldest' && { order }),
    ...(Number.isSafeInteger(report) && { report: report as number }),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export const filterOf = ({ room, reporter, sender }: ReportSearch): EventReportFilter => ({
  ...(room && { room_id: room }),
  ...(reporter && { user_id: reporter }),
  ...(sender && { event_sender_user_id: sender }),
});

export const directionOf = ({ order }: ReportSearch): EventReportOrder => (order === 'oldest' ? 'f' : 'b');

export const isFiltered = ({ room, reporter, sender }: ReportSearch) => Boolean(room || reporter || sender);
