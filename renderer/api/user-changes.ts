/** Admin actions on an account. Synapse's "User Admin API". */
import { queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { EmptyObject, Nullable } from '../../shared/api/common.ts';
import { DeactivateRequest, resetPassword as resetSchema } from '../../shared/api/users.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import { lockRequest, shadowBanRequest, suspendRequest } from '../../shared/team/restrictions.ts';
import { failureSentence } from '../transport/refusal.ts';
import { body, type Server, sendRequest } from '../transport/server.ts';
import { type Identity, isSameIdentity } from './identity.ts';
import {
  addMasEmail,
  createMasAccount,
  deactivateMasAccount,
  lockMasAccount,
  masAccount,
  reactivateMasAccount,
  setMasAdmin,
  setMasPassword,
} from './mas/mas.ts';
import { setMasIdentity } from './mas/mas-identities.ts';
import { endMasSessions } from './mas/mas-sessions.ts';
import { User, withMas } from './user.ts';

const path = encodeURIComponent;

/**
 * Returns the account, bypassing the cache.
 *
 * @throws NotFound
 */
export const getUser = (server: Server, userId: string): Promise<User> =>
  withMas(server, userId, server.get(User, `/v2/users/${path(userId)}`));

const noMasAccount = () =>
  new ConnectionFailure(
    'refused',
    /*i18n*/ 'The authentication service has no account for this user. Users of application services have none.',
  );

/** Servers send some flags as numbers, and older ones leave some out. */
const asFlag = (flag: boolean | number | null | undefined) =>
  flag === undefined || flag === null ? undefined : Boolean(flag);

/** Suspends or unsuspends. Returns whether the user was suspended before. */
export async function setSuspended(server: Server, userId: string, suspend: boolean) {
  const { suspended } = await getUser(server, userId);
  await sendRequest(server, EmptyObject, suspendRequest(userId, suspend));
  return asFlag(suspended);
}

const Threepid = Type.Object({ medium: Type.String(), address: Type.String() });
const ExternalId = Type.Object({ auth_provider: Type.String(), external_id: Type.String() });

/** Null for a regular user. */
const UserType = Nullable(Type.String());

const UserChange = Type.Object({
  deactivated: Type.Optional(Type.Literal(false)),
  password: Type.Optional(Type.String()),
  displayname: Type.Optional(Type.String({ description: 'Empty for none' })),
  avatar_url: Type.Optional(Type.String({ description: 'Empty for none' })),
  threepids: Type.Optional(Type.Array(Threepid)),
  external_ids: Type.Optional(Type.Array(ExternalId)),
  admin: Type.Optional(Type.Boolean()),
  user_type: Type.Optional(UserType),
});
type UserChange = Static<typeof UserChange>;

/**
 * Updates an account; lists are replaced as wholes. Returns the account before the change.
 *
 * @throws NotFound
 */
export async function changeUser(
  server: Server,
  userId: string,
  changeOf: (before: User) => UserChange,
): Promise<User> {
  // The API would create a missing user.
  const before = await getUser(server, userId);
  await server.send('PUT', EmptyObject, `/v2/users/${path(userId)}`, {
    body: body(UserChange, changeOf(before)),
  });
  return before;
}

/**
 * Locks or unlocks. Returns whether the user was locked before.
 *
 * @throws NotFound
 */
export async function setLocked(server: Server, userId: string, locked: boolean) {
  const account = await masAccount(server, userId);
  if (!account) {
    const before = await getUser(server, userId);
    await sendRequest(server, EmptyObject, lockRequest(userId, locked));
    return asFlag(before.locked);
  }
  await lockMasAccount(server, account, locked);
  return account.locked;
}

/**
 * Reactivates an account; without a password, only other sign-in methods work.
 *
 * @throws NotFound
 */
export async function reactivate(server: Server, userId: string, password: string | undefined) {
  const account = await masAccount(server, userId);
  if (account) {
    await reactivateMasAccount(server, account);
    if (password !== undefined) await setMasPassword(server, account, password);
    return;
  }
  await changeUser(server, userId, () => ({
    deactivated: false,
    ...(password !== undefined && { password }),
  }));
}

export const hasIdentity = ({ threepids = [], external_ids = [] }: User, identity: Identity) =>
  threepids.some(({ medium, address }) => isSameIdentity(identity, { medium, address } as Identity)) ||
  external_ids.some((known) =>
    isSameIdentity(identity, { provider: known.auth_provider, id: known.external_id }),
  );

/**
 * Adds or removes an identity, unless that is already done.
 *
 * @returns whether the user had it before
 * @throws NotFound
 */
export async function setIdentity(server: Server, userId: string, identity: Identity, has: boolean) {
  const account = await masAccount(server, userId);
  if (account) {
    return setMasIdentity(server, account, identity, has);
  }
  if (account === null) throw noMasAccount();
  const before = await changeUser(server, userId, (user) => {
    if ('medium' in identity) {
      const others = (user.threepids ?? [])
        .filter(({ medium, address }) => medium !== identity.medium || address !== identity.address)
        .map(({ medium, address }) => ({ medium, address }));
      return { threepids: has ? [...others, identity] : others };
    }
    const own = { auth_provider: identity.provider, external_id: identity.id };
    const others = (user.external_ids ?? []).filter(
      ({ auth_provider, external_id }) =>
        auth_provider !== own.auth_provider || external_id !== own.external_id,
    );
    return { external_ids: has ? [...others, own] : others };
  });
  return hasIdentity(before, identity);
}

const AdministratorFlag = Type.Object({ admin: Type.Boolean() });

/** Grants or revokes server admin. Returns whether the user was admin before. */
export async function setServerAdmin(server: Server, userId: string, admin: boolean) {
  const account = await masAccount(server, userId);
  if (account) {
    await setMasAdmin(server, account, admin);
    return account.admin;
  }
  if (account === null) throw noMasAccount();
  const address = `/v1/users/${path(userId)}/admin`;
  const before = await server.get(AdministratorFlag, address);
  await server.send('PUT', EmptyObject, address, { body: body(AdministratorFlag, { admin }) });
  return before.admin;
}

/** Whether the signed-in user is still admin; true if the server gives no clear answer. */
export const isStillAdmin = (server: Server): Promise<boolean> =>
  server.get(AdministratorFlag, `/v1/users/${path(server.connection.userId)}/admin`).then(
    ({ admin }) => admin,
    (error) => !(error instanceof ConnectionFailure && error.code === 'not_administrator'),
  );

const NewUser = Type.Object({
  password: Type.Optional(Type.String()),
  displayname: Type.Optional(Type.String()),
  admin: Type.Boolean(),
  threepids: Type.Optional(Type.Array(Threepid)),
  external_ids: Type.Optional(Type.Array(ExternalId)),
  user_type: Type.Optional(UserType),
});
export type NewUser = Static<typeof NewUser>;

/** Creates an account. The caller checks that the name is free: an existing user would be changed. */
export const createUser = (server: Server, userId: string, user: NewUser): Promise<unknown> =>
  server.mas
    ? createUserInMas(server, userId, user)
    : server.send('PUT', User, `/v2/users/${path(userId)}`, { body: body(NewUser, user) });

async function createUserInMas(server: Server, userId: string, user: NewUser) {
  const { password, displayname, admin, user_type, threepids = [], external_ids = [] } = user;
  const account = await createMasAccount(server, userId.slice(1, userId.indexOf(':')));
  try {
    if (password !== undefined) await setMasPassword(server, account, password);
    // Set on the homeserver: MAS releases ignore display names.
    const profile = {
      ...(displayname !== undefined && { displayname }),
      ...(user_type !== undefined && { user_type }),
    };
    if (Object.keys(profile).length > 0) await changeUser(server, userId, () => profile);
    for (const { address } of threepids) await addMasEmail(server, account, address);
    for (const { auth_provider: provider, external_id: id } of external_ids)
      await setMasIdentity(server, account, { provider, id }, true);
    if (admin) await setMasAdmin(server, account, true);
  } catch (error) {
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ '{userId} was created, but some settings failed. {reason}',
      { userId, reason: failureSentence(error as Error) },
    );
  }
}

/**
 * Changes the given properties, in MAS if it has the account. Identities are added to the user's others.
 *
 * @throws NotFound
 */
export async function updateUser(server: Server, userId: string, user: Partial<NewUser>): Promise<void> {
  const { password, admin, threepids = [], external_ids = [], displayname, user_type } = user;
  const account = await masAccount(server, userId);
  if (account === null) throw noMasAccount();
  const profile = {
    ...(displayname !== undefined && { displayname }),
    ...(user_type !== undefined && { user_type }),
  };
  const identities: Identity[] = [
    ...threepids.map((threepid) => threepid as Identity),
    ...external_ids.map(({ auth_provider: provider, external_id: id }) => ({ provider, id })),
  ];
  if (account) {
    if (Object.keys(profile).length > 0) await changeUser(server, userId, () => profile);
    if (password !== undefined) await setMasPassword(server, account, password);
    for (const identity of identities) await setMasIdentity(server, account, identity, true);
    if (admin !== undefined) await setMasAdmin(server, account, admin);
    return;
  }
  await changeUser(server, userId, (before) => {
    const added = identities.filter((identity) => !hasIdentity(before, identity));
    const newThreepids = added.filter((identity) => 'medium' in identity);
    const newIds = added.filter((identity) => 'provider' in identity);
    return {
      ...profile,
      ...(password !== undefined && { password }),
      ...(admin !== undefined && { admin }),
      ...(newThreepids.length > 0 && {
        threepids: [
          ...(before.threepids ?? []).map(({ medium, address }) => ({ medium, address })),
          ...newThreepids,
        ],
      }),
      ...(newIds.length > 0 && {
        external_ids: [
          ...(before.external_ids ?? []),
          ...newIds.map(({ provider, id }) => ({ auth_provider: provider, external_id: id })),
        ],
      }),
    };
  });
}

const Available = Type.Object({ available: Type.Boolean() });

/** @throws ConnectionFailure with the server's reason if the name can't be used */
export const checkNameAvailable = (server: Server, localpart: string, signal?: AbortSignal) =>
  server.get(Available, `/v1/username_available?username=${path(localpart)}`, { signal });

/** Whether a user name is available; fails with the server's reason if not. */
export const nameAvailableQuery = (server: Server, localpart: string) =>
  queryOptions({
    queryKey: [server.id, 'name-available', localpart],
    queryFn: ({ signal }) => checkNameAvailable(server, localpart, signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

/** Shadow-bans a user or removes the shadow-ban. Returns whether the user was shadow-banned before. */
export async function setShadowBanned(server: Server, userId: string, banned: boolean) {
  const { shadow_banned } = await getUser(server, userId);
  await sendRequest(server, EmptyObject, shadowBanRequest(userId, banned));
  return asFlag(shadow_banned);
}

/** Deactivates an account; `erase` hides the user's name and messages from later members. */
export async function deactivate(server: Server, userId: string, erase: boolean): Promise<void> {
  const account = await masAccount(server, userId);
  if (account) return deactivateMasAccount(server, account, erase);
  await server.send('POST', EmptyObject, `/v1/deactivate/${path(userId)}`, {
    body: body(DeactivateRequest, { erase }),
    idempotent: true,
  });
}

export async function resetPassword(
  server: Server,
  userId: string,
  { password, endSessions: endsSessions }: { password: string; endSessions: boolean },
): Promise<void> {
  const account = await masAccount(server, userId);
  if (account) {
    await setMasPassword(server, account, password);
    if (endsSessions) await endSessions(server, userId);
    return;
  }
  if (account === null) throw noMasAccount();
  await server.send('POST', EmptyObject, `/v1/reset_password/${path(userId)}`, {
    body: body(resetSchema.body, { new_password: password, logout_devices: endsSessions }),
  });
}

const Devices = Type.Object({ devices: Type.Array(Type.Object({ device_id: Type.String() })) });
const DeviceIds = Type.Object({ devices: Type.Array(Type.String()) });

/** Bots that sign in for each run have thousands of devices, and servers limit a request's size. */
const maxDevicesPerRequest = 500;

/** Signs a user out of all devices. Returns their number. */
export async function endSessions(server: Server, userId: string): Promise<number> {
  const account = await masAccount(server, userId);
  if (account) return endMasSessions(server, userId, account);
  const address = `/v2/users/${path(userId)}`;
  const { devices } = await server.get(Devices, `${address}/devices`);
  const ids = devices.map(({ device_id }) => device_id);
  for (let from = 0; from < ids.length; from += maxDevicesPerRequest) {
    const request = body(DeviceIds, { devices: ids.slice(from, from + maxDevicesPerRequest) });
    await server.send('POST', EmptyObject, `${address}/delete_devices`, { body: request, idempotent: true });
  }
  return ids.length;
}

/** Signs out one device and deletes its keys. */
export async function endSession(server: Server, userId: string, deviceId: string): Promise<void> {
  const account = await masAccount(server, userId);
  if (account) {
    if ((await endMasSessions(server, userId, account, deviceId)) > 0) return;
  }
  await server.send('POST', EmptyObject, `/v2/users/${path(userId)}/delete_devices`, {
    body: body(DeviceIds, { devices: [deviceId] }),
    idempotent: true,
  });
}

const DeviceName = Type.Object({ display_name: Type.Optional(Nullable(Type.String())) });

const devicePath = (userId: string, deviceId: string) =>
  `/v2/users/${path(userId)}/devices/${path(deviceId)}`;

/** Returns a device's display name; empty if it has none. */
export const getDeviceName = async (server: Server, userId: string, deviceId: string): Promise<string> =>
  (await server.get(DeviceName, devicePath(userId, deviceId))).display_name ?? '';

export const renameDevice = (server: Server, userId: string, deviceId: string, name: string) =>
  server.send('PUT', EmptyObject, devicePath(userId, deviceId), {
    body: body(DeviceName, { display_name: name }),
  });

/** A rate limit override; zeros disable limiting. Both fields are missing without an override. */
export const RateLimit = Type.Object({
  messages_per_second: Type.Optional(Type.Integer({ minimum: 0 })),
  burst_count: Type.Optional(Type.Integer({ minimum: 0 })),
});

const rateLimitPath = (userId: string) => `/v1/users/${path(userId)}/override_ratelimit`;

export const getRateLimit = (server: Server, userId: string) => server.get(RateLimit, rateLimitPath(userId));

/** Returns a user's rate limit override. */
export const rateLimitQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'rate-limit'],
    queryFn: () => getRateLimit(server, userId),
    staleTime: 30_000,
  });

export const overrideRateLimit = (
  server: Server,
  userId: string,
  { perSecond, burst }: { perSecond: number; burst: number },
) =>
  server.send('POST', EmptyObject, rateLimitPath(userId), {
    body: body(RateLimit, { messages_per_second: perSecond, burst_count: burst }),
    idempotent: true,
  });

export const removeRateLimit = (server: Server, userId: string) =>
  server.send('DELETE', EmptyObject, rateLimitPath(userId), { idempotent: true });
