import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/** Calls back when a response has left or its client has gone; at once where that has happened already. */
export function whenClosed(response: ServerResponse, callback: () => void): void {
  // It says so once, and whoever went away while they were being identified hears it no more.
  if (response.destroyed) callback();
  else response.once('close', callback);
}

/** Aborted when whoever asked has gone. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  whenClosed(reply.raw, () => gone.abort());
  return gone.signal;
}
