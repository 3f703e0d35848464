/** What a server on this machine shows testers and does for them. Contract: `shared/workbench/`. */
import { queryOptions } from '@tanstack/react-query';
import type { Static, TSchema } from 'typebox';
import { type Connection, expectReply, succeeded } from '../../shared/connection.ts';
import type { PageRequest } from '../../shared/outgoing-request.ts';
import { workbenchPaths } from '../../shared/workbench/paths.ts';
import type { ConsoleHost } from '../transport/host.ts';
import { refusalOf } from '../transport/refusal.ts';

/** Addresses of servers on this machine: no other one is asked. */
export const thisMachine = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

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

/** Whether a server has a workbench that this person may use. A server elsewhere is not asked. */
export const hasWorkbenchQuery = (host: ConsoleHost, connection: Connection) =>
  queryOptions({
    queryKey: [connection.id, 'workbench'],
    queryFn: async ({ signal }) => {
      const { status } = await host.request(
        connection.id,
        { method: 'GET', path: workbenchPaths.inspector },
        { signal },
      );
      return status === 200;
    },
    enabled: thisMachine.test(new URL(connection.baseUrl).hostname),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
