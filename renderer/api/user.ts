/** A user of this server as administrators see them. The reference homeserver's "User Admin API". */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { Nullable } from '../../shared/api/common.ts';
import type { Server } from '../transport/server.ts';
import { getLeniently } from './lenient.ts';
import { type MasAccount, masAccount } from './mas.ts';
import { Medium } from './media.ts';

const text = Type.Optional(Nullable(Type.String()));
const time = Type.Optional(Nullable(Type.Number()));
const flag = Type.Optional(Nullable(Type.Boolean()));

/** Servers of other versions give more of it and less; some say a flag with a number. */
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
/** `mas` as `masAccount` gives it. */
export type User = Static<typeof User> & { mas?: MasAccount | null | undefined };

const v1 = (userId: string) => `/v1/users/${encodeURIComponent(userId)}`;
const v2 = (userId: string) => `/v2/users/${encodeURIComponent(userId)}`;

export const userQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'details'],
    queryFn: ({ signal }) => askUser(server, userId, signal),
    staleTime: 30_000,
  });

export const askUser = (server: Server, userId: string, signal: AbortSignal): Promise<User> =>
  withMas(server, userId, getLeniently(server, User, v2(userId), { signal }), signal);

/** Joins what MAS knows, which decides on the account where it has one. Without its answer, what the homeserver knows stays. */
export async function withMas(
  server: Server,
  userId: string,
  asked: Promise<User>,
  signal?: AbortSignal,
): Promise<User> {
  if (!server.mas) return asked;
  const account = masAccount(server, userId, signal).catch(() => undefined);
  const [user, mas] = await Promise.all([asked, account]);
  if (!mas) return { ...user, mas };
  const { admin, locked, deactivated } = mas;
  return { ...user, mas, admin, locked, deactivated };
}

const UserMedia = Type.Object({
  media: Type.Array(Medium),
  total: Type.Integer(),
  next_token: Type.Optional(Type.Integer()),
});

const mediaPerPage = 12;

/** What a user uploaded, newest first; the first page says how much it is. */
export const userMediaQuery = (server: Server, userId: string) =>
  infiniteQueryOptions({
    queryKey: [server.id, 'user', userId, 'media'],
    queryFn: ({ pageParam, signal }) =>
      getLeniently(server, UserMedia, `${v1(userId)}/media?limit=${mediaPerPage}&from=${pageParam}`, {
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next_token }) => next_token,
    staleTime: 30_000,
  });

/** Whether some of what someone uploaded is in quarantine; where there is more than a page of it, some may be. */
export const anyQuarantinedQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'media', 'quarantined'],
    queryFn: async ({ signal }) => {
      const path = `${v1(userId)}/media?limit=${mediaPerPage}`;
      const { media, next_token } = await server.get(UserMedia, path, { signal });
      return next_token !== undefined || media.some(({ quarantined_by: by }) => Boolean(by));
    },
    staleTime: 5_000,
  });
