import type { EventReportItem } from '../../../../shared/api/event-reports.ts';
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

/** Groups in an order, as far as those that were looked through say. */
export function subjectsOf(
  reports: readonly EventReportItem[],
  grouping: Grouping,
  filter: EventReportFilter,
  order: Order,
): Subject[] {
  const groups = new Map<string, Subject>();
  for (const report of reports) {
    const key = keyOf(grouping, report);
    const group = groups.get(key);
    if (group) group.reports.push(report);
    else
      groups.set(key, {
        key,
        grouping,
        example: report,
        reports: [report],
        ...asked(grouping, report, filter),
      });
  }
  const found = [...groups.values()];
  if (order === 'severity') return found.sort((one, other) => worst(one) - worst(other));
  // Groups stand where the first of their reports does in the order of time.
  if (order !== 'count') return found;
  return byTotals(found, new Map());
}

/** The most reported first, by the server's own numbers where these are known. */
export function byTotals(subjects: readonly Subject[], totals: ReadonlyMap<string, number>): Subject[] {
  const count = ({ key, reports }: Subject) => totals.get(key) ?? reports.length;
  return subjects.toSorted((one, other) => count(other) - count(one));
}

/** The same groups in their order; the reports of each stand in the order of time. */
export const inOrderOfTime = (subjects: readonly Subject[], dir: EventReportOrder): Subject[] =>
  subjects.map((subject) => ({
    ...subject,
    reports: subject.reports.toSorted((one, other) => (isBefore(dir, one, other) ? -1 : 1)),
  }));

const worst = ({ reports }: Subject) => Math.min(...reports.slice(0, 5000).map(({ score }) => score ?? 1));

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
