/** What is kept of a log that someone writes to without end: nothing grows for ever, and nobody takes the others' place. */
import type { Logged } from './entries.ts';
import { newestFirst } from './fold.ts';
import type { TeamLog } from './log.ts';
import type { RoomEntry } from './room-events.ts';

/** More marks are no work of people's; on numbers that no report has, too. */
const mostMarks = 200_000;
/** In characters: what a team writes in years stays below it. */
const mostHeld = 64_000_000;
/** It is shortened when so many times as much is there, and not for each entry. */
const slack = 1.25;

const digits = 8;
const envelope = 200;
const name = 100;

/** About how many characters an entry takes. */
function sizeOf({ body }: Pick<Logged, 'body'>): number {
  switch (body.type) {
    case 'mark':
      return envelope + body.reports.length * digits;
    case 'note':
      return envelope + body.text.length;
    case 'action':
      return (
        envelope +
        body.reports.length * digits +
        (body.others?.length ?? 0) * name +
        (body.deleted ? JSON.stringify(body.deleted).length : 0) +
        (body.reason?.length ?? 0) +
        (body.detail?.length ?? 0)
      );
  }
}

/**
 * The newest entries of each person, as many as come to `most` in all. Who has no more than an even share keeps all of
 * theirs; what they leave goes to those who have more.
 *
 * @param measured gives what measures the entries of one person, newest first
 */
function evenShares<Entry extends Logged>(
  entries: Iterable<Entry>,
  most: number,
  measured: () => (entry: Entry) => number = () => sizeOf,
): Entry[] {
  const people = [...Map.groupBy(entries, ({ by }) => by).values()]
    .map((all) => {
      const own = newestFirst(all);
      const sizes = own.map(measured());
      return { own, sizes, sum: sizes.reduce((sum, size) => sum + size, 0) };
    })
    .sort((one, other) => one.sum - other.sum);
  let left = most;
  return people.flatMap(({ own, sizes, sum }, index) => {
    const share = left / (people.length - index);
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

/** How many reports an entry names that none of those before it did. */
function namesMore() {
  const named = new Set<string>();
  return ({ body }: Logged): number => {
    if (body.type !== 'mark') return 0;
    const before = named.size;
    for (const id of body.reports) named.add(`${body.of ?? ''}${id}`);
    return named.size - before;
  };
}

/** The entries that are kept of a log: of those whose marks count, and in what room they leave, of others. */
export function withinBounds(entries: readonly RoomEntry[], counted: ReadonlySet<string>): RoomEntry[] {
  const shares = (isCounted: boolean, most: number) => {
    const theirs = entries.filter(({ by }) => counted.has(by) === isCounted);
    return evenShares(evenShares(theirs, most), mostMarks, namesMore);
  };
  const ours = shares(true, mostHeld);
  return [...ours, ...shares(false, mostHeld - total(ours, sizeOf))];
}

const total = <Entry>(entries: readonly Entry[], size: (entry: Entry) => number) =>
  entries.reduce((sum, entry) => sum + size(entry), 0);

/** Keeps a log within bounds while entries are added to it. */
export function logBound(log: TeamLog) {
  let [held, named] = [0, 0];
  let [mostBefore, namedBefore] = [mostHeld, mostMarks];
  const namedBy = ({ body }: RoomEntry) => (body.type === 'mark' ? body.reports.length : 0);

  return {
    /** These were added; `counted` are those whose entries count. */
    added(entries: readonly RoomEntry[], counted: ReadonlySet<string>) {
      held += total(entries, sizeOf);
      named += total(entries, namedBy);
      if (held <= slack * mostBefore && named <= slack * namedBefore) return;
      const kept = withinBounds(log.all(), counted);
      log.keep(kept);
      [held, named] = [total(kept, sizeOf), total(kept, namedBy)];
      // What is marked again and again names more than there is.
      [mostBefore, namedBefore] = [Math.max(mostHeld, held), Math.max(mostMarks, named)];
    },
    clear() {
      [held, named, mostBefore, namedBefore] = [0, 0, mostHeld, mostMarks];
    },
  };
}
