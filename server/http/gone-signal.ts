import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/** Calls back when a response is sent or its connection closed; immediately if it is already. */
export function whenClosed(response: ServerResponse, callback: () => void): void {
  // `close` is emitted only once, possibly before this is called.
  if (response.destroyed) callback();
  else response.once('close', callback);
}

/** Aborted when the client disconnects. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  whenClosed(reply.raw, () => gone.abort());
  return gone.signal;
}
