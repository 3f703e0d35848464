/** Synapse's data on a user beyond the account: pushers, experimental features, invites and joins. */
import { queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { Dictionary, EmptyObject, Nullable } from '../../shared/api/common.ts';
import { body, type Server } from '../transport/server.ts';
import { getList } from './lenient.ts';
import { ifSupported } from './optional.ts';

const v1 = (userId: string) => `/v1/users/${encodeURIComponent(userId)}`;
const text = Type.Optional(Nullable(Type.String()));

const Pusher = Type.Object({
  app_id: Type.String(),
  pushkey: Type.String(),
  app_display_name: text,
  device_display_name: text,
  device_id: text,
  kind: text,
  lang: text,
  enabled: Type.Optional(Nullable(Type.Boolean())),
  data: Type.Optional(Nullable(Type.Object({ url: text, format: text }))),
});
export type Pusher = Static<typeof Pusher>;

/** Returns the user's pushers; null if the server doesn't list them. */
export const pushersQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'pushers'],
    queryFn: ({ signal }) =>
      ifSupported(
        server,
        'pushers',
        async () => (await getList(server, Pusher, 'pushers', `${v1(userId)}/pushers`, { signal })).rows,
      ),
    staleTime: 30_000,
  });

const Features = Type.Object({ features: Dictionary(Type.Boolean()) });

const featuresPath = (userId: string) => `/v1/experimental_features/${encodeURIComponent(userId)}`;

export const getFeatures = async (server: Server, userId: string, signal?: AbortSignal) =>
  (await server.get(Features, featuresPath(userId), { signal })).features;

/** Returns the experimental features by name, with their state; null if the server has none per user. */
export const featuresQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'features'],
    queryFn: ({ signal }) =>
      ifSupported(server, 'experimental_features', () => getFeatures(server, userId, signal)),
    staleTime: 30_000,
  });

export const setFeature = (server: Server, userId: string, feature: string, isOn: boolean) =>
  server.send('PUT', EmptyObject, featuresPath(userId), {
    body: body(Features, { features: { [feature]: isOn } }),
    idempotent: true,
  });

/** The period of the counts. */
export const countedDays = 30;
const Invites = Type.Object({ invite_count: Type.Integer() });
const Joins = Type.Object({ cumulative_joined_room_count: Type.Integer() });

/** Returns the invites sent and the rooms joined in the last days; null if the server doesn't count them. */
export const membershipCountsQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'membership-counts'],
    queryFn: async ({ signal }) => {
      const from = `from_ts=${Date.now() - countedDays * 24 * 60 * 60 * 1000}`;
      const [invites, joins] = await Promise.all([
        ifSupported(server, 'sent_invite_count', () =>
          server.get(Invites, `${v1(userId)}/sent_invite_count?${from}`, { signal }),
        ),
        ifSupported(server, 'cumulative_joined_room_count', () =>
          server.get(Joins, `${v1(userId)}/cumulative_joined_room_count?${from}`, { signal }),
        ),
      ]);
      return { invites: invites?.invite_count, joins: joins?.cumulative_joined_room_count };
    },
    staleTime: 60_000,
  });
