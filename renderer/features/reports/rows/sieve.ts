import type { EventReportItem } from '../../../../shared/api/reports.ts';
import type { Span } from '../../../api/report-walk.ts';
import type { Mark } from '../../../team/entries.ts';
import { endOfDay, startOfDay } from '../../../words/format.ts';
import { type Queue, type ReportSearch, reasonKey } from '../report-search.ts';

/** Gives the text of a reported message, where it was loaded. Reports on the same event have it in common. */
export type Messages = (eventId: string) => string | undefined;

type Sieve = Pick<ReportSearch, 'queue' | 'text' | 'reason' | 'since' | 'until' | 'order'>;

/** Which of the reports that were looked through belong in the list, in its order. */
export function sieve(
  reports: readonly EventReportItem[],
  { queue, text, reason, since, until, order }: Sieve,
  marks: ReadonlyMap<number, Mark>,
  messages: Messages,
): EventReportItem[] {
  const words = wordsOf(text);
  const span = spanOf(since, until);
  const isAll = !queue && !span && reason === undefined && words.length === 0;
  const isIn = (report: EventReportItem) =>
    isInQueue(queue, marks.get(report.id)) &&
    (!span || (report.received_ts >= span.from && report.received_ts <= span.to)) &&
    (reason === undefined || reasonKey(report.reason) === reason) &&
    hasWords(words, report, messages);
  const found = isAll ? reports.slice() : reports.filter(isIn);
  if (order === 'severity') return found.sort((one, other) => severity(one) - severity(other));
  if (order === 'count' || order === 'sender') return mostReportedFirst(found, order);
  return found;
}

/** The words of a search, in small letters. */
export const wordsOf = (text = ''): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

export const isInQueue = (queue: Queue | undefined, mark: Mark | undefined): boolean => {
  if (!queue) return true;
  if (queue === 'unreviewed') return !mark;
  return mark?.state === (queue === 'escalated' ? 'escalated' : 'reviewed');
};

function hasWords(words: readonly string[], report: EventReportItem, messages: Messages): boolean {
  if (words.length === 0) return true;
  const read = `${report.reason ?? ''}\n${messages(report.event_id) ?? ''}`.toLowerCase();
  return words.every((word) => read.includes(word));
}

/** The most offensive first; what has no score comes last. Sorting keeps the order of time within. */
const severity = ({ score }: EventReportItem) => score ?? 1;

/** Sorts by how many of those found are on the same event and the same sender; these stay together. */
function mostReportedFirst(found: EventReportItem[], by: 'count' | 'sender'): EventReportItem[] {
  const events = tally(found, ({ event_id }) => event_id);
  const senders = tally(found, ({ sender, event_id }) => sender ?? event_id);
  const place = ({ event_id }: EventReportItem) => events.get(event_id) ?? { count: 0, first: 0 };
  const person = ({ sender, event_id }: EventReportItem) =>
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

function tally(found: readonly EventReportItem[], key: (report: EventReportItem) => string) {
  const counted = new Map<string, { count: number; first: number }>();
  for (const [index, report] of found.entries()) {
    const entry = counted.get(key(report));
    if (entry) entry.count++;
    else counted.set(key(report), { count: 1, first: index });
  }
  return counted;
}

/** From the first of two days to the end of the last, by the person's calendar; undefined where neither is one. */
export function spanOf(since: string | undefined, until: string | undefined): Span | undefined {
  const [from, to] = [startOfDay(since), endOfDay(until)];
  if (from === undefined && to === undefined) return undefined;
  return { from: from ?? Number.MIN_SAFE_INTEGER, to: to ?? Number.MAX_SAFE_INTEGER };
}
