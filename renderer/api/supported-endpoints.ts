/** Finds out which endpoints the server supports, by its version, its list of endpoints or by probing. */
import { queryOptions } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { type Static, Type } from 'typebox';
import { Endpoints } from '../../shared/api/server.ts';
import { untilRefetch } from '../query-client.ts';
import type { Server } from '../transport/server.ts';
import { delegatesAccounts } from './mas/delegated-accounts.ts';
import { hasMasPasswords } from './mas/mas.ts';
import { serverSoftwareQuery, serverVersionQuery } from './server.ts';

/** IDs that can't exist, for probing. */
const user = '%40nobody%3Anowhere.invalid';
const room = '!nowhere%3Anowhere.invalid';

/** A path to probe for each endpoint. Never probed with a method that changes anything. */
const paths = {
  suspend: `/v1/suspend/${user}`,
  users: `/v2/users/${user}`,
  shadowBan: `/v1/users/${user}/shadow_ban`,
  deactivate: `/v1/deactivate/${user}`,
  resetPassword: `/v1/reset_password/${user}`,
  devices: `/v2/users/${user}/delete_devices`,
  crossSigningReset: `/v1/users/${user}/_allow_cross_signing_replacement_without_uia`,
  rateLimit: `/v1/users/${user}/override_ratelimit`,
  redactUser: `/v1/user/${user}/redact`,
  userMedia: `/v1/users/${user}/media`,
  quarantineUser: `/v1/user/${user}/media/quarantine`,
  quarantineRoom: `/v1/room/${room}/media/quarantine`,
  roomMedia: `/v1/room/${room}/media`,
  quarantine: '/v1/media/quarantine/nowhere.invalid/nothing',
  unquarantine: '/v1/media/unquarantine/nowhere.invalid/nothing',
  protect: '/v1/media/protect/nothing',
  unprotect: '/v1/media/unprotect/nothing',
  medium: '/v1/media/nowhere.invalid/nothing',
  deleteUnused: '/v1/media/delete',
  purgeCopies: '/v1/purge_media_cache',
  registrationTokens: '/v1/registration_tokens/nothing',
  block: `/v1/rooms/${room}/block`,
  deleteRoom: `/v2/rooms/${room}`,
  makeRoomAdmin: `/v1/rooms/${room}/make_room_admin`,
  userReports: '/v1/user_reports/0',
  roomReports: '/v1/room_reports/0',
  destinations: '/v1/federation/destinations/nowhere.invalid',
  backgroundUpdates: '/v1/background_updates/enabled',
  administrators: `/v1/users/${user}/admin`,
  accountData: `/v1/users/${user}/accountdata`,
  nameAvailable: '/v1/username_available',
  joinUser: `/v1/join/${room}`,
  purgeHistory: `/v1/purge_history/${room}`,
  extremities: `/v1/rooms/${room}/forward_extremities`,
  serverNotices: '/v1/send_server_notice',
} as const;

const chatPaths = {
  redact: `/client/v3/rooms/${room}/redact/%24nothing/0`,
  kick: `/client/v3/rooms/${room}/kick`,
  ban: `/client/v3/rooms/${room}/ban`,
  unban: `/client/v3/rooms/${room}/unban`,
  aliases: `/client/v3/rooms/${room}/aliases`,
  publish: `/client/v3/directory/list/room/${room}`,
  reportRoom: `/client/v3/rooms/${room}/report`,
} as const;

/** The Synapse version 1.x that added the newest of these endpoints. */
const allSinceMinor = 152;
/** Endpoints that the version doesn't imply: missing with delegated authentication, or in Synapse altogether. */
const variesByServer: readonly Endpoint[] = [
  'resetPassword',
  'registrationTokens',
  'administrators',
  'roomReports',
  'serverNotices',
  'ownAccounts',
];

/**
 * `ownAccounts`: the server manages accounts itself. `mas`: MAS does, and the session may use its admin API.
 * `accounts`: either.
 */
export type Endpoint = keyof typeof paths | keyof typeof chatPaths | 'ownAccounts' | 'mas' | 'accounts';

/** Endpoints that MAS has in place of the homeserver. */
const masEndpoints: readonly Endpoint[] = ['mas', 'accounts', 'administrators', 'registrationTokens'];
/**
 * The supported endpoints. For `unknown` ones no answer came: the last known answer applies, and without one they count
 * as unsupported.
 */
export type Offered = ReadonlySet<Endpoint> & { readonly unknown: ReadonlySet<Endpoint> };

/** Whether an authentication service manages the server's accounts. */
export const isDelegated = (offered: Offered): boolean =>
  !offered.has('ownAccounts') && !offered.unknown.has('ownAccounts');

const SavedResult = Type.Object({
  version: Type.String(),
  askedAt: Type.Integer(),
  offered: Type.Array(Type.String()),
  unknown: Type.Optional(Type.Array(Type.String())),
});
const maxAgeMs = 60 * 60_000;
const concurrency = 4;
const maxFailures = 4;

/** Storage key of the last result. */
export const offeredStorageKey = (connectionId: string) => `gatehouse.offered.${connectionId}`;

const savedResult = ({ id, deviceStorage }: Server) =>
  deviceStorage.open(offeredStorageKey(id), SavedResult, { version: '', askedAt: 0, offered: [] });

const isFresh = ({ askedAt }: Static<typeof SavedResult>) => Date.now() - askedAt < maxAgeMs;

/** Whether a fresh result is stored. */
export const hasSavedOffered = (server: Server) => isFresh(savedResult(server).read());

/**
 * Probed once per hour and server version, and stored in this browser. Probes without an answer are retried with
 * growing intervals.
 */
export const offeredQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'offered'],
    queryFn: async ({ client }): Promise<Offered> => {
      const saved = savedResult(server);
      const { server_version } = await client.ensureQueryData(serverVersionQuery(server));
      const version = probeVersion(server_version);
      const lastResult = saved.read();
      const isLastCurrent = lastResult.version === version && isFresh(lastResult);
      // The built-in homeserver reports Synapse's version without having all endpoints.
      const software = await client.ensureQueryData(serverSoftwareQuery(server)).catch(() => null);
      const certain = software === null || software === 'Synapse' ? endpointsOfVersion(server_version) : [];
      const toProbe = isLastCurrent
        ? ((lastResult.unknown ?? []) as Endpoint[])
        : allEndpoints.filter((name) => !certain.includes(name));
      const listed = software === 'Gatehouse' && toProbe.length > 0 ? await readEndpoints(server) : undefined;
      const { offered, unknown, error } = listed
        ? { offered: toProbe.filter((name) => isListed(listed, name)), unknown: [], error: undefined }
        : await probeEndpoints(server, toProbe);
      if (error && unknown.length === toProbe.length && lastResult.version === '') throw error;
      const lastOffered = (lastResult.offered as Endpoint[]).filter(
        (name) => unknown.includes(name) || !toProbe.includes(name),
      );
      const all = [...new Set([...certain, ...offered, ...lastOffered])];
      saved.write({
        version,
        askedAt: isLastCurrent ? lastResult.askedAt : Date.now(),
        offered: all,
        unknown,
      });
      const passwords = server.mas && (await hasMasPasswords(server));
      const accounts: readonly Endpoint[] =
        passwords !== undefined
          ? [...masEndpoints, ...(passwords ? (['resetPassword'] as const) : [])]
          : all.includes('ownAccounts')
            ? ['accounts']
            : [];
      const known = Object.assign(new Set(all), { unknown: new Set(unknown) });
      // With delegated accounts, the homeserver's own passwords are useless.
      if (isDelegated(known)) known.delete('resetPassword');
      for (const name of accounts) known.add(name);
      return known;
    },
    staleTime: (query) => retryDelay(query) ?? maxAgeMs,
    refetchInterval: (query) => retryDelay(query) ?? untilRefetch(query),
    structuralSharing: false,
  });

type State = { state: { data: Offered | undefined; dataUpdateCount: number } };

/** Time until unanswered probes are retried, in milliseconds; undefined if all were answered. */
const retryDelay = ({ state: { data, dataUpdateCount } }: State) =>
  data && data.unknown.size > 0 ? 15_000 * 2 ** Math.min(dataUpdateCount - 1, 3) : undefined;

/** Changes when the console probes more endpoints. */
export const probeVersion = (serverVersion: string) => `${serverVersion} ${allEndpoints.length}`;

const allEndpoints = [...Object.keys(paths), ...Object.keys(chatPaths), 'ownAccounts'] as Endpoint[];

/** Returns undefined if the server has no such list, as in earlier versions, or can't be reached. */
export const readEndpoints = (server: Server): Promise<Endpoints | undefined> =>
  server.get(Endpoints, '/v1/endpoints').catch(() => undefined);

function isListed(listed: Endpoints, name: Endpoint): boolean {
  if (name === 'ownAccounts') return !listed.chat.includes('/client/v1/auth_metadata');
  const [templates, path] =
    name in chatPaths
      ? [listed.chat, chatPaths[name as keyof typeof chatPaths]]
      : [listed.administration, paths[name as keyof typeof paths]];
  const segments = path.split('/');
  return templates.some((template) => {
    const parts = template.split('/');
    return (
      parts.length === segments.length &&
      parts.every((part, index) => part.startsWith(':') || part === segments[index])
    );
  });
}

const isOffered = async (server: Server, name: Endpoint): Promise<boolean> => {
  if (name === 'ownAccounts') return !(await delegatesAccounts(server));
  return name in chatPaths
    ? server.has('chat', chatPaths[name as keyof typeof chatPaths])
    : server.has('administration', paths[name as keyof typeof paths]);
};

/**
 * Returns the endpoints that this version certainly has: dozens of probes look like an attack to an intrusion filter.
 */
function endpointsOfVersion(serverVersion: string): Endpoint[] {
  const [, minor = 0] = /^1\.(\d+)\./.exec(serverVersion) ?? [];
  const isRecent = Number(minor) >= allSinceMinor;
  return isRecent ? allEndpoints.filter((name) => !variesByServer.includes(name)) : [];
}

/**
 * Probes endpoints in parallel. After several failures, the rest is left unprobed.
 *
 * @returns the supported ones, the unanswered ones, and the first error
 */
export async function probeEndpoints(server: Server, toProbe: readonly Endpoint[] = allEndpoints) {
  const offered: Endpoint[] = [];
  const failed: Endpoint[] = [];
  const unprobed: Endpoint[] = [];
  let error: Error | undefined;
  await pLimit(concurrency).map(toProbe, async (name) => {
    if (failed.length >= maxFailures) return void unprobed.push(name);
    try {
      if (await isOffered(server, name)) offered.push(name);
    } catch (reason) {
      error ??= reason as Error;
      failed.push(name);
    }
  });
  // Unprobed ones come first next time.
  return { offered, unknown: [...unprobed, ...failed], error };
}
