import type { EventReportItem } from '../../../../shared/api/reports.ts';
import type { EventReportFilter, EventReportOrder } from '../../../api/event-reports.ts';
import { isBefore } from '../../../api/report-order.ts';
import type { ReportSubject } from '../../../api/report-subjects.ts';
import type { Order } from '../narrowing.ts';
import type { Grouping, ReportSearch } from '../report-search.ts';

/** Reports that were looked through and are about, or by, the same. */
export type Subject = {
  key: string;
  grouping: Grouping;
  /** A report that stands for all of them. */
  example: EventReportItem;
  /** Those that were looked through. */
  reports: EventReportItem[];
  /** How the server is asked for all; nobody knows whom reports on an event without a sender are against. */
  subject: ReportSubject | undefined;
  /** The address that shows these alone. */
  only: Partial<ReportSearch> | undefined;
};

/**
 * Puts reports in groups, in an order as far as those that were looked through say. Of a list that goes on where it
 * ended before, only what has come is put in groups: there can be very many.
 */
export function grouper(grouping: Grouping, filter: EventReportFilter, order: Order) {
  let groups = new Map<string, Subject>();
  let before: readonly EventReportItem[] = [];
  return (reports: readonly EventReportItem[]): Subject[] => {
    const last = before.length - 1;
    const goesOn = reports[0] === before[0] && reports[last] === before[last];
    if (!goesOn) groups = new Map();
    const come = Map.groupBy(goesOn ? reports.slice(before.length) : reports, (report) =>
      keyOf(grouping, report),
    );
    for (const [key, some] of come) {
      const group = groups.get(key);
      const [example] = some as [EventReportItem];
      groups.set(
        key,
        group
          ? { ...group, reports: group.reports.concat(some) }
          : { key, grouping, example, reports: some, ...asked(grouping, example, filter) },
      );
    }
    before = reports;
    return inOrder([...groups.values()], order);
  };
}

export const subjectsOf = (
  reports: readonly EventReportItem[],
  grouping: Grouping,
  filter: EventReportFilter,
  order: Order,
): Subject[] => grouper(grouping, filter, order)(reports);

function inOrder(found: Subject[], order: Order): Subject[] {
  if (order === 'severity') {
    const scores = new Map(found.map((subject) => [subject, worst(subject)]));
    return found.sort((one, other) => (scores.get(one) ?? 0) - (scores.get(other) ?? 0));
  }
  // Groups stand where the first of their reports does in the order of time.
  return order === 'count' ? byTotals(found, new Map()) : found;
}

/** The most reported first, by the server's own numbers where these are known. */
export function byTotals(subjects: readonly Subject[], totals: ReadonlyMap<string, number>): Subject[] {
  const count = ({ key, reports }: Subject) => Math.max(totals.get(key) ?? 0, reports.length);
  return subjects.toSorted((one, other) => count(other) - count(one));
}

/** The same groups in their order; the reports of each stand in the order of time. */
export const inOrderOfTime = (subjects: readonly Subject[], dir: EventReportOrder): Subject[] =>
  subjects.map((subject) => ({
    ...subject,
    reports: subject.reports.toSorted((one, other) => (isBefore(dir, one, other) ? -1 : 1)),
  }));

/** Groups where they stood; those that were not among them come after these. */
export function inPlaces(subjects: readonly Subject[], keys: readonly string[]): Subject[] {
  const places = new Map(keys.map((key, place) => [key, place]));
  const place = ({ key }: Subject) => places.get(key) ?? keys.length;
  return subjects.toSorted((one, other) => place(one) - place(other));
}

const worst = ({ reports }: Subject) =>
  reports.reduce((worst, { score }) => Math.min(worst, score ?? 1), Number.POSITIVE_INFINITY);

function keyOf(grouping: Grouping, { event_id, sender, room_id, user_id }: EventReportItem): string {
  switch (grouping) {
    case 'event':
      return event_id;
    case 'sender':
      return sender ?? '';
    case 'room':
      return room_id;
    case 'reporter':
      return user_id;
  }
}

function asked(
  grouping: Grouping,
  { event_id, sender, room_id, user_id }: EventReportItem,
  filter: EventReportFilter,
): Pick<Subject, 'subject' | 'only'> {
  switch (grouping) {
    case 'event':
      return sender === null
        ? { subject: undefined, only: undefined }
        : {
            subject: { filter: { ...filter, room_id, event_sender_user_id: sender }, eventId: event_id },
            only: { room: room_id, sender },
          };
    case 'sender':
      return sender === null
        ? { subject: undefined, only: undefined }
        : { subject: { filter: { ...filter, event_sender_user_id: sender } }, only: { sender } };
    case 'room':
      return { subject: { filter: { ...filter, room_id } }, only: { room: room_id } };
    case 'reporter':
      return { subject: { filter: { ...filter, user_id } }, only: { reporter: user_id } };
  }
}
