/** What a running server says of itself that an upgrade depends on. Interface: "Upgrade rules" 2 and 3. */
import { type Static, Type } from 'typebox';
import { Dictionary } from '../api/common.ts';
import { ServerVersion } from '../api/server.ts';
import { expectReply, type Send } from '../connection.ts';
import type { Dialect } from '../dialect.ts';

/** As much of the status as a plan needs; deployed servers of some releases tell more, some less. */
export const BackgroundUpdatesStatus = Type.Object({
  current_updates: Dictionary(Type.Object({ name: Type.String() })),
});
export type BackgroundUpdatesStatus = Static<typeof BackgroundUpdatesStatus>;

export type ServerState = {
  /** As the server prints it; not yet parsed. */
  version: string;
  /** Names of background updates that have not finished; null where the server doesn't say. */
  pendingUpdates: string[] | null;
};

/**
 * Asks for the version and the background updates.
 *
 * @throws ConnectionFailure
 */
export async function askServerState(
  send: Send,
  { baseUrl, dialect }: { baseUrl: string; dialect: Dialect },
  accessToken: string,
): Promise<ServerState> {
  const ask = (endpoint: string) =>
    send({ method: 'GET', url: `${baseUrl}${dialect.administration}/admin/v1/${endpoint}`, accessToken });
  const { server_version: version } = expectReply(ServerVersion, await ask('server_version'));
  const reply = await ask('background_updates/status');
  // Servers that don't have this endpoint have no other way to tell.
  if (reply.status === 404) return { version, pendingUpdates: null };
  return { version, pendingUpdates: pendingUpdatesOf(expectReply(BackgroundUpdatesStatus, reply)) };
}

/** The names of the updates that have not finished, one of each database that the server has. */
export function pendingUpdatesOf({ current_updates }: BackgroundUpdatesStatus): string[] {
  return Object.values(current_updates).map(({ name }) => name);
}
