/** How an endpoint is asked over and over. */
import type { Call } from './load.ts';

export const client = '/_matrix/client/v3';

/**
 * The call of a number; what has to be there before is made first, and takes none of the time that is measured.
 *
 * @param last what the call before was answered with
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
