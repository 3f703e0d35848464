import type { EventReportItem } from '../../../../shared/api/reports.ts';
import type { EventReportFilter } from '../../../api/reports/event-reports.ts';
import type { ReportSubject } from '../../../api/reports/report-subjects.ts';
import type { Grouping, Order, ReportSearch } from '../report-search.ts';

/** Scanned reports on the same event, against or by the same user, or in the same room. */
export type ReportGroup = {
  key: string;
  grouping: Grouping;
  example: EventReportItem;
  reports: EventReportItem[];
  /** Finds all of them on the server; undefined for reports on an event without a sender. */
  subject: ReportSubject | undefined;
  /** Filters the list by the group. */
  only: Partial<ReportSearch> | undefined;
};

/**
 * Returns a function that groups reports. If a list has only grown since the last call, it only groups the new ones.
 */
export function grouper(grouping: Grouping, filter: EventReportFilter, order: Order) {
  let groups = new Map<string, ReportGroup>();
  let before: readonly EventReportItem[] = [];
  return (reports: readonly EventReportItem[]): ReportGroup[] => {
    const last = before.length - 1;
    const hasGrown = reports[0] === before[0] && reports[last] === before[last];
    if (!hasGrown) groups = new Map();
    const added = Map.groupBy(hasGrown ? reports.slice(before.length) : reports, (report) =>
      keyOf(grouping, report),
    );
    for (const [key, some] of added) {
      const group = groups.get(key);
      const [example] = some as [EventReportItem];
      groups.set(
        key,
        group
          ? { ...group, reports: group.reports.concat(some) }
          : { key, grouping, example, reports: some, ...serverSubject(grouping, example, filter) },
      );
    }
    before = reports;
    return sortGroups([...groups.values()], order);
  };
}

export const groupsOf = (
  reports: readonly EventReportItem[],
  grouping: Grouping,
  filter: EventReportFilter,
  order: Order,
): ReportGroup[] => grouper(grouping, filter, order)(reports);

function sortGroups(found: ReportGroup[], order: Order): ReportGroup[] {
  if (order === 'severity') {
    const scores = new Map(found.map((group) => [group, worst(group)]));
    return found.sort((one, other) => (scores.get(one) ?? 0) - (scores.get(other) ?? 0));
  }
  return order === 'count' ? byTotals(found, new Map()) : found;
}

/** Sorts by the number of reports, on the server if that is known. */
export function byTotals(groups: readonly ReportGroup[], totals: ReadonlyMap<string, number>): ReportGroup[] {
  const count = ({ key, reports }: ReportGroup) => Math.max(totals.get(key) ?? 0, reports.length);
  return groups.toSorted((one, other) => count(other) - count(one));
}

/** Keeps groups in their places; new ones come after them. */
export function keepOrder<Group extends { key: string }>(
  groups: readonly Group[],
  keys: readonly string[],
): Group[] {
  const places = new Map(keys.map((key, place) => [key, place]));
  const place = ({ key }: Group) => places.get(key) ?? keys.length;
  return groups.toSorted((one, other) => place(one) - place(other));
}

const worst = ({ reports }: ReportGroup) =>
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

function serverSubject(
  grouping: Grouping,
  { event_id, sender, room_id, user_id }: EventReportItem,
  filter: EventReportFilter,
): Pick<ReportGroup, 'subject' | 'only'> {
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
