/** Serializes a room's state page by page. */
import { mapYielding } from '../core/yield.ts';
import type { Database } from '../database/schema.ts';
import { type EventReader, serveEvents } from './client-event.ts';
import type { StoredEvent } from './event-store.ts';

/** Yields a JSON array of client events; each page is sorted oldest first. */
export async function* stateJson(
  db: Database,
  pages: AsyncGenerator<StoredEvent[]>,
  reader: EventReader,
): AsyncGenerator<string> {
  yield '[';
  let separator = '';
  for await (const page of pages) {
    page.sort((one, other) => one.streamOrdering - other.streamOrdering);
    const served = await serveEvents(
      db,
      page.map((event) => ({ event })),
      reader,
    );
    if (served.length === 0) continue;
    yield separator + (await mapYielding(served, (event) => JSON.stringify(event))).join();
    separator = ',';
  }
  yield ']';
}
