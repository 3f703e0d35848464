/** Asking application services for rooms. Matrix specification, application service API, "Querying". */
import type { AppServices } from '../accounts/app-services.ts';
import { callAppService } from './app-service-request.ts';

export type AskContext = {
  appServices: AppServices;
  config: { useAppServiceLegacyAuthorization: boolean };
  stopping: AbortController;
};

/** How long a service may take to make a room, in milliseconds. */
const patience = 10_000;

/** Asks those that an alias is for until one says that the room is there; gives whether one does. */
export async function askForRoom(
  { appServices, config, stopping }: AskContext,
  alias: string,
): Promise<boolean> {
  for (const service of appServices.all) {
    if (service.config.url === undefined || !service.isForAlias(alias)) continue;
    try {
      const { status } = await callAppService(
        service.config,
        { method: 'GET', path: `/_matrix/app/v1/rooms/${encodeURIComponent(alias)}`, timeoutMs: patience },
        { legacy: config.useAppServiceLegacyAuthorization, signal: stopping.signal },
      );
      if (status === 200) return true;
    } catch {
      // One that can't be reached has made nothing.
    }
  }
  return false;
}
