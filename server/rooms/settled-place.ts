/** How far the order of all events is settled, for whoever reads on from where they were, such as a `/sync`. */
import { settledPlaces } from '../database/changes.ts';
import type { Database } from '../database/schema.ts';

/**
 * The place, in the order of all events of this server, up to which everything can be seen that ever will be: whoever
 * has read all events with a `stream_ordering` up to it never finds another one there later. 0 where there is none.
 *
 * Take the place first and read after that, in a later statement of the same database (never a replica): what is read
 * up to it is complete, and the place is what the next read begins after. It never goes back. It costs about as much
 * as a small query; while a transaction that adds events is open, in any process, it stays before those events.
 *
 * Within one room the order needs no such care: who appends to it holds it until the commit.
 */
export async function settledPlace(db: Database): Promise<number> {
  return (await settledPlaces(db)).events;
}
