/** What an administrator does to a user's account. The reference homeserver's "User Admin API". */
import { Type } from 'typebox';
import { EmptyObject } from '../../shared/api/common.ts';
import {
  DeactivateRequest,
  resetPassword as resetSchema,
  suspendUser,
} from '../../shared/api/user-administration.ts';
import { body, type Server } from '../transport/server.ts';
import { User } from './user.ts';

const path = encodeURIComponent;

/** Whoever is suspended reads, and writes nothing. */
export const setSuspended = (server: Server, userId: string, suspend: boolean) =>
  server.send('PUT', EmptyObject, `/v1/suspend/${path(userId)}`, {
    body: body(suspendUser.body, { suspend }),
  });

const Locked = Type.Object({ locked: Type.Boolean() });

/** Whoever is locked is kept out until it is lifted. @throws NotFound */
export async function setLocked(server: Server, userId: string, locked: boolean) {
  const address = `/v2/users/${path(userId)}`;
  // To change a user who isn't there would make one.
  await server.get(User, address);
  await server.send('PUT', EmptyObject, address, { body: body(Locked, { locked }) });
}

/** What a shadow-banned user sends seems to arrive, and doesn't. */
export const setShadowBanned = (server: Server, userId: string, banned: boolean) =>
  server.send(banned ? 'POST' : 'DELETE', EmptyObject, `/v1/users/${path(userId)}/shadow_ban`, {
    ...(banned && { body: body(EmptyObject, {}) }),
  });

/** Ends the account; with `erase` the user's name and what they wrote is hidden from those who come later. */
export const deactivate = (server: Server, userId: string, erase: boolean) =>
  server.send('POST', EmptyObject, `/v1/deactivate/${path(userId)}`, {
    body: body(DeactivateRequest, { erase }),
  });

export const resetPassword = (
  server: Server,
  userId: string,
  { password, endSessions }: { password: string; endSessions: boolean },
) =>
  server.send('POST', EmptyObject, `/v1/reset_password/${path(userId)}`, {
    body: body(resetSchema.body, { new_password: password, logout_devices: endSessions }),
  });

const Devices = Type.Object({ devices: Type.Array(Type.Object({ device_id: Type.String() })) });
const DeviceIds = Type.Object({ devices: Type.Array(Type.String()) });

/** Ends every session of a user. @returns how many there were */
export async function endSessions(server: Server, userId: string): Promise<number> {
  const address = `/v2/users/${path(userId)}`;
  const { devices } = await server.get(Devices, `${address}/devices`);
  const ids = devices.map(({ device_id }) => device_id);
  if (ids.length > 0) {
    const request = body(DeviceIds, { devices: ids });
    await server.send('POST', EmptyObject, `${address}/delete_devices`, { body: request });
  }
  return ids.length;
}

/** How often a user may send; zeros are "as often as they like". Both left out where nothing is overridden. */
export const RateLimit = Type.Object({
  messages_per_second: Type.Optional(Type.Integer({ minimum: 0 })),
  burst_count: Type.Optional(Type.Integer({ minimum: 0 })),
});

const rateLimitPath = (userId: string) => `/v1/users/${path(userId)}/override_ratelimit`;

export const rateLimitOf = (server: Server, userId: string) => server.get(RateLimit, rateLimitPath(userId));

export const overrideRateLimit = (
  server: Server,
  userId: string,
  { perSecond, burst }: { perSecond: number; burst: number },
) =>
  server.send('POST', EmptyObject, rateLimitPath(userId), {
    body: body(RateLimit, { messages_per_second: perSecond, burst_count: burst }),
  });

export const removeRateLimit = (server: Server, userId: string) =>
  server.send('DELETE', EmptyObject, rateLimitPath(userId));
