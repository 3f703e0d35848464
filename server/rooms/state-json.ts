/** A room's state as JSON, page by page as it is read. */

import { forgetReads, readBriefly } from '../core/held-reads.ts';
import { mapYielding } from '../core/yield.ts';
import type { Database } from '../database/schema.ts';
import { type EventReader, serveEvents } from './client-event.ts';
import type { StoredEvent } from './event-store.ts';

/** A list of events in the format of the client API, those of each page the oldest first. */
export async function* stateJson(
  db: Database,
  pages: AsyncGenerator<StoredEvent[]>,
  reader: EventReader,
): AsyncGenerator<string> {
  async function readPage(): Promise<string | undefined> {
    const { done, value: page } = await pages.next();
    if (done) return undefined;
    page.sort((one, other) => one.streamOrdering - other.streamOrdering);
    const served = page.map((event) => ({ event }));
    const texts = await mapYielding(await serveEvents(db, served, reader), (event) => JSON.stringify(event));
    return texts.join(',');
  }
  yield '[';
  let before = '';
  // Later the reply has begun.
  for (let page = await readPage(); page !== undefined; page = await readBriefly(readPage)) {
    forgetReads();
    if (page === '') continue;
    yield before + page;
    before = ',';
  }
  yield ']';
}
