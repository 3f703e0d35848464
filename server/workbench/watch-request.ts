/** Looks at one request and its reply on their way, at what Node hands over: the app knows nothing of it. */
import { IncomingMessage, type OutgoingHttpHeaders, type RequestListener, ServerResponse } from 'node:http';
import { countingInto, type DatabaseUsage } from '../database/statement-count.ts';

/** As much of a body is looked at, in bytes; of what is longer nothing is kept. */
export const longestBody = 64 * 1024;

/** What went by of a body, as it came; nothing of one that is too long. */
export type Gathered = { chunks: (string | Uint8Array)[]; size: number };

/** A request as it was, with all that is secret in it. */
export type Seen = {
  receivedTs: number;
  method: string;
  url: string;
  rawHeaders: readonly string[];
  /** Undefined where nothing came by. */
  asked: Gathered | undefined;
  status: number;
  replyHeaders: OutgoingHttpHeaders;
  answered: Gathered | undefined;
  begun: number;
  /** In milliseconds. */
  took: number;
  userId: string | null;
  database: Required<DatabaseUsage>;
  /** Those who look into the server with the program that sent this. */
  lookers: ReadonlySet<string> | undefined;
  done: (seen: Seen) => void;
};

/** What is looked at has what is seen of it with it: to look it up, or a function for each, would cost more. */
export type Watched = IncomingMessage & { seen?: Seen };
type WatchedReply = ServerResponse & { seen: Seen };

/**
 * Has a request answered, and calls back when its reply has gone. It runs for each request: whatever can wait is left
 * to `describeRequest`.
 */
export function watchRequest(
  request: Watched,
  response: ServerResponse,
  answer: RequestListener,
  receivedTs: number,
  lookers: Seen['lookers'],
  done: (seen: Seen) => void,
): void {
  const { method = '' } = request;
  const seen: Seen = {
    receivedTs,
    method,
    // Routing writes another address into the request.
    url: request.url ?? '',
    rawHeaders: request.rawHeaders,
    asked: undefined,
    status: 0,
    replyHeaders: {},
    answered: undefined,
    begun: performance.now(),
    took: 0,
    userId: null,
    database: { statements: 0, milliseconds: 0, texts: new Map() },
    lookers,
    done,
  };
  request.seen = seen;
  if (method !== 'GET' && method !== 'HEAD') request.emit = emit;
  const reply = response as WatchedReply;
  reply.seen = seen;
  reply.writeHead = writeHead;
  reply.write = write;
  reply.end = end;
  reply.on('close', close);
  countingInto(seen.database, () => answer(request, response));
}

/** What is kept of its bodies, in bytes. */
export const sizeOf = ({ asked, answered }: Seen) => keptOf(asked) + keptOf(answered);
const keptOf = (body: Gathered | undefined) => (body && body.size <= longestBody ? body.size : 0);

const onRequest = IncomingMessage.prototype as unknown as { emit: Call };
const onReply = ServerResponse.prototype as unknown as Record<'writeHead' | 'write' | 'end', Call>;

type Call = (...values: unknown[]) => never;

/** Whoever reads the body goes on from there, within what is counted. */
function emit(this: Watched, name: string | symbol, ...values: unknown[]): boolean {
  const { seen } = this;
  if (!seen || (name !== 'data' && name !== 'end')) return onRequest.emit.call(this, name, ...values);
  if (name === 'data') seen.asked = gather(seen.asked, values[0]);
  let heard = false;
  countingInto(seen.database, () => {
    heard = onRequest.emit.call(this, name, ...values);
  });
  return heard;
}

// With as many arguments as they have: to gather and spread those would be a part of what this costs.

function writeHead(this: WatchedReply, status: number, reason?: unknown, headers?: unknown): never {
  const given = (headers ?? reason) as OutgoingHttpHeaders | string | undefined;
  this.seen.replyHeaders = typeof given === 'object' ? given : this.getHeaders();
  return onReply.writeHead.call(this, status, reason, headers);
}

function write(this: WatchedReply, chunk: unknown, encoding?: unknown, done?: unknown): never {
  this.seen.answered = gather(this.seen.answered, chunk);
  return onReply.write.call(this, chunk, encoding, done);
}

function end(this: WatchedReply, chunk?: unknown, encoding?: unknown, done?: unknown): never {
  this.seen.answered = gather(this.seen.answered, chunk);
  return onReply.end.call(this, chunk, encoding, done);
}

function close(this: WatchedReply): void {
  const { seen } = this;
  seen.status = this.statusCode;
  seen.took = performance.now() - seen.begun;
  seen.done(seen);
}

/** As it came: text is not made into bytes that nobody may look at. */
function gather(before: Gathered | undefined, chunk: unknown): Gathered | undefined {
  if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return before;
  const into = before ?? { chunks: [], size: 0 };
  into.size += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
  if (into.size > longestBody) into.chunks = [];
  else into.chunks.push(chunk);
  return into;
}
