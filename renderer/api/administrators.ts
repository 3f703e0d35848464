import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import type { Server } from '../transport/server.ts';
import { masAdministrators } from './mas-list.ts';
import { userQuery } from './user.ts';

const most = 500;
const mostAskedOneByOne = 20;

const Users = Type.Object({
  users: Type.Array(
    Type.Object({ name: Type.String(), admin: Type.Union([Type.Boolean(), Type.Integer()]) }),
  ),
});

/**
 * The ids of the administrators among these users. A few are asked for one by one; for more it gives all there are,
 * and where the server can't list only them, those of everyone's first page.
 */
export const administratorsQuery = (server: Server, among: ReadonlySet<string | undefined>) => {
  const few = among.size <= mostAskedOneByOne && [...among].filter((userId) => userId !== undefined);
  return queryOptions({
    queryKey: [server.id, 'administrators', few],
    queryFn: async ({ client, signal }): Promise<string[]> => {
      if (!few && server.mas) return masAdministrators(server, signal);
      const users = few
        ? // Who can't be read may be of another server, or have no account any more.
          await Promise.all(few.map((id) => client.fetchQuery(userQuery(server, id)).catch(() => undefined)))
        : (await server.get(Users, `/v2/users?admins=true&guests=false&limit=${most}`, { signal })).users;
      return users.flatMap((user) => (user?.admin ? user.name : []));
    },
    // Someone else may have changed it since.
    gcTime: 0,
  });
};
