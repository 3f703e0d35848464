import type { FastifyRequest } from 'fastify';
import type { Services } from '../services.ts';

/** Refuses what comes too often: by user, or by address where nobody is signed in. Runs after authentication. */
export const limitRate =
  ({ rateLimiters }: Services) =>
  async (request: FastifyRequest) => {
    const { limit } = request.routeOptions.config;
    if (limit) rateLimiters[limit].take(request.requester?.userId ?? request.ip);
  };
