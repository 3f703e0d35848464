/** Room alias queries. Application service API, "Querying". */
import type { AppServices } from '../../identity/accounts/app-services.ts';
import { createLimiter, type Limiter, QueueFull } from '../../platform/concurrency/limiter.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import { callAppService } from './app-service-request.ts';

export type RoomQueryContext = {
  appServices: AppServices;
  config: { useAppServiceLegacyAuthorization: boolean };
  stopping: AbortController;
  roomQueries: Limiter;
};

/** Time for an application service to create a room, in milliseconds. */
const timeoutMs = 10_000;

/** Pending queries per asker: anyone may look up aliases, and application services may be slow. */
export const createRoomQueries = () => createLimiter({ perKey: 50, queuedPerKey: 0 });

/**
 * Asks the application services of an alias for its room, until one has created it. Returns false if none has.
 *
 * @param asker user ID, or the network of an unauthenticated client
 * @throws MatrixError 429 if the asker has too many pending queries
 */
export async function askForRoom(
  { appServices, config, stopping, roomQueries }: RoomQueryContext,
  alias: string,
  asker: string,
): Promise<boolean> {
  const request = {
    method: 'GET',
    path: `/_matrix/app/v1/rooms/${encodeURIComponent(alias)}`,
    timeoutMs,
  } as const;
  const options = { legacy: config.useAppServiceLegacyAuthorization, signal: stopping.signal };
  for (const service of appServices.all) {
    if (service.config.url === undefined || !service.matchesAlias(alias)) continue;
    try {
      const query = () => callAppService(service.config, request, options);
      const { status } = await roomQueries.run(asker, query);
      if (status === 200) return true;
    } catch (error) {
      if (error instanceof QueueFull) throw tooManyQueries();
      // An unreachable service has created nothing.
    }
  }
  return false;
}

const tooManyQueries = () =>
  new MatrixError(
    429,
    'M_LIMIT_EXCEEDED',
    'Too many pending room queries to the application service. Try again in a moment.',
    { retry_after_ms: 1000 },
  );
