/** Positions in a room's history, as clients get and pass them. */
import { MatrixError } from '../../../platform/core/matrix-error.ts';

/** The token of the position after the event with this stream ordering. */
export const streamToken = (position: number) => `s${position}`;

/**
 * Returns the position of a token, which may come from `/sync`; undefined for an empty or missing one.
 *
 * @param name of the query parameter
 * @throws MatrixError 400 for an invalid token
 */
export function parseStreamToken(name: string, token: string | undefined): number | undefined {
  if (token === undefined || token === '') return undefined;
  const [, position] = /^s(\d{1,15})(?:_\d{1,15})?$/.exec(token) ?? [];
  if (position === undefined) throw new MatrixError(400, 'M_UNKNOWN', `'${name}' parameter is invalid`);
  return Number(position);
}
