/** Requests of a watcher that change something on the server. */
import { ErrorBody } from '../../../shared/api/common.ts';
import { failureOf, succeeded } from '../../../shared/connection.ts';
import { fits } from '../../../shared/fits.ts';
import type { ApiRequest } from '../../../shared/team/restrictions.ts';
import type { WatchedServer } from './watched-server.ts';

/** It won't be done: the server refused, or there is no reason to. The message is for the log. */
export class Refused extends Error {}

/** Sends a request that changes something. @throws Refused @throws ConnectionFailure if it may succeed later */
export async function act(server: WatchedServer, { api, method, path, body }: ApiRequest): Promise<void> {
  const prefix = api === 'chat' ? server.dialect.chat : `${server.dialect.administration}/admin`;
  const reply = await server.request(method, prefix + path, body?.value);
  if (succeeded(reply)) return;
  // If the admin API refuses with 403, the watcher's user is no longer an admin: another one can do it.
  const isFinal = reply.status < 500 && ![401, 429, ...(api === 'admin' ? [403] : [])].includes(reply.status);
  if (isFinal)
    throw new Refused(fits(ErrorBody, reply.body) ? reply.body.error : `HTTP status ${reply.status}`);
  throw failureOf(reply);
}
