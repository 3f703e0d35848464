/** The team room's history as read so far: the log, its range, and the browser's cache of it. */

import { newestFirst } from '../../shared/team/fold.ts';
import type { TeamLog } from '../../shared/team/log.ts';
import { type RoomEntry, readEntry, redactedBy } from '../../shared/team/room-events.ts';
import type { ReadRange } from '../../shared/team/room-reader.ts';
import type { RoomEvent } from '../../shared/team/room-replies.ts';
import { logLimiter } from './log-limit.ts';
import { roomCache } from './room-cache.ts';

/** Number of entries that are shown first. */
const maxNewest = 100;

export type RoomHistory = ReturnType<typeof roomHistory>;

/** Returns the newest entries without duplicates. Documents aren't in the log's list, and can be long. */
function newestOf(entries: readonly RoomEntry[], redacted: readonly string[]): RoomEntry[] {
  const listed = entries.filter(({ id, body }) => body.type !== 'document' && !redacted.includes(id));
  return newestFirst(new Map(listed.map((entry) => [entry.id, entry])).values()).slice(0, maxNewest);
}

/** @param changed called when the log changes */
export function roomHistory(serverId: string, log: TeamLog, changed: () => void) {
  const cache = roomCache(serverId);
  const limiter = logLimiter(log);
  let currentRoomId: string | undefined;
  let administrators: readonly string[] = [];
  let range: ReadRange = { events: new Set(), tail: undefined };
  let newest: readonly RoomEntry[] = [];

  function clear() {
    if (currentRoomId === undefined) return;
    currentRoomId = undefined;
    newest = [];
    range = { events: new Set(), tail: undefined };
    log.clear();
    limiter.clear();
    void cache.clear();
    changed();
  }

  return {
    get roomId() {
      return currentRoomId;
    },

    /** Loads the cache of an earlier session, the newest entries first. Discards it if it's invalid. */
    async restore() {
      const head = await cache.loadHead();
      if (!head || currentRoomId !== undefined) return;
      currentRoomId = head.roomId;
      administrators = head.administrators;
      newest = head.newest;
      try {
        log.setTrusted(new Set(administrators));
        for (const entry of newest) log.add(entry);
        changed();
        const cached = await cache.load(head);
        // The user has created another room in the meantime.
        if (currentRoomId !== head.roomId) return;
        if (!cached) return clear();
        range = { events: new Set(cached.entries.map(({ id }) => id)), tail: head.tail };
        for (const eventId of cached.redacted) log.redact(eventId);
        for (const entry of cached.entries) log.add(entry);
        limiter.added(cached.entries, new Set(administrators));
        changed();
      } catch {
        clear();
      }
    },

    /** Sets the room and the users whose entries count. */
    enter(roomId: string, trusted: ReadonlySet<string>): ReadRange {
      if (currentRoomId !== roomId) clear();
      currentRoomId = roomId;
      administrators = [...trusted];
      log.setTrusted(trusted);
      changed();
      return range;
    },

    /** Adds events. Caches them only if they are adjacent to the range read so far. */
    receive(events: readonly RoomEvent[], isContiguous: boolean) {
      const entries: RoomEntry[] = [];
      const redacted: string[] = [];
      for (const event of events) {
        const entry = readEntry(event);
        if (entry) entries.push(entry);
        const gone = redactedBy(event);
        if (gone !== undefined) redacted.push(gone);
      }
      for (const eventId of redacted) log.redact(eventId);
      for (const entry of entries) log.add(entry);
      limiter.added(entries, new Set(administrators));
      if (isContiguous && currentRoomId !== undefined) {
        newest = newestOf([...newest, ...entries], redacted);
        const head = { roomId: currentRoomId, tail: range.tail, administrators, newest };
        const uncached = entries.filter(({ id }) => !range.events.has(id));
        void cache.add({ entries: uncached, redacted }, head);
      }
      if (entries.length > 0 || redacted.length > 0) changed();
    },

    /** Reads everything again, without dropping entries. */
    resetRange() {
      range = { events: new Set(), tail: undefined };
    },

    clear,
  };
}
