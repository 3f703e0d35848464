/** Third-party networks, as described by application services. Application service API, "Third-party networks". */

import type { JsonObject } from '../../../shared/api/common.ts';
import { isObject } from '../../../shared/is-object.ts';
import { readJson } from '../../../shared/read-json.ts';
import { type AppService, type AppServices, instanceId } from '../../identity/accounts/app-services.ts';
import { callAppService } from './app-service-request.ts';

export type ThirdPartyContext = {
  appServices: AppServices;
  config: { useAppServiceLegacyAuthorization: boolean };
  stopping: AbortController;
};

/** Milliseconds. */
const timeoutMs = 10_000;

/** Returns the protocols of all services that respond, by name. */
export async function describeProtocols(
  context: ThirdPartyContext,
  only?: string,
): Promise<Record<string, JsonObject>> {
  const protocols: Record<string, JsonObject> = {};
  for (const service of context.appServices.all) {
    for (const protocol of service.config.protocols) {
      if (only !== undefined && only !== protocol) continue;
      const found = await ask(context, service, `protocol/${encodeURIComponent(protocol)}`);
      if (typeof found !== 'object' || found === null || Array.isArray(found)) continue;
      const known = protocols[protocol];
      // Several services may bridge instances of the same network.
      const added = listIn((found as JsonObject).instances).map((instance) => ({
        ...instance,
        ...(typeof instance.network_id === 'string' && {
          instance_id: instanceId(service.id, instance.network_id),
        }),
      }));
      const instances = [...listIn(known?.instances), ...added];
      protocols[protocol] = { ...(known ?? (found as JsonObject)), instances };
    }
  }
  return protocols;
}

/**
 * Finds rooms or users of other networks.
 *
 * @param path `location` or `user`, optionally with the protocol
 * @param query the client's query parameters
 */
export async function findThirdParty(
  context: ThirdPartyContext,
  path: string,
  query: Readonly<Record<string, string>>,
  protocol?: string,
): Promise<JsonObject[]> {
  const { access_token: _, ...fields } = query;
  const found: JsonObject[] = [];
  for (const service of context.appServices.all) {
    const leads = protocol === undefined || service.config.protocols.includes(protocol);
    if (!leads || service.config.protocols.length === 0) continue;
    const things = await ask(context, service, `${path}?${new URLSearchParams(fields)}`);
    found.push(...listIn(things));
  }
  return found;
}

const listIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

async function ask(
  { config, stopping }: ThirdPartyContext,
  service: AppService,
  path: string,
): Promise<unknown> {
  if (service.config.url === undefined) return undefined;
  try {
    const { status, body } = await callAppService(
      service.config,
      { method: 'GET', path: `/_matrix/app/v1/thirdparty/${path}`, timeoutMs },
      { legacy: config.useAppServiceLegacyAuthorization, signal: stopping.signal },
    );
    return status === 200 ? readJson(body) : undefined;
  } catch {
    return undefined;
  }
}
