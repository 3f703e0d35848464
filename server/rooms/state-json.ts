/** A room's state as JSON, page by page as it is read. */
import { mapInTurns } from '../core/event-loop-turns.ts';
import { forgetReads } from '../core/held-reads.ts';
import type { Database } from '../database/schema.ts';
import { type EventReader, serveEvents } from './client-event.ts';
import type { StoredEvent } from './event-store.ts';

/** A list of events in the format of the client API, those of each page the oldest first. */
export async function* stateJson(
  db: Database,
  pages: AsyncIterable<StoredEvent[]>,
  reader: EventReader,
): AsyncGenerator<string> {
  let before = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    page.sort((one, other) => one.streamOrdering - other.streamOrdering);
    const served = page.map((event) => ({ event }));
    const texts = await mapInTurns(await serveEvents(db, served, reader), (event) => JSON.stringify(event));
    forgetReads();
    yield before + texts.join(',');
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
