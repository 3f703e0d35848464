import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import { Nullable } from '../../shared/api/common.ts';
import { UserDetail } from '../../shared/api/users.ts';
import type { Server } from '../transport/server.ts';

/** A user in detail, as far as every server tells it; older ones know fewer restrictions. */
export const KnownUser = Type.Object({
  name: Type.String(),
  displayname: Nullable(Type.String()),
  ...Type.Partial(
    Type.Pick(UserDetail, [
      'avatar_url',
      'threepids',
      'external_ids',
      'is_guest',
      'admin',
      'deactivated',
      'erased',
      'locked',
      'suspended',
      'shadow_banned',
      'creation_ts',
      'last_seen_ts',
      'appservice_id',
      'user_type',
    ]),
  ).properties,
});

/** One user of this server's own. The reference homeserver's "Query User Account". */
export const userQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'users', 'detail', userId],
    queryFn: ({ signal }) => server.get(KnownUser, `/v2/users/${encodeURIComponent(userId)}`, { signal }),
    staleTime: 30_000,
  });

const mostAdministrators = 500;

/** The ids of the server's administrators; servers that can't list only them are asked for everyone's first page. */
export const administratorsQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'users', 'administrators'],
    queryFn: async ({ signal }): Promise<ReadonlySet<string>> => {
      const path = `/v2/users?admins=true&limit=${mostAdministrators}`;
      const { users } = await server.get(UserNames, path, { signal });
      return new Set(users.filter(({ admin }) => admin).map(({ name }) => name));
    },
    staleTime: 5 * 60_000,
    structuralSharing: false,
  });

const UserNames = Type.Object({
  users: Type.Array(
    Type.Object({ name: Type.String(), admin: Type.Union([Type.Boolean(), Type.Integer()]) }),
  ),
});

/** Whether a user is of the connected server itself; others are administered elsewhere. */
export const isLocal = ({ connection }: Server, userId: string) =>
  serverPart(userId) === serverPart(connection.userId);

const serverPart = (userId: string) => userId.slice(userId.indexOf(':') + 1);
