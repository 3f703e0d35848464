/** A connected server without a page, whose requests a function answers. */

import { openDeviceStorage } from '../../renderer/persisted.ts';
import type { ConsoleHost } from '../../renderer/transport/host.ts';
import { reachabilityStore } from '../../renderer/transport/reachability.ts';
import { connectedServers } from '../../renderer/transport/servers.ts';
import type { Connection, IncomingReply } from '../../shared/connection.ts';
import type { PageRequest } from '../../shared/outgoing-request.ts';
import { memoryStorage } from './page-stub.ts';

const connection: Connection = {
  id: 'root@x',
  baseUrl: 'https://x',
  dialect: 'matrix',
  userId: '@root:x',
  local: false,
};

export const notFound: IncomingReply = { status: 404, body: { errcode: 'M_NOT_FOUND', error: 'Not found' } };
export const unrecognized: IncomingReply = {
  status: 404,
  body: { errcode: 'M_UNRECOGNIZED', error: 'Unrecognized request' },
};
export const broken: IncomingReply = { status: 500, body: { errcode: 'M_UNKNOWN', error: 'Broken' } };
export const ok = (body: object): IncomingReply => ({ status: 200, body });

/** Returns the server of @root:x, and the requests it received. */
export function replyingServer(reply: (request: PageRequest) => IncomingReply) {
  const requests: PageRequest[] = [];
  const request: ConsoleHost['request'] = async (_, asked) => {
    requests.push(asked);
    return reply(asked);
  };
  const deviceStorage = openDeviceStorage({ local: memoryStorage(), session: memoryStorage() });
  const servers = connectedServers({ request } as ConsoleHost, reachabilityStore(), deviceStorage);
  return { server: servers.of(connection), requests };
}
