import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CreateRoomRequest } from '../../shared/api/rooms.ts';
import { pretend, type RestrictedRequest, type RestrictionContext, refuseSuspended } from './restrictions.ts';

/** Holds suspended and shadow-banned users to what they may do. Runs before the handlers of a mount. */
export const restrict =
  (context: RestrictionContext, prefix: string) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { requester } = request;
    if (!requester?.suspended && !requester?.shadowBanned) return undefined;
    const restricted = asRestricted(request, prefix);
    if (requester.suspended) await refuseSuspended(context, requester, restricted);
    if (!requester.shadowBanned) return undefined;
    // A room is made without the people whom it would bother.
    if (restricted.route === 'POST /createRoom') inviteNobody(request.body as CreateRoomRequest);
    const pretended = pretend(context, requester, restricted);
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

function inviteNobody(request: CreateRoomRequest): void {
  delete request.invite;
  request.initial_state = request.initial_state?.filter(({ type }) => type !== 'm.room.member') ?? [];
}
