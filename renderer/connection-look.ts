/** Looks of connections, kept on this device. */
import { useQuery } from '@tanstack/react-query';
import type { Connection } from '../shared/connection.ts';
import { inOrder, type Look, Looks } from '../shared/connection-look.ts';
import { connectionsQuery } from './api/shell.ts';
import { useConsole } from './console-context.ts';
import type { DeviceStorage } from './persisted.ts';
import { useStoreValue } from './subscribers.ts';
import { serverLabel } from './transport/server-name.ts';

export const storedLooks = (deviceStorage: DeviceStorage) =>
  deviceStorage.open('gatehouse.connection-looks', Looks, { of: {}, order: [] });

/**
 * Returns the connection's own label, or the server's name, with as much detail as needed to distinguish it from the
 * others.
 */
export const labelOf = (connection: Connection, all: readonly Connection[], { of }: Looks): string =>
  of[connection.id]?.label ?? serverLabel(connection, all);

/** Returns the looks of all connections, as they change. */
export function useLooks() {
  const saved = storedLooks(useConsole().deviceStorage);
  return useStoreValue(saved, saved.read);
}

export type LabeledConnections = ReturnType<typeof useConnections>;

/** The connections in order, with their looks. */
export function useConnections() {
  const { host, deviceStorage } = useConsole();
  const { data = none, isPending } = useQuery(connectionsQuery(host));
  const saved = storedLooks(deviceStorage);
  const looks = useLooks();
  const connections = inOrder(data, looks);
  return {
    connections,
    isPending,
    labelOf: (connection: Connection) => labelOf(connection, data, looks),
    lookOf: ({ id }: Connection): Look => looks.of[id] ?? {},
    change: ({ id }: Connection, look: Look) => saved.write({ ...looks, of: { ...looks.of, [id]: look } }),
    /** @param by -1 or 1 */
    move({ id }: Connection, by: -1 | 1) {
      const order = connections.map((connection) => connection.id);
      const at = order.indexOf(id);
      order.splice(at, 1);
      order.splice(Math.max(0, at + by), 0, id);
      saved.write({ ...looks, order });
    },
  };
}

const none: readonly Connection[] = [];
