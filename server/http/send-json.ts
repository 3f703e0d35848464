import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { forgetReads } from '../core/held-reads.ts';
import { yieldToEventLoop } from '../core/yield.ts';

/**
 * Sends a reply's body that is JSON already: for lists that would take longer to be written from objects by their
 * schema, or that were written before. Whoever makes the text sees to it that it is what the schema says.
 *
 * @param body a list is the pieces of a text, one behind the other
 */
export const sendJson = (
  reply: Pick<FastifyReply, 'type'>,
  body: Buffer | string | readonly string[],
): never => {
  // What it was made of is needed no more.
  forgetReads();
  const payload = Buffer.isBuffer(body) || isShort(body) ? joined(body) : inPieces(body);
  // What is sent is typed by the schema, of which a text tells nothing.
  return reply.type('application/json').send(payload) as never;
};

function inPieces(text: string | readonly string[]): Readable {
  const stream = Readable.from(inBytes(text), { objectMode: false });
  lengths.set(stream, lengthOf(text));
  return stream;
}

const lengths = new WeakMap<object, number>();

/** About how much of a reply's body is in memory: of what is read as it is sent, one piece. */
export function lengthOfPayload(payload: unknown): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  return typeof payload === 'object' && payload !== null ? (lengths.get(payload) ?? 0) : 0;
}

/**
 * Sends JSON piece by piece as it is made, no faster than the client reads: for what may be longer than there is memory.
 *
 * @throws what making the beginning throws; where a later piece can't be made, the reply is broken off
 */
export async function sendAsMade(
  reply: Pick<FastifyReply, 'type'>,
  pieces: AsyncGenerator<string>,
): Promise<never> {
  let beginning = '';
  while (beginning.length <= pieceLength) {
    const { done, value } = await pieces.next();
    if (done) return sendJson(reply, beginning);
    beginning += value;
  }
  async function* all() {
    yield beginning;
    yield* pieces;
  }
  const stream = Readable.from(all(), { objectMode: false });
  lengths.set(stream, beginning.length);
  return reply.type('application/json').send(stream) as never;
}

/** So many characters become bytes in a few milliseconds; what is shorter goes out in one piece with its headers. */
const pieceLength = 1_000_000;

/** How many characters a text has, be it in pieces. */
export const lengthOf = (text: string | readonly string[]): number =>
  typeof text === 'string' ? text.length : text.reduce((sum, piece) => sum + piece.length, 0);

const isShort = (text: string | readonly string[]) => lengthOf(text) <= pieceLength;

const joined = (body: Buffer | string | readonly string[]) =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body : body.join('');

/** A long text as bytes, over as many turns as that takes. */
async function* inBytes(text: string | readonly string[]): AsyncGenerator<Buffer> {
  for (const piece of typeof text === 'string' ? [text] : together(text)) {
    for (let start = 0; start < piece.length; ) {
      await yieldToEventLoop();
      const end = start + pieceLength;
      // A character of two halves stays whole.
      const isHalf = /[\uD800-\uDBFF]/.test(piece.charAt(end - 1));
      yield Buffer.from(piece.slice(start, isHalf ? end + 1 : end));
      start = isHalf ? end + 1 : end;
    }
  }
}

/** Short pieces put together, as each that is sent by itself costs more than it says. */
function* together(pieces: readonly string[]): Generator<string> {
  let short: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    if (length + piece.length > pieceLength && short.length > 0) {
      yield short.join('');
      [short, length] = [[], 0];
    }
    short.push(piece);
    length += piece.length;
  }
  yield short.join('');
}
