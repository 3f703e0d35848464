import { type Static, Type } from 'typebox';
import { SafeInteger } from '../../../shared/api/common.ts';
import type { EventReportFilter, EventReportOrder } from '../../api/event-reports.ts';
import { type SearchReader, searchOf } from '../../search.ts';

const Text = Type.Optional(Type.String({ minLength: 1 }));

/** What the address of the reports screen says: the filters, the order and the report that is open. */
const ReportSearch = Type.Object({
  room: Text,
  reporter: Text,
  sender: Text,
  order: Type.Optional(Type.Literal('oldest')),
  report: Type.Optional(SafeInteger),
});
export type ReportSearch = Static<typeof ReportSearch>;
export const readReportSearch: SearchReader<ReportSearch> = searchOf(ReportSearch);

export const filterOf = ({ room, reporter, sender }: ReportSearch): EventReportFilter => ({
  ...(room && { room_id: room }),
  ...(reporter && { user_id: reporter }),
  ...(sender && { event_sender_user_id: sender }),
});

export const directionOf = ({ order }: ReportSearch): EventReportOrder => (order === 'oldest' ? 'f' : 'b');

export const isFiltered = ({ room, reporter, sender }: ReportSearch) => Boolean(room || reporter || sender);
