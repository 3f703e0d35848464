import type { Connection } from '../../shared/connection.ts';
import type { ConsoleHost } from './host.ts';
import type { ReachabilityStore } from './reachability.ts';
import { connectedServer, type Server } from './server.ts';

export type Servers = ReturnType<typeof connectedServers>;

/** Gives the same server for the same connection, so that what hangs on it isn't made anew. */
export function connectedServers(host: ConsoleHost, reachability: ReachabilityStore) {
  const known = new Map<string, Server>();
  return {
    of(connection: Connection): Server {
      const before = known.get(connection.id);
      if (before && JSON.stringify(before.connection) === JSON.stringify(connection)) return before;
      const server = connectedServer(host, reachability, connection);
      known.set(connection.id, server);
      return server;
    },
  };
}
