/** Places in a room's history as clients get and give them back. */
import { MatrixError } from '../../../platform/core/matrix-error.ts';
import { settledPlaces } from '../../../platform/database/changes.ts';
import type { Database } from '../../../platform/database/schema.ts';

/** A place stands after the event of that number. */
export const tokenOf = (place: number) => `s${place}`;

/**
 * The place that a token names; undefined where there is none. A token of a sync names one, too.
 *
 * @throws MatrixError 400 for what is no token
 */
export function placeOf(name: string, token: string | undefined): number | undefined {
  if (token === undefined || token === '') return undefined;
  const [, place] = /^s(\d{1,15})(?:_\d{1,15})?$/.exec(token) ?? [];
  if (place === undefined) throw new MatrixError(400, 'M_UNKNOWN', `'${name}' parameter is invalid`);
  return Number(place);
}

/** How far the order of all events is settled, for whoever reads on from where they were, such as a `/sync`. */

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
