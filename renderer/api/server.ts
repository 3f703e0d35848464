import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import { EmptyObject } from '../../shared/api/common.ts';
import { FederationVersion, ServerKeys, ServerVersion } from '../../shared/api/server.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import { isRefusal } from '../transport/refusal.ts';
import { body, type Server } from '../transport/server.ts';

/** Polled while the console is open: the connection status depends on it. */
export const serverVersionQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'server-version'],
    queryFn: ({ signal }) => server.get(ServerVersion, '/v1/server_version', { signal }),
    refetchInterval: 20_000,
    retry: false,
  });

/** @throws ConnectionFailure `refused` if the server's version is lower than 1.`minor` */
export async function requireVersion(server: Server, minor: number): Promise<void> {
  const { server_version: version } = await server.get(ServerVersion, '/v1/server_version');
  if (minorOf(version) >= minor) return;
  throw new ConnectionFailure(
    'refused',
    /*i18n*/ 'This needs version {needed} or later. The server runs {version}.',
    { needed: `1.${minor}`, version },
  );
}

const minorOf = (version: string) => Number(/^1\.(\d+)/.exec(version)?.[1]);

/** Whether this is Synapse, at least 1.`minor`. */
export async function isSynapseSince(server: Server, minor: number, signal: AbortSignal): Promise<boolean> {
  const { server_version: version } = await server.get(ServerVersion, '/v1/server_version', { signal });
  if (!(minorOf(version) >= minor)) return false;
  // The built-in homeserver reports Synapse's version.
  return ['Synapse', null].includes(await readSoftware(server, signal));
}

/** Returns the server's name for itself in federation; null if it refuses. */
export const serverSoftwareQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'server-software'],
    queryFn: ({ signal }) => readSoftware(server, signal),
    staleTime: 60 * 60_000,
  });

async function readSoftware(server: Server, signal: AbortSignal): Promise<string | null> {
  try {
    return (await server.getChat(FederationVersion, '/federation/v1/version', { signal })).server.name;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/** Whether the server keeps running totals of users, rooms and media instead of scanning tables. */
export const keepsRunningTotals = (software: string | null | undefined) => software === 'Gatehouse';

/** A server with more accounts has large tables. */
const maxAccounts = 50_000;

/** Whether figures that scan tables load without a click: the server keeps them, or is small. */
export const countsAtOnce = (software: string | null | undefined, accounts: number | undefined) =>
  keepsRunningTotals(software) || (accounts !== undefined && accounts <= maxAccounts);

/** Returns the server's signing keys and their validity, in milliseconds since the Unix epoch. */
export const signingKeysQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'signing-keys'],
    queryFn: async ({ signal }) => {
      const keys = await server.getChat(ServerKeys, '/key/v2/server', { signal });
      return {
        ids: Object.keys(keys.verify_keys),
        retired: Object.keys(keys.old_verify_keys).length,
        validUntil: keys.valid_until_ts,
      };
    },
    staleTime: 5 * 60_000,
  });

// Server notices. Synapse's "Server Notices" API.

const Notice = Type.Object({
  user_id: Type.String(),
  content: Type.Object({ msgtype: Type.Literal('m.text'), body: Type.String() }),
});

const noticeTo = (userId: string, text: string) => ({
  body: body(Notice, { user_id: userId, content: { msgtype: 'm.text', body: text } }),
});

/** @param transaction idempotency key */
export const sendServerNotice = (server: Server, userId: string, text: string, transaction: string) =>
  server.send('PUT', EmptyObject, `/v1/send_server_notice/${transaction}`, noticeTo(userId, text));
