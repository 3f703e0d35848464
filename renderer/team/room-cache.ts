/**
 * What was read of the team's room, kept by the browser, so that the next start reads only what is new. A
 * browser may refuse to keep anything: then everything is read again.
 */
import { withinBounds } from './log-bound.ts';
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

export type CachedRoom = Piece & Head;
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
