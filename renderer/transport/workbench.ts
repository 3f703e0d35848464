/** What is asked of the workbench of a server on this machine. Contract: `shared/workbench/`. */
import type { Static, TSchema } from 'typebox';
import { type Connection, expectReply, succeeded } from '../../shared/connection.ts';
import type { PageRequest } from '../../shared/outgoing-request.ts';
import type { ConsoleHost } from './host.ts';
import { refusalOf } from './refusal.ts';

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
