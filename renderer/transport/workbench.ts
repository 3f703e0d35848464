/** The workbench API of a local server. Contract: `shared/workbench/`. */
import type { Static, TSchema } from 'typebox';
import { EmptyObject } from '../../shared/api/common.ts';
import { type Connection, expectReply, succeeded } from '../../shared/connection.ts';
import type { PageRequest } from '../../shared/outgoing-request.ts';
import {
  getHost,
  listTemporaryServers,
  putHostConfiguration,
  resetHost,
  startTemporaryServer,
} from '../../shared/workbench/host.ts';
import { workbenchPaths } from '../../shared/workbench/paths.ts';
import type { ConsoleHost, LocalProgram } from './host.ts';
import { refusalOf } from './refusal.ts';

/** Client for the workbench API. Full paths, validated replies; errors throw `ConnectionFailure`. */
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
  async function request(request: PageRequest, signal?: AbortSignal) {
    const reply = await host.request(connection.id, request, { signal });
    if (!succeeded(reply)) throw refusalOf(reply, connection);
    return reply;
  }
  return {
    connection,
    get: async (schema, path, signal) => expectReply(schema, await request({ method: 'GET', path }, signal)),
    send: async (method, schema, path, body) =>
      expectReply(schema, await request({ method, path, ...(body !== undefined && { body }) })),
  };
}

export const programOverHttp = ({ get, send }: Workbench): LocalProgram => ({
  stop: () => send('POST', EmptyObject, workbenchPaths.hostStop, {}),
  restart: () => send('POST', EmptyObject, workbenchPaths.hostRestart, {}),
  reset: () => send('POST', resetHost.response[200], workbenchPaths.hostReset, {}),
  takeBack: () => send('POST', resetHost.response[200], workbenchPaths.hostTakeBack, {}),
  async keptData() {
    const { replaced } = await get(getHost.response[200], workbenchPaths.host);
    return replaced?.outcome === 'replaced' ? replaced.kept_at : null;
  },
  async apply(text) {
    const applied = await send('PUT', putHostConfiguration.response[200], workbenchPaths.hostConfiguration, {
      text,
    });
    return { ...applied, pending: applied.outcome === 'applied' };
  },
  temporaryServers: async () =>
    (await get(listTemporaryServers.response[200], workbenchPaths.hostTemporaryServers)).servers,
  startTemporaryServer: (name) =>
    send(
      'POST',
      startTemporaryServer.response[200],
      workbenchPaths.hostTemporaryServers,
      name ? { name } : {},
    ),
  stopTemporaryServer: (name) =>
    send('DELETE', EmptyObject, `${workbenchPaths.hostTemporaryServers}/${encodeURIComponent(name)}`),
});
