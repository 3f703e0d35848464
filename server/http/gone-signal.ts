import type { FastifyReply } from 'fastify';

/** Aborted when whoever asked has gone. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // Whoever went away while they were being identified is gone already.
  if (reply.raw.destroyed) gone.abort();
  else reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
