/** Endpoints as functions that return the request for each round. */
import type { Call } from './load.ts';

export const client = '/_matrix/client/v3';

/**
 * Returns the call for a round. Prerequisites are created first and aren't measured.
 *
 * @param last body of the previous reply
 */
export type Endpoint = (index: number, last: string | undefined) => Call | Promise<Call>;

export const get =
  (path: string): Endpoint =>
  () => ({ path });
export const post =
  (path: string, body: unknown = {}): Endpoint =>
  () => ({ method: 'POST', path, body });
export const put =
  (path: (index: number) => string, body: (index: number) => unknown): Endpoint =>
  (index) => ({ method: 'PUT', path: path(index), body: body(index) });
