/** The sessions of a user of this server. The reference homeserver's "User Admin API". */
import { queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { Nullable } from '../../shared/api/common.ts';
import type { Server } from '../transport/server.ts';
import { getList, isExpected, type UnexpectedEntry } from './lenient.ts';
import { masAccount } from './mas.ts';
import type { MasSession } from './mas-sessions.ts';
import { masSessions } from './mas-sessions.ts';

const text = Type.Optional(Nullable(Type.String()));
const time = Type.Optional(Nullable(Type.Number()));

const UserDevice = Type.Object({
  device_id: Type.String(),
  display_name: text,
  last_seen_ts: time,
  last_seen_ip: text,
  last_seen_user_agent: text,
});
/** `mas`: the session in MAS, of which the homeserver may know a device. */
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
