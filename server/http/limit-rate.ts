import type { FastifyRequest } from 'fastify';
import type { RateLimiters } from './rate-limiter.ts';

/** Refuses what comes too often: by user, or by address where nobody is signed in. Runs after authentication. */
export const limitRate =
  ({ rateLimiters }: { rateLimiters: RateLimiters }) =>
  async (request: FastifyRequest) => {
    const { limit } = request.routeOptions.config;
    if (limit) rateLimiters[limit].take(request.requester?.userId ?? request.ip);
  };
