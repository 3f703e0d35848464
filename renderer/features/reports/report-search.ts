import { type Static, Type } from 'typebox';
import { SafeInteger } from '../../../shared/api/common.ts';
import type { EventReportFilter, EventReportOrder } from '../../api/event-reports.ts';
import { type SearchReader, searchOf } from '../../search.ts';

const Text = Type.Optional(Type.String({ minLength: 1 }));
const Day = Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }));
const oneOf = <Value extends string>(...values: Value[]) => Type.Optional(Type.Enum<Value[]>(values));

/** What the address of the reports screen says: the queue, the filters, the order and the report that is open. */
const ReportSearch = Type.Object({
  /** All where none is named. */
  queue: oneOf('unreviewed', 'escalated', 'resolved'),
  room: Text,
  reporter: Text,
  sender: Text,
  /** Words in the reason or the message. */
  text: Text,
  /** The first line of the reason in small letters; empty where none was given. */
  reason: Type.Optional(Type.String()),
  /** From the first of these days to the last. */
  since: Day,
  until: Day,
  /** Where none is named the newest come first, and of groups those with the most reports. */
  order: oneOf('newest', 'oldest', 'severity', 'count', 'sender'),
  /** One row for all reports on the same thing. */
  group: oneOf('event', 'sender', 'room', 'reporter'),
  report: Type.Optional(SafeInteger),
});
export type ReportSearch = Static<typeof ReportSearch>;
export const readReportSearch: SearchReader<ReportSearch> = searchOf(ReportSearch);

/** The statistics are of the reports that match these. */
export const readStatisticsSearch = searchOf(Type.Object({ room: Text, reporter: Text, sender: Text }));

export type Queue = NonNullable<ReportSearch['queue']>;
export type Grouping = NonNullable<ReportSearch['group']>;

export const filterOf = ({ room, reporter, sender }: ReportSearch): EventReportFilter => ({
  ...(room && { room_id: room }),
  ...(reporter && { user_id: reporter }),
  ...(sender && { event_sender_user_id: sender }),
});

export const directionOf = ({ order }: ReportSearch): EventReportOrder => (order === 'oldest' ? 'f' : 'b');
