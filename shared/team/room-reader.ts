/** Reads the team room: the newest page first, then older and new events. */
import { entryAndViewingFilter, entryFilter } from './room-events.ts';
import type { Page, PageQuery, RoomEvent } from './room-replies.ts';

const firstPageSize = 100;
const pageSize = 1000;

/** Older entries are not read. */
export const maxEntries = 200_000;

/** Events without a gap, from the newest one back to `tail`. */
export type ReadRange = {
  events: Set<string>;
  /** Pagination token for older events; undefined if there are none. */
  tail: string | undefined;
};

export type RoomReading = {
  /** Loads a page of the room's events. Throws if that fails. */
  messages(query: PageQuery): Promise<Page>;
  signal: AbortSignal;
  range: ReadRange;
  /** `isContiguous`: the events are adjacent to the range, and are added to it afterwards. */
  receive(events: readonly RoomEvent[], isContiguous: boolean): void;
};

/** In a row. A filter can leave pages empty. */
const maxEmptyPages = 200;

/** Returns a function for the next page's token: undefined at the end, or if the server would paginate forever. */
function pageTokens(): (page: Page) => string | undefined {
  const seen = new Set<string>();
  let empty = 0;
  return ({ events, end }) => {
    empty = events.length === 0 ? empty + 1 : 0;
    if (end === undefined || seen.has(end) || empty >= maxEmptyPages) return undefined;
    seen.add(end);
    return end;
  };
}

/** Reads from the newest event back to the known range. Returns the token to follow new events from. */
export async function catchUp(reading: RoomReading): Promise<string> {
  const { range } = reading;
  const nextToken = pageTokens();
  const first = await loadPage(reading, undefined);
  if (range.events.size === 0) {
    addContiguous(reading, first.events);
    range.tail = first.end;
    return first.start;
  }
  // Added to the range only once it's connected to it: else a gap would remain forever.
  const fresh: RoomEvent[] = [];
  for (let page = first; ; ) {
    const isConnected = page.events.some(({ event_id }) => range.events.has(event_id));
    fresh.push(...page.events);
    const end = nextToken(page);
    if (!isConnected && end !== undefined && fresh.length < maxEntries) {
      reading.receive(page.events, false);
      page = await loadPage(reading, end);
      continue;
    }
    if (!isConnected) range.tail = undefined;
    addContiguous(reading, fresh);
    return first.start;
  }
}

/** Reads older events, back to the first. */
export async function readOlder(reading: RoomReading): Promise<void> {
  const { range, signal } = reading;
  const nextToken = pageTokens();
  while (range.tail !== undefined && !signal.aborted) {
    const page = await loadPage(reading, range.tail);
    const end = nextToken(page);
    range.tail = end === range.tail || range.events.size >= maxEntries ? undefined : end;
    addContiguous(reading, page.events);
  }
}

/** Polls for new events until the signal is aborted. Throws if a request fails. */
export async function follow(
  reading: RoomReading,
  head: string,
  poll: { sleep(ms: number, signal: AbortSignal): Promise<unknown> },
  everyMs: () => number,
): Promise<void> {
  const { signal, range } = reading;
  let from = head;
  while (!signal.aborted) {
    const query = { dir: 'f', from, limit: pageSize, filter: entryAndViewingFilter } as const;
    const { events, end } = await reading.messages(query);
    const isNews = events.some(({ event_id }) => !range.events.has(event_id));
    addContiguous(reading, events);
    if (end !== undefined && end !== from) {
      from = end;
      if (isNews) continue;
    }
    await poll.sleep(everyMs(), signal);
  }
}

function addContiguous({ range, receive }: RoomReading, events: readonly RoomEvent[]) {
  receive(events, true);
  for (const { event_id } of events) range.events.add(event_id);
}

/** Loads the page before a token, or the newest page, which includes presence. */
const loadPage = ({ messages }: RoomReading, from: string | undefined): Promise<Page> =>
  messages(
    from === undefined
      ? { dir: 'b', limit: firstPageSize, filter: entryAndViewingFilter }
      : { dir: 'b', from, limit: pageSize, filter: entryFilter },
  );
