/** Reading the team's room: the newest page first, then what came before, then what comes. */
import { type Page, type RoomEvent, roomMessages } from '../api/team-room.ts';
import type { Server } from '../transport/server.ts';
import type { Alarm } from './alarm.ts';
import { entryFilter, everythingFilter } from './room-events.ts';

const firstPage = 100;
const laterPages = 1000;

/** What is older than so many entries is not read. */
export const mostEntries = 200_000;

/** What has been read without a gap: everything from the newest known event back to `tail`. */
export type Known = {
  events: Set<string>;
  /** Where to read on; undefined where nothing older is left. */
  tail: string | undefined;
};

type Reading = {
  server: Server;
  roomId: string;
  signal: AbortSignal;
  known: Known;
  /** The events are there; `solid` where nothing between them and the known ones is missing. */
  take(events: readonly RoomEvent[], solid: boolean): void;
};

/** A filter leaves whole pages empty; a server that gives more of them in a row leads nowhere. */
const mostEmptyPages = 200;

/** Says of each page where to read on: undefined at the end, and where a server leads around in circles or on for ever. */
function wayBack(): (page: Page) => string | undefined {
  const been = new Set<string>();
  let empty = 0;
  return ({ events, end }) => {
    empty = events.length === 0 ? empty + 1 : 0;
    if (end === undefined || been.has(end) || empty >= mostEmptyPages) return undefined;
    been.add(end);
    return end;
  };
}

/** Reads from the newest event back to a known one, and gives the place from which to follow. */
export async function catchUp(reading: Reading): Promise<string> {
  const { known } = reading;
  const onward = wayBack();
  const first = await back(reading, undefined);
  if (known.events.size === 0) {
    take(reading, first.events);
    known.tail = first.end;
    return first.start;
  }
  // What is read here is known only when it reaches what was known before: else a gap would stay for good.
  const fresh: RoomEvent[] = [];
  for (let page = first; ; ) {
    const met = page.events.some(({ event_id }) => known.events.has(event_id));
    fresh.push(...page.events);
    const end = onward(page);
    if (!met && end !== undefined && fresh.length < mostEntries) {
      reading.take(page.events, false);
      page = await back(reading, end);
      continue;
    }
    if (!met) known.tail = undefined;
    take(reading, fresh);
    return first.start;
  }
}

/** Reads what is older than what is known, to the first event. */
export async function readOlder(reading: Reading): Promise<void> {
  const { known, signal } = reading;
  const onward = wayBack();
  while (known.tail !== undefined && !signal.aborted) {
    const page = await back(reading, known.tail);
    const end = onward(page);
    known.tail = end === known.tail || known.events.size >= mostEntries ? undefined : end;
    take(reading, page.events);
  }
}

/**
 * Reads what comes after a place, when there is news and every so often, until the signal is aborted or a
 * request fails.
 */
export async function follow(
  reading: Reading,
  head: string,
  news: Alarm,
  everyMs: () => number,
): Promise<void> {
  const { server, roomId, signal, known } = reading;
  let from = head;
  while (!signal.aborted) {
    const query = { dir: 'f', from, limit: laterPages, filter: everythingFilter } as const;
    const { events, end } = await roomMessages(server, roomId, query, signal);
    const isNews = events.some(({ event_id }) => !known.events.has(event_id));
    take(reading, events);
    if (end !== undefined && end !== from) {
      from = end;
      if (isNews) continue;
    }
    await news.wait(everyMs(), signal);
  }
}

function take({ known, take }: Reading, events: readonly RoomEvent[]) {
  for (const { event_id } of events) known.events.add(event_id);
  take(events, true);
}

/** A page of what is older than a token, or of the newest, where also looks are wanted. */
function back({ server, roomId, signal }: Reading, from: string | undefined): Promise<Page> {
  return roomMessages(
    server,
    roomId,
    from === undefined
      ? { dir: 'b', limit: firstPage, filter: everythingFilter }
      : { dir: 'b', from, limit: laterPages, filter: entryFilter },
    signal,
  );
}
