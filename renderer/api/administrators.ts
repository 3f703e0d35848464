import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import type { Server } from '../transport/server.ts';

const most = 500;

const Users = Type.Object({
  users: Type.Array(
    Type.Object({ name: Type.String(), admin: Type.Union([Type.Boolean(), Type.Integer()]) }),
  ),
});

/** The ids of the server's administrators; a server that can't list only them gives everyone's first page. */
export const administratorsQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'administrators'],
    queryFn: async ({ signal }): Promise<ReadonlySet<string>> => {
      const { users } = await server.get(Users, `/v2/users?admins=true&limit=${most}`, { signal });
      return new Set(users.filter(({ admin }) => admin).map(({ name }) => name));
    },
    staleTime: 5 * 60_000,
    structuralSharing: false,
  });
