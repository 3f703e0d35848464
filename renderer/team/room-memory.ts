/** What is known of the team's room: the log, how far back it reaches, and what the browser keeps of it. */
import type { RoomEvent } from '../api/team-room.ts';
import type { TeamLog } from './log.ts';
import { logBound, roomCache } from './room-cache.ts';
import { type RoomEntry, readEntry, redactedBy } from './room-events.ts';
import type { Known } from './room-reader.ts';

export type RoomMemory = ReturnType<typeof roomMemory>;

/** @param changed is called when the log is another one */
export function roomMemory(serverId: string, log: TeamLog, changed: () => void) {
  const cache = roomCache(serverId);
  const bound = logBound(log);
  let of: string | undefined;
  let administrators: readonly string[] = [];
  let known: Known = { events: new Set(), tail: undefined };

  function forget() {
    if (of === undefined) return;
    of = undefined;
    known = { events: new Set(), tail: undefined };
    log.clear();
    bound.clear();
    void cache.clear();
    changed();
  }

  return {
    get roomId() {
      return of;
    },

    /** Takes up what an earlier session knew, before anything has been asked; what makes no sense is read again. */
    async restore() {
      const kept = await cache.load().catch(() => void cache.clear());
      if (!kept || of !== undefined) return;
      of = kept.roomId;
      administrators = kept.administrators;
      try {
        known = { events: new Set(kept.entries.map(({ id }) => id)), tail: kept.tail };
        for (const eventId of kept.redacted) log.redact(eventId);
        for (const entry of kept.entries) log.add(entry);
        bound.added(kept.entries, new Set(administrators));
        log.count(new Set(administrators));
        changed();
      } catch {
        forget();
      }
    },

    /** From now on it is about this room, and these users' entries count. */
    enter(roomId: string, counted: ReadonlySet<string>): Known {
      if (of !== roomId) forget();
      of = roomId;
      administrators = [...counted];
      log.count(counted);
      changed();
      return known;
    },

    /** Adds what was read; only what is `solid`, without a gap to what is known, is kept for the next start. */
    take(events: readonly RoomEvent[], solid: boolean) {
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
      bound.added(entries, new Set(administrators));
      if (solid && of !== undefined) {
        void cache.add({ entries, redacted }, { roomId: of, tail: known.tail, administrators });
      }
      if (entries.length > 0 || redacted.length > 0) changed();
    },

    /** What is known stays, and all is read once more: it may have a gap. */
    readAgain() {
      known = { events: new Set(), tail: undefined };
    },

    forget,
  };
}
