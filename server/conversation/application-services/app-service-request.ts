/** Requests to application services. Matrix specification, application service API. */

import type { AppServiceConfig } from '../../platform/config/app-services.ts';
import { type OutgoingReply, sendOutgoing } from '../../platform/http/outgoing.ts';

/** Milliseconds. */
const defaultTimeout = 60_000;

/**
 * Calls an application service. Its address comes from the configuration, so it may be in a private network.
 *
 * @param legacy whether to also send the token in the query, where old application services look for it
 * @throws if there is no response, or the service has no URL
 */
export function callAppService(
  { url, hsToken }: Pick<AppServiceConfig, 'url' | 'hsToken'>,
  request: { method: 'GET' | 'PUT' | 'POST'; path: string; body?: string; timeoutMs?: number },
  { legacy, signal }: { legacy: boolean; signal: AbortSignal },
): Promise<OutgoingReply> {
  const address = new URL(`${url}${request.path}`);
  if (legacy) address.searchParams.set('access_token', hsToken);
  return sendOutgoing(address, {
    method: request.method,
    headers: { authorization: `Bearer ${hsToken}` },
    ...(request.body !== undefined && { body: request.body }),
    timeoutMs: request.timeoutMs ?? defaultTimeout,
    signal,
  });
}
