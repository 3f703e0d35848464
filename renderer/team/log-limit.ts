/** Limits the log, in memory and in the cache: shared fairly, so that no author can displace the others. */
import type { LogEntry } from '../../shared/team/entries.ts';
import { newestFirst } from '../../shared/team/fold.ts';
import type { TeamLog } from '../../shared/team/log.ts';
import type { RoomEntry } from '../../shared/team/room-events.ts';

const maxMarks = 200_000;
/** Enough for years. */
const maxChars = 64_000_000;
/** Trims when the limit is exceeded by this factor, rather than for each entry. */
const slack = 1.25;

const charsPerReport = 8;
const charsPerEntry = 200;
const charsPerSubject = 100;

/** Returns an entry's approximate size, in characters. */
function sizeOf({ body }: Pick<LogEntry, 'body'>): number {
  switch (body.type) {
    case 'mark':
      return charsPerEntry + body.reports.length * charsPerReport;
    case 'case':
      return charsPerEntry;
    case 'note':
      return charsPerEntry + body.text.length;
    case 'action':
      return (
        charsPerEntry +
        body.reports.length * charsPerReport +
        (body.others?.length ?? 0) * charsPerSubject +
        (body.deleted ? JSON.stringify(body.deleted).length : 0) +
        (body.reason?.length ?? 0) +
        (body.detail?.length ?? 0)
      );
    case 'document':
      return charsPerEntry + JSON.stringify(body.content).length;
  }
}

/**
 * Returns the newest entries of each author, within a max-min fair share of `limit`.
 *
 * @param sizeFunction creates a function that measures one author's entries, newest first
 */
function fairShares<Entry extends LogEntry>(
  entries: Iterable<Entry>,
  limit: number,
  sizeFunction: () => (entry: Entry) => number = () => sizeOf,
): Entry[] {
  const authors = [...Map.groupBy(entries, ({ by }) => by).values()]
    .map((all) => {
      const own = newestFirst(all);
      const sizes = own.map(sizeFunction());
      return { own, sizes, sum: sizes.reduce((sum, size) => sum + size, 0) };
    })
    .sort((one, other) => one.sum - other.sum);
  let left = limit;
  return authors.flatMap(({ own, sizes, sum }, index) => {
    const share = left / (authors.length - index);
    left -= Math.min(sum, share);
    if (sum <= share) return own;
    let taken = 0;
    const end = sizes.findIndex((size) => {
      taken += size;
      return taken > share;
    });
    return own.slice(0, end);
  });
}

/** Creates a function that counts an entry's reports that weren't in earlier ones. */
function countNewReports() {
  const named = new Set<string>();
  return ({ body }: LogEntry): number => {
    if (body.type !== 'mark') return 0;
    const before = named.size;
    for (const id of body.reports) named.add(`${body.of ?? ''}${id}`);
    return named.size - before;
  };
}

/** Returns the entries to keep: first trusted authors', then others' in the remaining space. */
export function trimLog(entries: readonly RoomEntry[], trusted: ReadonlySet<string>): readonly RoomEntry[] {
  if (total(entries, sizeOf) <= maxChars && total(entries, reportsIn) <= maxMarks) return entries;
  const shares = (isTrusted: boolean, limit: number) => {
    const theirs = entries.filter(({ by }) => trusted.has(by) === isTrusted);
    return fairShares(fairShares(theirs, limit), maxMarks, countNewReports);
  };
  const trustedEntries = shares(true, maxChars);
  return [...trustedEntries, ...shares(false, maxChars - total(trustedEntries, sizeOf))];
}

const reportsIn = ({ body }: RoomEntry) => (body.type === 'mark' ? body.reports.length : 0);
const total = <Entry>(entries: readonly Entry[], size: (entry: Entry) => number) =>
  entries.reduce((sum, entry) => sum + size(entry), 0);

/** Trims a log while entries are added to it. */
export function logLimiter(log: TeamLog) {
  let [chars, reports] = [0, 0];
  let [charLimit, reportLimit] = [maxChars, maxMarks];
  return {
    /** Call after adding entries. `trusted`: users whose entries count. */
    added(entries: readonly RoomEntry[], trusted: ReadonlySet<string>) {
      chars += total(entries, sizeOf);
      reports += total(entries, reportsIn);
      if (chars <= slack * charLimit && reports <= slack * reportLimit) return;
      const kept = trimLog(log.all(), trusted);
      log.retain(kept);
      [chars, reports] = [total(kept, sizeOf), total(kept, reportsIn)];
      // Repeated marks on the same reports exceed the limit even after trimming.
      [charLimit, reportLimit] = [Math.max(maxChars, chars), Math.max(maxMarks, reports)];
    },
    clear() {
      [chars, reports, charLimit, reportLimit] = [0, 0, maxChars, maxMarks];
    },
  };
}
