import type { Connection } from '../../shared/connection.ts';
import type { DeviceStorage } from '../persisted.ts';
import type { ConsoleHost } from './host.ts';
import type { ReachabilityStore } from './reachability.ts';
import { connectedServer, type Server } from './server.ts';

export type Servers = ReturnType<typeof connectedServers>;

/** State of a server, by the function that creates it. */
type States = Map<unknown, unknown>;

export function connectedServers(
  host: ConsoleHost,
  reachability: ReachabilityStore,
  deviceStorage: DeviceStorage,
) {
  const known = new Map<string, { server: Server; states: States }>();

  function forget(id: string) {
    for (const state of known.get(id)?.states.values() ?? [])
      (state as { close?(): void } | undefined)?.close?.();
    known.delete(id);
  }

  return {
    /** Returns the same server for the same connection. A new session of the same user keeps its state. */
    of(connection: Connection): Server {
      const before = known.get(connection.id);
      if (before && JSON.stringify(before.server.connection) === JSON.stringify(connection))
        return before.server;
      const states: States = before?.states ?? new Map();
      const server: Server = connectedServer(host, reachability, connection, {
        deviceStorage,
        state<State>(make: (server: Server) => State): State {
          if (!states.has(make)) states.set(make, make(server));
          return states.get(make) as State;
        },
      });
      known.set(connection.id, { server, states });
      return server;
    },
    all: (): Server[] => [...known.values()].map(({ server }) => server),
    /** Closes the server's state. */
    forget,
    close() {
      for (const id of known.keys()) forget(id);
    },
  };
}
