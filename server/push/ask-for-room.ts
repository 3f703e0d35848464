/** Asking application services for rooms. Matrix specification, application service API, "Querying". */
import type { AppService, AppServices } from '../accounts/app-services.ts';
import { MatrixError } from '../core/matrix-error.ts';
import { callAppService } from './app-service-request.ts';

type AskContext = {
  appServices: AppServices;
  config: { useAppServiceLegacyAuthorization: boolean };
  stopping: AbortController;
};

/**
 * Asks the application services that an alias is for until one says that the room is there; gives whether one does.
 *
 * @throws MatrixError 429 where one is being asked for too many rooms
 */
export type AskForRoom = (alias: string) => Promise<boolean>;

/** How long a service may take to make a room, in milliseconds. */
const patience = 10_000;

/** For how many rooms a service is asked at once: anyone may look for rooms, and it may take its time. */
const atOnce = 50;

export function createRoomAsking({ appServices, config, stopping }: AskContext): AskForRoom {
  const underWay = new Map<AppService, number>();

  async function ask(service: AppService, alias: string): Promise<boolean> {
    const others = underWay.get(service) ?? 0;
    if (others >= atOnce) {
      const sentence = 'Too many rooms of an application service are being looked for: try again in a moment';
      throw new MatrixError(429, 'M_LIMIT_EXCEEDED', sentence, { retry_after_ms: 1000 });
    }
    underWay.set(service, others + 1);
    try {
      const { status } = await callAppService(
        service.config,
        { method: 'GET', path: `/_matrix/app/v1/rooms/${encodeURIComponent(alias)}`, timeoutMs: patience },
        { legacy: config.useAppServiceLegacyAuthorization, signal: stopping.signal },
      );
      return status === 200;
    } catch {
      // One that can't be reached has made nothing.
      return false;
    } finally {
      underWay.set(service, (underWay.get(service) ?? 0) - 1);
    }
  }

  return async (alias) => {
    for (const service of appServices.all) {
      if (service.config.url === undefined || !service.isForAlias(alias)) continue;
      if (await ask(service, alias)) return true;
    }
    return false;
  };
}
