/** The sessions of a user of this server. The reference homeserver's "User Admin API". */
import { queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { Nullable } from '../../shared/api/common.ts';
import type { Server } from '../transport/server.ts';
import { getList } from './lenient.ts';

const text = Type.Optional(Nullable(Type.String()));
const time = Type.Optional(Nullable(Type.Number()));

const UserDevice = Type.Object({
  device_id: Type.String(),
  display_name: text,
  last_seen_ts: time,
  last_seen_ip: text,
  last_seen_user_agent: text,
});
export type UserDevice = Static<typeof UserDevice>;

export const userDevicesQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'devices'],
    queryFn: async ({ signal }) => {
      const path = `/v2/users/${encodeURIComponent(userId)}/devices`;
      return (await getList(server, UserDevice, 'devices', path, { signal })).rows;
    },
    staleTime: 30_000,
  });
