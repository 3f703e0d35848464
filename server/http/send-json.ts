import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { breathe } from '../core/event-loop-turns.ts';

/**
 * Sends a reply's body that is JSON already: for lists that would take longer to be written from objects by their
 * schema, or that were written before. Whoever makes the text sees to it that it is what the schema says.
 */
export const sendJson = (reply: Pick<FastifyReply, 'type'>, body: Buffer | string): never => {
  const isLong = typeof body === 'string' && body.length > pieceLength;
  // What is sent is typed by the schema, of which a text tells nothing.
  return reply
    .type('application/json; charset=utf-8')
    .send(isLong ? Readable.from(inBytes(body), { objectMode: false }) : body) as never;
};

/** So many characters become bytes in a few milliseconds; what is shorter goes out in one piece with its headers. */
const pieceLength = 1_000_000;

/** A long text as bytes, over as many turns as that takes. */
async function* inBytes(text: string): AsyncGenerator<Buffer> {
  for (let start = 0; start < text.length; ) {
    await breathe();
    const end = start + pieceLength;
    // A character of two halves stays whole.
    const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
    yield Buffer.from(text.slice(start, isHalf ? end + 1 : end));
    start = isHalf ? end + 1 : end;
  }
}
