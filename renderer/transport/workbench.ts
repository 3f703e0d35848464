/** What is asked of the workbench of a server on this machine. Contract: `shared/workbench/`. */
import type { Static, TSchema } from 'typebox';
import {
  type Connection,
  ConnectionFailure,
  expectReply,
  type IncomingReply,
  succeeded,
} from '../../shared/connection.ts';
import type { PageRequest } from '../../shared/outgoing-request.ts';
import { loginRequest } from '../../shared/try-login.ts';
import { sendFromPage } from './fetch.ts';
import type { ConsoleHost } from './host.ts';
import { invokerOf } from './invoke.ts';
import { refusalOf } from './refusal.ts';
import { authorized } from './token-refresh.ts';

/** A server's workbench: whole paths in, checked replies out; what comes back as an error is thrown with a sentence. */
export type Workbench = {
  connection: Connection;
  get<Schema extends TSchema>(schema: Schema, path: string, signal?: AbortSignal): Promise<Static<Schema>>;
  send<Schema extends TSchema>(
    method: 'POST' | 'PUT' | 'DELETE',
    schema: Schema,
    path: string,
    body?: unknown,
  ): Promise<Static<Schema>>;
};

export function workbenchOf(host: ConsoleHost, connection: Connection): Workbench {
  async function ask(request: PageRequest, signal?: AbortSignal) {
    const reply = await host.request(connection.id, request, signal ? { signal } : {});
    if (!succeeded(reply)) throw refusalOf(reply, connection);
    return reply;
  }
  return {
    connection,
    get: async (schema, path, signal) => expectReply(schema, await ask({ method: 'GET', path }, signal)),
    send: async (method, schema, path, body) =>
      expectReply(schema, await ask({ method, path, ...(body !== undefined && { body }) })),
  };
}

// A login for testers, as a client of theirs would make it. Loaded only where one is tried.

/**
 * Sends the login and gives back the reply, whatever its status. In the desktop app the main process sends it.
 *
 * @throws ConnectionFailure where no reply came
 */
export async function tryLogin(connection: Connection, token: string): Promise<IncomingReply> {
  if (!window.gatehouse) return sendFromPage(loginRequest(connection, token));
  return invokerOf(window.gatehouse)('workbench:try-login', { connectionId: connection.id, token });
}

// A request that the inspector kept, made once more. Loaded only where requests are looked at.

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
