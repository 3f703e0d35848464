/** Places in a room's history as clients get and give them back. */
import { MatrixError } from '../core/matrix-error.ts';

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
