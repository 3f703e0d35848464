/** A local user as admins see it. Synapse's "User Admin API". */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { Dictionary, Nullable } from '../../shared/api/common.ts';
import { postCrossSigningReset } from '../../shared/api/encryption-keys.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import { NotFound } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';
import { getLeniently, getList, isExpected, readEntries, UnexpectedEntry } from './lenient.ts';
import { type MasAccount, masAccount } from './mas/mas.ts';
import { type MasSession, masSessions } from './mas/mas-sessions.ts';
import { Medium } from './media.ts';

const text = Type.Optional(Nullable(Type.String()));
const time = Type.Optional(Nullable(Type.Number()));
const flag = Type.Optional(Nullable(Type.Boolean()));

/** Fields vary by version; some versions send flags as numbers. */
export const User = Type.Object({
  name: Type.String(),
  displayname: text,
  avatar_url: text,
  admin: Type.Optional(Type.Union([Type.Boolean(), Type.Integer()])),
  deactivated: Type.Optional(Type.Union([Type.Boolean(), Type.Integer()])),
  erased: flag,
  locked: flag,
  suspended: flag,
  shadow_banned: Type.Optional(Type.Union([Type.Boolean(), Type.Integer()])),
  is_guest: Type.Optional(Type.Union([Type.Boolean(), Type.Integer()])),
  user_type: text,
  appservice_id: text,
  creation_ts: Type.Optional(Type.Number({ description: 'Seconds since the Unix epoch' })),
  last_seen_ts: time,
  threepids: Type.Optional(
    Type.Array(Type.Object({ medium: Type.String(), address: Type.String(), added_at: time })),
  ),
  external_ids: Type.Optional(
    Type.Array(Type.Object({ auth_provider: Type.String(), external_id: Type.String() })),
  ),
  consent_version: text,
  consent_ts: time,
});
/** `mas`: the result of `masAccount`. */
export type User = Static<typeof User> & { mas?: MasAccount | null | undefined };

/** Returns the fields that change with moderation. */
export const accountStates = (user: User) => {
  const { displayname, admin, deactivated, erased, locked, suspended, shadow_banned } = user;
  return { displayname, admin, deactivated, erased, locked, suspended, shadow_banned };
};

const v1 = (userId: string) => `/v1/users/${encodeURIComponent(userId)}`;
const v2 = (userId: string) => `/v2/users/${encodeURIComponent(userId)}`;

export const userQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'details'],
    queryFn: ({ signal }) => loadUser(server, userId, signal),
    staleTime: 30_000,
  });

export const loadUser = (server: Server, userId: string, signal: AbortSignal): Promise<User> =>
  withMas(server, userId, getLeniently(server, User, v2(userId), { signal }), signal);

/** Merges the account in MAS, which takes precedence. Without an answer from MAS, returns the homeserver's data. */
export async function withMas(
  server: Server,
  userId: string,
  request: Promise<User>,
  signal?: AbortSignal,
): Promise<User> {
  if (!server.mas) return request;
  const account = masAccount(server, userId, signal).catch(() => undefined);
  const [user, mas] = await Promise.all([request, account]);
  if (!mas) return { ...user, mas };
  const { admin, locked, deactivated } = mas;
  return { ...user, mas, admin, locked, deactivated };
}

const UserMedia = Type.Object({
  media: Type.Array(Medium),
  total: Type.Integer(),
  next_token: Type.Optional(Type.Integer()),
});

const mediaPageSize = 12;

/** Pages through a user's media, newest first. */
export const userMediaQuery = (server: Server, userId: string) =>
  infiniteQueryOptions({
    queryKey: [server.id, 'user', userId, 'media'],
    queryFn: ({ pageParam, signal }) =>
      getLeniently(server, UserMedia, `${v1(userId)}/media?limit=${mediaPageSize}&from=${pageParam}`, {
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next_token }) => next_token,
    staleTime: 30_000,
  });

/** Whether any media of a user may be quarantined: checks one page, and assumes it for more. */
export const anyQuarantinedQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'media', 'quarantined'],
    queryFn: async ({ signal }) => {
      const path = `${v1(userId)}/media?limit=${mediaPageSize}`;
      const { media, next_token } = await server.get(UserMedia, path, { signal });
      return next_token !== undefined || media.some(({ quarantined_by: by }) => Boolean(by));
    },
    staleTime: 5_000,
  });

async function userRooms(server: Server, userId: string, signal: AbortSignal) {
  const path = `/v1/users/${encodeURIComponent(userId)}/joined_rooms`;
  const { rows, total } = await getList(server, Type.String(), 'joined_rooms', path, { signal });
  return {
    joined_rooms: rows.filter(isExpected),
    unexpected: rows.filter((row) => row instanceof UnexpectedEntry),
    total,
  };
}

/** Returns the IDs of the rooms that a user has joined. */
export const joinedRooms = async (server: Server, userId: string, signal: AbortSignal) =>
  (await userRooms(server, userId, signal)).joined_rooms;

export const userRoomsQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'rooms'],
    queryFn: ({ signal }) => userRooms(server, userId, signal),
    staleTime: 30_000,
  });

const UserDevice = Type.Object({
  device_id: Type.String(),
  display_name: text,
  last_seen_ts: time,
  last_seen_ip: text,
  last_seen_user_agent: text,
});
/** `mas`: the session in MAS; the homeserver may have a device for it. */
export type UserDevice = Static<typeof UserDevice> & {
  mas?: Pick<MasSession, 'kind' | 'id'>;
  created_ts?: number | undefined;
};

export const userDevicesQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'devices'],
    queryFn: async ({ signal }): Promise<(UserDevice | UnexpectedEntry)[]> => {
      const path = `/v2/users/${encodeURIComponent(userId)}/devices`;
      const devices = (await getList(server, UserDevice, 'devices', path, { signal })).rows;
      return server.mas ? withMasSessions(server, userId, devices, signal) : devices;
    },
    staleTime: 30_000,
  });

async function withMasSessions(
  server: Server,
  userId: string,
  devices: (UserDevice | UnexpectedEntry)[],
  signal: AbortSignal,
): Promise<(UserDevice | UnexpectedEntry)[]> {
  const account = await masAccount(server, userId, signal);
  if (!account) return devices;
  const rest = new Map(devices.map((device) => [isExpected(device) ? device.device_id : device, device]));
  const sessions = (await masSessions(server, account, signal)).map((session) => {
    if (!isExpected(session)) return session;
    const { kind, id, deviceId = id, name, lastActiveAt, createdAt, ip, userAgent } = session;
    const device = rest.get(deviceId);
    const known = device && isExpected(device) ? device : undefined;
    rest.delete(deviceId);
    return {
      device_id: deviceId,
      display_name: name ?? known?.display_name,
      last_seen_ts: lastActiveAt ?? known?.last_seen_ts,
      last_seen_ip: ip ?? known?.last_seen_ip,
      last_seen_user_agent: userAgent ?? known?.last_seen_user_agent,
      created_ts: createdAt,
      mas: { kind, id },
    };
  });
  return [...sessions, ...rest.values()];
}

// Connections of a user. Synapse's "Query current sessions for a user".

const UserConnection = Type.Object({
  ip: Type.Optional(Nullable(Type.String())),
  last_seen: Type.Optional(Nullable(Type.Number())),
  user_agent: Type.Optional(Nullable(Type.String())),
});
export type UserConnection = Static<typeof UserConnection>;

const Sessions = Type.Object({ connections: Type.Array(Type.Unknown()) });
const WhoIs = Type.Object({ devices: Dictionary(Type.Object({ sessions: Type.Array(Sessions) })) });

/** Returns the connections of all devices, latest first. */
export const whoIsQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'whois'],
    queryFn: async ({ signal }) => {
      const { devices } = await server.get(WhoIs, `/v1/whois/${encodeURIComponent(userId)}`, { signal });
      return Object.values(devices)
        .flatMap(({ sessions }) =>
          sessions.flatMap(({ connections }) => readEntries(UserConnection, connections)),
        )
        .sort((one, other) => lastSeen(other) - lastSeen(one));
    },
    staleTime: 30_000,
  });

const lastSeen = (connection: UserConnection | UnexpectedEntry) =>
  isExpected(connection) ? (connection.last_seen ?? 0) : 0;

const WhoAmI = Type.Object({ device_id: Type.Optional(Type.String()) });

/** Returns the console's own device ID; null if its token has none. */
export const ownDeviceQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'own-device'],
    queryFn: async ({ signal }) =>
      (await server.getChat(WhoAmI, '/client/v3/account/whoami', { signal })).device_id ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });

/**
 * Allows a user to replace their cross-signing keys without reauthentication.
 *
 * @returns until when, in milliseconds since the Unix epoch
 */
export async function allowCrossSigningReset(server: Server, userId: string): Promise<number> {
  const path = `/v1/users/${encodeURIComponent(userId)}/_allow_cross_signing_replacement_without_uia`;
  try {
    const reply = await server.send('POST', postCrossSigningReset.response[200], path);
    return reply.updatable_without_uia_before_ms;
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ 'No cross-signing keys to replace. The client creates the first ones without a password.',
    );
  }
}
