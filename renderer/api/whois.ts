/** From where somebody was last seen. The reference homeserver's "Query current sessions for a user". */
import { queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { Dictionary, Nullable } from '../../shared/api/common.ts';
import type { Server } from '../transport/server.ts';
import { isExpected, readEntries, type UnexpectedEntry } from './lenient.ts';

const SeenFrom = Type.Object({
  ip: Type.Optional(Nullable(Type.String())),
  last_seen: Type.Optional(Nullable(Type.Number())),
  user_agent: Type.Optional(Nullable(Type.String())),
});
export type SeenFrom = Static<typeof SeenFrom>;

const Sessions = Type.Object({ connections: Type.Array(Type.Unknown()) });
const WhoIs = Type.Object({ devices: Dictionary(Type.Object({ sessions: Type.Array(Sessions) })) });

/** The connections of all of a user's devices, the latest first. */
export const whoIsQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'whois'],
    queryFn: async ({ signal }) => {
      const { devices } = await server.get(WhoIs, `/v1/whois/${encodeURIComponent(userId)}`, { signal });
      return Object.values(devices)
        .flatMap(({ sessions }) => sessions.flatMap(({ connections }) => readEntries(SeenFrom, connections)))
        .sort((one, other) => lastSeen(other) - lastSeen(one));
    },
    staleTime: 30_000,
  });

const lastSeen = (connection: SeenFrom | UnexpectedEntry) =>
  isExpected(connection) ? (connection.last_seen ?? 0) : 0;

const WhoAmI = Type.Object({ device_id: Type.Optional(Type.String()) });

/** Which of one's own devices the console is; null where its token belongs to none. */
export const ownDeviceQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'own-device'],
    queryFn: async ({ signal }) =>
      (await server.getChat(WhoAmI, '/client/v3/account/whoami', { signal })).device_id ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
