/**
 * The console's probe results for a server, about forty requests. Cached for all pages of this process, which saves a
 * fifth of each page's cost. Probing itself has separate tests.
 */
import type { Page } from 'playwright';
import {
  type Endpoint,
  offeredStorageKey,
  probeEndpoints,
  probeVersion,
} from '../../renderer/api/supported-endpoints.ts';
import type { DeviceStorage } from '../../renderer/persisted.ts';
import type { ConsoleHost } from '../../renderer/transport/host.ts';
import { reachabilityStore } from '../../renderer/transport/reachability.ts';
import { connectedServers } from '../../renderer/transport/servers.ts';
import type { Connection } from '../../shared/connection.ts';
import { call } from '../server/homeserver.ts';

/** By dialect: all bundled servers have the same features. */
const found = new Map<string, Promise<string>>();

/** Stores this bundled server's features in the page, as after a visit, unless some are already stored. */
export async function probedBefore(page: Page, connection: Connection, accessToken: string | undefined) {
  const known = found.get(connection.dialect) ?? find(connection, accessToken);
  found.set(connection.dialect, known);
  return remember(page, connection.id, await known);
}

/** Stores in the page that a server of this version has no optional features. */
export const metWithoutOffers = (page: Page, connectionId: string, version: string) =>
  remember(page, connectionId, keptOf(version, []));

const remember = (page: Page, connectionId: string, found: string) =>
  page.addInitScript(
    ([key, kept]) => {
      if (!localStorage.getItem(key)) localStorage.setItem(key, kept);
    },
    [offeredStorageKey(connectionId), found] as const,
  );

const keptOf = (version: string, offered: Endpoint[]) =>
  JSON.stringify({ version: probeVersion(version), askedAt: Date.now(), offered });

async function find(connection: Connection, accessToken: string | undefined): Promise<string> {
  const send: ConsoleHost['request'] = (_, { method, path, body }) =>
    call(connection.baseUrl, method, path, accessToken, body, { translated: false });
  const server = connectedServers(
    { request: send } as ConsoleHost,
    reachabilityStore(),
    {} as DeviceStorage,
  ).of(connection);
  const { offered } = await probeEndpoints(server);
  const { body } = await send(connection.id, { method: 'GET', path: '/_service/admin/v1/server_version' });
  return keptOf((body as { server_version: string }).server_version, offered);
}

/** Removes the server's endpoint list, so that the console probes each endpoint. */
export const withoutEndpointList = (page: Page) =>
  page.route('**/admin/v1/endpoints', (route) =>
    route.fulfill({ status: 404, json: { errcode: 'M_UNRECOGNIZED', error: 'Unrecognized request' } }),
  );
