/**
 * What was read of the team's room, kept by the browser, so that the next start reads only what is new. A
 * browser may refuse to keep anything: then everything is read again.
 */

import type { Logged } from './entries.ts';
import { newestFirst } from './fold.ts';
import type { TeamLog } from './log.ts';
import type { RoomEntry } from './room-events.ts';
import { mostEntries } from './room-reader.ts';

/** What was read in one go: entries, and the ids of events that were taken back. */
type Piece = { entries: readonly RoomEntry[]; redacted: readonly string[] };

type Head = {
  roomId: string;
  /** Where to read on for what is older; undefined where everything is here. */
  tail: string | undefined;
  /** Whose entries counted. */
  administrators: readonly string[];
};

type CachedRoom = Piece & Head;
/** What another version of the console has read is read again: it may have understood less of it. */
const version = 4;
const databaseOf = (serverId: string) => `gatehouse.team.${serverId}`;
/** Small pieces are joined when there are more than so many. */
const mostPieces = 200;
const entriesInPiece = 1000;

export function roomCache(serverId: string) {
  let opened: Promise<IDBDatabase> | undefined;

  /** Runs one transaction; gives undefined where the browser refuses. */
  async function transact<Result>(
    mode: IDBTransactionMode,
    work: (pieces: IDBObjectStore, head: IDBObjectStore) => IDBRequest<Result> | undefined,
  ): Promise<Result | undefined> {
    try {
      opened ??= openDatabase(databaseOf(serverId));
      const transaction = (await opened).transaction(['pieces', 'head'], mode);
      const request = work(transaction.objectStore('pieces'), transaction.objectStore('head'));
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
      return request?.result;
    } catch {
      opened = undefined;
      return undefined;
    }
  }

  async function load(): Promise<CachedRoom | undefined> {
    const head = await transact<Head>('readonly', (_, heads) => heads.get('room'));
    const pieces = head && (await transact<Piece[]>('readonly', (all) => all.getAll()));
    if (!head || !pieces) return undefined;
    const redacted = [...new Set(pieces.flatMap((piece) => piece.redacted))];
    const gone = new Set(redacted);
    const kept = new Map<string, RoomEntry>();
    for (const { entries } of pieces)
      for (const entry of entries) if (!gone.has(entry.id)) kept.set(entry.id, entry);
    const entries = withinBounds([...kept.values()], new Set(head.administrators));
    if (pieces.length > mostPieces || entries.length < kept.size) await join({ entries, redacted });
    return { ...head, entries, redacted };
  }

  async function join({ entries, redacted }: Piece) {
    const newest = [...entries].sort((a, b) => b.at - a.at).slice(0, mostEntries);
    await transact('readwrite', (pieces) => {
      pieces.clear();
      pieces.add({ entries: [], redacted } satisfies Piece);
      for (let start = 0; start < newest.length; start += entriesInPiece) {
        pieces.add({ entries: newest.slice(start, start + entriesInPiece), redacted: [] } satisfies Piece);
      }
      return undefined;
    });
  }

  return {
    load,
    add: (piece: Piece, head: Head) =>
      transact('readwrite', (pieces, heads) => {
        if (piece.entries.length > 0 || piece.redacted.length > 0) pieces.add(piece);
        return heads.put(head, 'room');
      }),
    clear: () =>
      transact('readwrite', (pieces, heads) => {
        pieces.clear();
        return heads.clear();
      }),
  };
}

function openDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => {
      for (const store of request.result.objectStoreNames) request.result.deleteObjectStore(store);
      request.result.createObjectStore('pieces', { autoIncrement: true });
      request.result.createObjectStore('head');
    };
    request.onsuccess = () => {
      // Another tab wants to delete it: after signing out nothing is kept.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
}

/** Forgets what was read of a server's room. */
export const forgetRoom = (serverId: string) => void indexedDB.deleteDatabase(databaseOf(serverId));

// What is kept of a log that someone writes to without end: nothing grows for ever, and nobody takes the others' place.

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
function withinBounds(entries: readonly RoomEntry[], counted: ReadonlySet<string>): RoomEntry[] {
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
