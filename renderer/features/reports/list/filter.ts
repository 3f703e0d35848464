import type { Mark } from '../../../../shared/team/entries.ts';
import type { AnyReport } from '../../../api/reports/report-source.ts';
import type { Span } from '../../../api/reports/report-walk.ts';
import { endOfDay, startOfDay } from '../../../words/format.ts';
import { type Queue, type ReportSearch, reasonKey } from '../report-search.ts';

/** Returns the text of a reported message; undefined if it isn't loaded. */
export type Messages = (eventId: string) => string | undefined;

type Criteria = Pick<ReportSearch, 'queue' | 'text' | 'reason' | 'since' | 'until' | 'order'>;

/** Returns the reports that match, in the order of the list. */
export function filterReports<Report extends AnyReport>(
  reports: readonly Report[],
  { queue, text, reason, since, until, order }: Criteria,
  marks: ReadonlyMap<number, Mark>,
  messages: Messages,
): Report[] {
  const words = wordsOf(text);
  const span = spanOf(since, until);
  const isAll = !queue && !span && reason === undefined && words.length === 0;
  const isIn = (report: Report) =>
    isInQueue(queue, marks.get(report.id)) &&
    (!span || (report.received_ts >= span.from && report.received_ts <= span.to)) &&
    (reason === undefined || reasonKey(report.reason) === reason) &&
    hasWords(words, report, messages);
  const found = isAll ? reports.slice() : reports.filter(isIn);
  if (order === 'severity') return found.sort((one, other) => severity(one) - severity(other));
  if (order === 'count' || order === 'sender') return mostReportedFirst(found, order);
  return found;
}

/** The words of a search, in lower case. */
export const wordsOf = (text = ''): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

export const isInQueue = (queue: Queue | undefined, mark: Mark | undefined): boolean => {
  if (!queue) return true;
  if (queue === 'unreviewed') return !mark;
  return mark?.state === (queue === 'escalated' ? 'escalated' : 'reviewed');
};

function hasWords(words: readonly string[], report: AnyReport, messages: Messages): boolean {
  if (words.length === 0) return true;
  const read =
    `${report.reason ?? ''}\n${(report.event_id && messages(report.event_id)) ?? ''}`.toLowerCase();
  return words.every((word) => read.includes(word));
}

/** The most offensive first, reports without a score last. Sorting keeps the order of time within. */
const severity = ({ score }: AnyReport) => score ?? 1;

/** Groups matches on the same event and sender, by their number. */
function mostReportedFirst<Report extends AnyReport>(found: Report[], by: 'count' | 'sender'): Report[] {
  const events = tally(found, ({ event_id = '' }) => event_id);
  const senders = tally(found, ({ sender, event_id = '' }) => sender ?? event_id);
  const place = ({ event_id = '' }: AnyReport) => events.get(event_id) ?? { count: 0, first: 0 };
  const person = ({ sender, event_id = '' }: AnyReport) =>
    senders.get(sender ?? event_id) ?? { count: 0, first: 0 };
  return found.sort(
    (one, other) =>
      (by === 'count' && place(other).count - place(one).count) ||
      person(other).count - person(one).count ||
      person(one).first - person(other).first ||
      place(other).count - place(one).count ||
      place(one).first - place(other).first,
  );
}

function tally(found: readonly AnyReport[], key: (report: AnyReport) => string) {
  const counted = new Map<string, { count: number; first: number }>();
  for (const [index, report] of found.entries()) {
    const entry = counted.get(key(report));
    if (entry) entry.count++;
    else counted.set(key(report), { count: 1, first: index });
  }
  return counted;
}

/** Returns the time from the start of one day to the end of another, in the local time zone. */
export function spanOf(since: string | undefined, until: string | undefined): Span | undefined {
  const [from, to] = [startOfDay(since), endOfDay(until)];
  if (from === undefined && to === undefined) return undefined;
  return { from: from ?? Number.MIN_SAFE_INTEGER, to: to ?? Number.MAX_SAFE_INTEGER };
}
