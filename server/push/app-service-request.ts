/** Requests to application services. Matrix specification, application service API. */
import type { AppServiceConfig } from '../config/app-services.ts';
import { type OutgoingReply, sendOutgoing } from '../http/outgoing.ts';

/** How long an application service may take, in milliseconds. */
const patience = 60_000;

/**
 * Calls an application service, which an administrator has configured to be where it is.
 *
 * @param legacy whether the token is also sent in the query, as application services of old look for it there
 * @throws where there is no reply, or the service has no address
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
    timeoutMs: request.timeoutMs ?? patience,
    signal,
  });
}
