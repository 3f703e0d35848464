import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Sends a body that is JSON already and matches the schema, bypassing the schema's serializer. */
export const sendJson = (reply: Pick<FastifyReply, 'type'>, body: Buffer | string): never =>
  // The body is typed by the schema.
  reply.type('application/json').send(body) as never;

/** A shorter body is sent with a Content-Length. */
const minStreamed = 1_000_000;

/**
 * Streams JSON no faster than the client reads, for bodies that may be very long.
 *
 * @throws errors from generating the beginning; a later error closes the connection
 */
export async function streamJson(
  reply: Pick<FastifyReply, 'type'>,
  chunks: AsyncGenerator<string>,
): Promise<never> {
  let beginning = '';
  while (beginning.length <= minStreamed) {
    const { done, value } = await chunks.next();
    if (done) return sendJson(reply, beginning);
    beginning += value;
  }
  async function* all() {
    yield beginning;
    yield* chunks;
  }
  return reply.type('application/json').send(Readable.from(all(), { objectMode: false })) as never;
}

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
