import { type Static, Type } from 'typebox';
import { SafeInteger } from '../../../shared/api/common.ts';
import type { EventReportFilter } from '../../api/reports/event-reports.ts';
import type { ReportOrder } from '../../api/reports/report-source.ts';
import { type SearchReader, searchOf } from '../../search.ts';
import { truncate } from '../../words/clip.ts';

export type Order = NonNullable<ReportSearch['order']>;

export const orderOf = ({ order, group }: Pick<ReportSearch, 'order' | 'group'>): Order =>
  order && !(group && order === 'sender') ? order : group ? 'count' : 'newest';

/** Whether there are filters that the server doesn't have. */
export const isNarrowed = ({ text, reason, since, until }: Narrowing) =>
  Boolean(text || since || until) || reason !== undefined;
type Narrowing = Pick<ReportSearch, 'text' | 'reason' | 'since' | 'until'>;

export const isFiltered = (search: ReportSearch) =>
  Boolean(search.room || search.reporter || search.sender) || isNarrowed(search);

/** Whether the list shows everything that the server lists. */
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

/** The search parameters of the reports screen: queue, filters, order and open report. */
const ReportSearch = Type.Object({
  /** Default: all. */
  queue: oneOf('unreviewed', 'escalated', 'resolved'),
  room: Text,
  reporter: Text,
  sender: Text,
  /** Words in the reason or the message. */
  text: Text,
  /** The first line of the reason in lower case; empty for none. */
  reason: Type.Optional(Type.String()),
  /** The first and last day, inclusive. */
  since: Day,
  until: Day,
  /** Default: newest first; for groups, by number of reports. */
  order: oneOf('newest', 'oldest', 'severity', 'count', 'sender'),
  /** One row for all reports on the same thing. */
  group: oneOf('event', 'sender', 'room', 'reporter'),
  report: Type.Optional(SafeInteger),
});
export type ReportSearch = Static<typeof ReportSearch>;
export const readReportSearch: SearchReader<ReportSearch> = searchOf(ReportSearch);

export const readStatisticsSearch = searchOf(Type.Object({ room: Text, reporter: Text, sender: Text }));

export const readRulesSearch = searchOf(
  Type.Object({
    /** Key of the rule to test. */
    test: Text,
  }),
);

/** The search parameters except the server's filters. */
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

/** In characters. */
const maxFirstLine = 80;

/** Returns the first line of a reason, by which reports are grouped. */
export const reasonLabel = (reason: string | null) =>
  truncate(reason?.trim().split('\n', 1)[0]?.trim() ?? '', maxFirstLine);

/** Returns the first line in lower case; empty for no reason. */
export const reasonKey = (reason: string | null) => reasonLabel(reason).toLowerCase();
