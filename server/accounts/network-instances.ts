/** Which network of which application service a client means. Matrix specification, "Third-party Networks". */
import { unknownError } from '../core/matrix-error.ts';
import type { AppServices } from './app-services.ts';

/** What clients call a network of a service by: its `instance_id`. */
export const instanceId = (appServiceId: string, networkId: string) => `${appServiceId}|${networkId}`;

/** @throws MatrixError 400 for what names no network of a service that this server has */
export function networkIn(
  { all }: Pick<AppServices, 'all'>,
  instance: string,
): { appServiceId: string; networkId: string } {
  const service = all.find(({ id }) => instance.startsWith(instanceId(id, '')));
  if (!service) throw unknownError(`Invalid ID '${instance}'`);
  return { appServiceId: service.id, networkId: instance.slice(instanceId(service.id, '').length) };
}
