import { i18n } from '@lingui/core';
import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import { ServerVersion } from '../../shared/api/server.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import { BackgroundUpdatesStatus, pendingUpdatesOf } from '../../shared/upgrade/server-state.ts';
import { failureSentence, NoSuchEndpoint } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';

const Status = Type.Object({
  ...BackgroundUpdatesStatus.properties,
  enabled: Type.Optional(Type.Boolean()),
});

/** Facts that an upgrade depends on: the running version and pending background updates. */
export type UpgradeCheck = {
  version: string;
  background: { pending: string[]; paused: boolean } | { unknown: string };
};

/**
 * Runs only on request. Interface: "Upgrade rules" 2 and 3.
 *
 * Succeeds if the server reports its version but not its background updates.
 */
export const upgradeCheckQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'upgrade-check'],
    queryFn: async ({ signal }): Promise<UpgradeCheck> => {
      const { server_version } = await server.get(ServerVersion, '/v1/server_version', { signal });
      return { version: server_version, background: await getBackgroundUpdates(server, signal) };
    },
    enabled: false,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

async function getBackgroundUpdates(
  server: Server,
  signal: AbortSignal,
): Promise<UpgradeCheck['background']> {
  try {
    const status = await server.get(Status, '/v1/background_updates/status', { signal });
    return { pending: pendingUpdatesOf(status), paused: status.enabled === false };
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) throw error;
    return { unknown: whyUnknown(error) };
  }
}

function whyUnknown(error: ConnectionFailure): string {
  // A browser reports a reply without CORS headers as unreachable, although the version request just succeeded.
  return error instanceof NoSuchEndpoint || error.code === 'unreachable'
    ? i18n.t("This server doesn't support listing background updates. Check its log.")
    : i18n.t("Couldn't check for pending background updates. {why}", {
        why: failureSentence(error),
      });
}
