/** Caches the team room's history in IndexedDB, if the browser allows it. */
import { readJson } from '../../shared/read-json.ts';
import type { RoomEntry } from '../../shared/team/room-events.ts';
import { maxEntries } from '../../shared/team/room-reader.ts';
import { trimLog } from './log-limit.ts';

/** `redacted` are event IDs. Stored as JSON, which is read faster than objects. */
type Chunk = { entries: readonly RoomEntry[]; redacted: readonly string[] };

type Head = {
  roomId: string;
  /** Pagination token for older events; undefined if there are none. */
  tail: string | undefined;
  administrators: readonly string[];
  /** The newest entries, to show before the others are read. */
  newest: readonly RoomEntry[];
};

/** Increase it when entries are read differently, to drop older caches. */
const version = 8;
const databaseOf = (serverId: string) => `gatehouse.team.${serverId}`;
const maxChunks = 200;
const entriesPerChunk = 1000;
const textOf = (chunk: Chunk) => JSON.stringify(chunk);

export function roomCache(serverId: string) {
  let opened: Promise<IDBDatabase> | undefined;

  /** Runs one transaction. Returns undefined if the browser refuses. */
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

  async function load({ administrators }: Head): Promise<Chunk | undefined> {
    const stored = await transact<string[]>('readonly', (all) => all.getAll());
    if (!stored) return undefined;
    const chunks = stored.map((text): Chunk => readJson(text));
    const redacted = [...new Set(chunks.flatMap((piece) => piece.redacted))];
    const gone = new Set(redacted);
    const kept = new Map<string, RoomEntry>();
    for (const { entries } of chunks)
      for (const entry of entries) if (!gone.has(entry.id)) kept.set(entry.id, entry);
    const entries = trimLog([...kept.values()], new Set(administrators));
    if (chunks.length > maxChunks || entries.length < kept.size) await compact({ entries, redacted });
    return { entries, redacted };
  }

  async function compact({ entries, redacted }: Chunk) {
    const newest = [...entries].sort((a, b) => b.at - a.at).slice(0, maxEntries);
    await transact('readwrite', (pieces) => {
      pieces.clear();
      pieces.add(textOf({ entries: [], redacted }));
      for (let start = 0; start < newest.length; start += entriesPerChunk) {
        pieces.add(textOf({ entries: newest.slice(start, start + entriesPerChunk), redacted: [] }));
      }
      return undefined;
    });
  }

  return {
    loadHead: () => transact<Head>('readonly', (_, heads) => heads.get('room')),
    load,
    add: (chunk: Chunk, head: Head) =>
      transact('readwrite', (pieces, heads) => {
        if (chunk.entries.length > 0 || chunk.redacted.length > 0) pieces.add(textOf(chunk));
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
      // Another tab deletes the database after signing out.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
}

export const deleteRoomCache = (serverId: string) => void indexedDB.deleteDatabase(databaseOf(serverId));
