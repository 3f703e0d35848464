/** State of a running server that an upgrade depends on. Interface: "Upgrade rules" 2 and 3. */
import { type Static, Type } from 'typebox';
import { Dictionary } from '../api/common.ts';
import { ServerVersion } from '../api/server.ts';
import { expectReply, type Send } from '../connection.ts';
import type { Dialect } from '../dialect.ts';

/** The part of the status that a plan needs; the rest differs by release. */
export const BackgroundUpdatesStatus = Type.Object({
  current_updates: Dictionary(Type.Object({ name: Type.String() })),
});
export type BackgroundUpdatesStatus = Static<typeof BackgroundUpdatesStatus>;

export type ServerState = {
  /** As reported, not parsed. */
  version: string;
  /** Names of unfinished background updates; null if unavailable. */
  pendingUpdates: string[] | null;
};

/**
 * Loads the version and the background updates.
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
  // The server doesn't have this endpoint.
  if (reply.status === 404) return { version, pendingUpdates: null };
  return { version, pendingUpdates: pendingUpdatesOf(expectReply(BackgroundUpdatesStatus, reply)) };
}

/** Returns the names of unfinished updates, one per database of the server. */
export function pendingUpdatesOf({ current_updates }: BackgroundUpdatesStatus): string[] {
  return Object.values(current_updates).map(({ name }) => name);
}
