/**
 * What the console finds out of a server when it first meets it, by some forty questions: asked once for all pages
 * of this process, a fifth of what each costs. How it asks has tests of its own.
 */
import type { Page } from 'playwright';
import {
  type Endpoint,
  offeredStorageKey,
  probeEndpoints,
  probeVersion,
} from '../../renderer/api/offered.ts';
import type { KeptValues } from '../../renderer/persisted.ts';
import type { ConsoleHost } from '../../renderer/transport/host.ts';
import { reachabilityStore } from '../../renderer/transport/reachability.ts';
import { connectedServers } from '../../renderer/transport/servers.ts';
import type { Connection } from '../../shared/connection.ts';
import { call } from '../server/homeserver.ts';

/** By dialect: every bundled server offers the same. */
const found = new Map<string, Promise<string>>();

/** Has the page remember what this bundled server offers, as after a visit, unless it remembers something already. */
export async function metBefore(page: Page, connection: Connection, accessToken: string | undefined) {
  const known = found.get(connection.dialect) ?? find(connection, accessToken);
  found.set(connection.dialect, known);
  return remember(page, connection.id, await known);
}

/** Has the page remember that a server of this version offers nothing beyond what the interface promises. */
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
  const server = connectedServers({ request: send } as ConsoleHost, reachabilityStore(), {} as KeptValues).of(
    connection,
  );
  const { offered } = await probeEndpoints(server);
  const { body } = await send(connection.id, { method: 'GET', path: '/_service/admin/v1/server_version' });
  return keptOf((body as { server_version: string }).server_version, offered);
}

/** Has the server list no endpoints, so that the console probes each. */
export const withoutEndpointList = (page: Page) =>
  page.route('**/admin/v1/endpoints', (route) =>
    route.fulfill({ status: 404, json: { errcode: 'M_UNRECOGNIZED', error: 'Unrecognized request' } }),
  );
