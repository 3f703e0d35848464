/** Federation destinations. Synapse's "Federation API". */
import { queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { EmptyObject, Nullable } from '../../shared/api/common.ts';
import { body, type Server } from '../transport/server.ts';
import { getLeniently, getList, isExpected } from './lenient.ts';
import { type PagedSource, pagesOf } from './paging.ts';

const time = Type.Optional(Nullable(Type.Number()));

const Destination = Type.Object({
  destination: Type.String(),
  /** Time of the last failed attempt; 0 if reachable. */
  retry_last_ts: time,
  /** Time until the next attempt, in milliseconds. */
  retry_interval: time,
  /** Start of the failure. */
  failure_ts: time,
  last_successful_stream_ordering: time,
});
export type Destination = Static<typeof Destination>;

export type DestinationFilter = { search?: string | undefined; order: string; dir: 'f' | 'b' };

export const destinationList = (server: Server, filter: DestinationFilter): PagedSource<Destination> => ({
  key: [server.id, 'destinations', filter],
  async fetch(from, limit, signal) {
    const { search, order, dir } = filter;
    const query = new URLSearchParams({ from: String(from), limit: String(limit), order_by: order, dir });
    if (search) query.set('destination', search);
    return getList(server, Destination, 'destinations', `/v1/federation/destinations?${query}`, { signal });
  },
});

/** Maximum number of destinations scanned for a filter that servers lack. */
const maxScanned = 20_000;

/** Returns all destinations in the filter's order, up to the scan limit. */
export const allDestinationsQuery = (server: Server, filter: DestinationFilter) =>
  queryOptions({
    queryKey: [server.id, 'destinations', 'all', filter],
    queryFn: async ({ signal }) => {
      const found: Destination[] = [];
      for await (const { rows, read } of pagesOf(destinationList(server, filter), signal)) {
        found.push(...rows);
        if (read >= maxScanned) break;
      }
      return found;
    },
    staleTime: 60_000,
  });

export type FailingDestinations = {
  failing: Destination[];
  /** The number of all known destinations. */
  total: number;
  /** Whether there may be more failing destinations. */
  hasMore: boolean;
};

const failingPageSize = 100;

/** Returns unreachable destinations. */
export const failingDestinationsQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'destinations', 'failing'],
    queryFn: async ({ signal }): Promise<FailingDestinations> => {
      const page = async (dir: 'f' | 'b') => {
        const sorted = destinationList(server, { order: 'failure_ts', dir });
        const { rows, total } = await sorted.fetch(0, failingPageSize, signal);
        const failing = rows.filter(isExpected).filter(({ failure_ts }) => failure_ts);
        return {
          failing,
          total,
          hasMore: failing.length > 0 && failing.length === rows.length && rows.length < total,
        };
      };
      const first = await page('f');
      // PostgreSQL sorts missing times last, SQLite first.
      return first.failing.length === 0 && first.total > failingPageSize ? page('b') : first;
    },
    staleTime: 60_000,
    refetchInterval: 5 * 60_000,
  });

const path = (destination: string) => `/v1/federation/destinations/${encodeURIComponent(destination)}`;

export const destinationQuery = (server: Server, destination: string) =>
  queryOptions({
    queryKey: [server.id, 'destination', destination, 'details'],
    queryFn: ({ signal }) => getLeniently(server, Destination, path(destination), { signal }),
    staleTime: 15_000,
  });

const DestinationRooms = Type.Object({
  rooms: Type.Array(Type.Object({ room_id: Type.String() })),
  total: Type.Integer(),
});

/** Maximum number of listed rooms; large servers share thousands. */
export const maxDestinationRooms = 100;

/** Returns the rooms that both servers are in. */
export const destinationRoomsQuery = (server: Server, destination: string) =>
  queryOptions({
    queryKey: [server.id, 'destination', destination, 'rooms'],
    queryFn: ({ signal }) =>
      server.get(DestinationRooms, `${path(destination)}/rooms?limit=${maxDestinationRooms}`, { signal }),
    staleTime: 60_000,
  });

/** Makes the server retry at once. */
export const resetDestination = (server: Server, destination: string) =>
  server.send('POST', EmptyObject, `${path(destination)}/reset_connection`, {
    body: body(EmptyObject, {}),
  });
