/** A request that the inspector kept, made once more. Loaded only where requests are looked at. */
import { type Connection, ConnectionFailure, type IncomingReply } from '../../shared/connection.ts';
import type { PageRequest } from '../../shared/outgoing-request.ts';
import { sendFromPage } from './fetch.ts';
import type { ConsoleHost } from './host.ts';
import { authorized } from './token-refresh.ts';

/**
 * Sends it with the session of whoever is signed in here and gives back the reply, whatever its status. In a browser
 * it may be any request to that server, in either dialect; the desktop app sends what it sends for its page.
 *
 * @throws ConnectionFailure where no reply came, `refused` where it must not leave
 */
export async function sendAgain(
  host: ConsoleHost,
  connection: Connection,
  { method, path, body }: PageRequest,
): Promise<IncomingReply> {
  if (host.shell) return host.request(connection.id, { method, path, ...(body !== undefined && { body }) });
  const url = URL.parse(connection.baseUrl + path);
  if (!path.startsWith('/') || url?.origin !== new URL(connection.baseUrl).origin) {
    throw new ConnectionFailure('refused', /*i18n*/ "The console can't send this request.");
  }
  return authorized(connection.id, ({ accessToken }) =>
    sendFromPage({ method, url: url.href, accessToken, ...(body !== undefined && { body }) }),
  );
}
