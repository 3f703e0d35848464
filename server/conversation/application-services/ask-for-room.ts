/** Asking application services for rooms. Matrix specification, application service API, "Querying". */
import type { AppService, AppServices } from '../../identity/accounts/app-services.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import { callAppService } from './app-service-request.ts';

type AskContext = {
  appServices: AppServices;
  config: { useAppServiceLegacyAuthorization: boolean };
  stopping: AbortController;
};

/**
 * Asks the application services that an alias is for until one says that the room is there; gives whether one does.
 *
 * @param asker who looks for it: a user, or the network of somebody unknown
 * @throws MatrixError 429 where one is being asked for too many rooms
 */
export type AskForRoom = (alias: string, asker: string) => Promise<boolean>;

/** How long a service may take to make a room, in milliseconds. */
const patience = 10_000;

/** For how many rooms a service is asked at once: anyone may look for rooms, and it may take its time. */
const atOnce = 50;

type Lookup = { asker: string; giveUp: AbortController };

export function createRoomAsking({ appServices, config, stopping }: AskContext): AskForRoom {
  const underWay = new Map<AppService, Set<Lookup>>();

  /** Where there are too many, who has most of them gives up the oldest one to who has fewer. @throws MatrixError 429 */
  function begin(service: AppService, asker: string): { lookup: Lookup; lookups: Set<Lookup> } {
    const lookups = underWay.get(service) ?? new Set();
    underWay.set(service, lookups);
    if (lookups.size >= atOnce) {
      const byAsker = Map.groupBy(lookups, (each) => each.asker);
      const own = byAsker.get(asker)?.length ?? 0;
      const most = [...byAsker.values()].reduce((one, other) => (other.length > one.length ? other : one));
      const [oldest] = most;
      if (!oldest || most.length < own + 2) throw tooMany();
      lookups.delete(oldest);
      oldest.giveUp.abort();
    }
    const lookup = { asker, giveUp: new AbortController() };
    lookups.add(lookup);
    return { lookup, lookups };
  }

  async function ask(service: AppService, alias: string, asker: string): Promise<boolean> {
    const { lookup, lookups } = begin(service, asker);
    const { signal } = lookup.giveUp;
    try {
      const { status } = await callAppService(
        service.config,
        { method: 'GET', path: `/_matrix/app/v1/rooms/${encodeURIComponent(alias)}`, timeoutMs: patience },
        {
          legacy: config.useAppServiceLegacyAuthorization,
          signal: AbortSignal.any([stopping.signal, signal]),
        },
      );
      return status === 200;
    } catch {
      if (signal.aborted) throw tooMany();
      // One that can't be reached has made nothing.
      return false;
    } finally {
      lookups.delete(lookup);
    }
  }

  return async (alias, asker) => {
    for (const service of appServices.all) {
      if (service.config.url === undefined || !service.isForAlias(alias)) continue;
      if (await ask(service, alias, asker)) return true;
    }
    return false;
  };
}

const tooMany = () =>
  new MatrixError(
    429,
    'M_LIMIT_EXCEEDED',
    'Too many pending room queries to the application service. Try again in a moment.',
    { retry_after_ms: 1000 },
  );
