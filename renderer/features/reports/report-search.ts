import { type Static, Type } from 'typebox';
import { SafeInteger } from '../../../shared/api/common.ts';
import type { EventReportFilter } from '../../api/reports/event-reports.ts';
import type { ReportOrder } from '../../api/reports/report-source.ts';
import { type SearchReader, searchOf } from '../../search.ts';
import { truncate } from '../../words/clip.ts';

// What the filters and the order of the reports screen come to.

export type Order = NonNullable<ReportSearch['order']>;

export const orderOf = ({ order, group }: Pick<ReportSearch, 'order' | 'group'>): Order =>
  order && !(group && order === 'sender') ? order : group ? 'count' : 'newest';

/** Whether there are filters that the server doesn't have. */
export const isNarrowed = ({ text, reason, since, until }: Narrowing) =>
  Boolean(text || since || until) || reason !== undefined;
type Narrowing = Pick<ReportSearch, 'text' | 'reason' | 'since' | 'until'>;

export const isFiltered = (search: ReportSearch) =>
  Boolean(search.room || search.reporter || search.sender) || isNarrowed(search);

/** Whether all reports that the server lists are shown. */
export const isWhole = (search: ListSearch) => !search.queue && !isNarrowed(search);

export const withoutFilters: Partial<ReportSearch> = {
  room: undefined,
  reporter: undefined,
  sender: undefined,
  text: undefined,
  reason: undefined,
  since: undefined,
  until: undefined,
};

export const isByTime = ({ order }: Pick<ReportSearch, 'order'>) =>
  order === undefined || order === 'newest' || order === 'oldest';

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

/** The part of it that decides which reports the list shows, in which order. */
export type ListSearch = Omit<ReportSearch, 'room' | 'reporter' | 'sender'>;

export type Queue = NonNullable<ReportSearch['queue']>;
export type Grouping = NonNullable<ReportSearch['group']>;

export const filterOf = ({ room, reporter, sender }: ReportSearch): EventReportFilter => ({
  ...(room && { room_id: room }),
  ...(reporter && { user_id: reporter }),
  ...(sender && { event_sender_user_id: sender }),
});

export const directionOf = ({ order }: Pick<ReportSearch, 'order'>): ReportOrder =>
  order === 'oldest' ? 'f' : 'b';

/** So much of a reason tells it from others, in characters. */
const longest = 80;

/** The first line of a reason, by which reports are counted together. */
export const firstLine = (reason: string | null) =>
  truncate(reason?.trim().split('\n', 1)[0]?.trim() ?? '', longest);

/** The same, in whatever case it was written; empty where there is none. */
export const reasonKey = (reason: string | null) => firstLine(reason).toLowerCase();
