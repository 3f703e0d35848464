import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject } from '../../shared/api/common.ts';
import { pretend, type RestrictedRequest, refuseSuspended } from '../auth/restrictions.ts';
import type { Services } from '../services.ts';

/** Holds suspended and shadow-banned users to what they may do. Runs before the handlers of a mount. */
export const restrict =
  (services: Services, prefix: string) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { requester } = request;
    if (!requester?.suspended && !requester?.shadowBanned) return undefined;
    const restricted = asRestricted(request, prefix);
    if (requester.suspended) await refuseSuspended(services, requester, restricted);
    if (!requester.shadowBanned) return undefined;
    // A room is made without the people whom it would bother.
    if (restricted.route === 'POST /createRoom') delete (request.body as JsonObject).invite;
    const pretended = pretend(services, requester, restricted);
    return pretended && reply.send(pretended);
  };

function asRestricted({ method, routeOptions, params, body }: FastifyRequest, prefix: string) {
  const path = (routeOptions.url ?? '').slice(prefix.length).replaceAll(/:[^/]+/g, ':');
  const request: RestrictedRequest = {
    route: `${method} ${path}`,
    params: params as RestrictedRequest['params'],
    body,
  };
  return request;
}
