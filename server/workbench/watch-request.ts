/** Looks at one request and its reply on their way, at what Node hands over: the app knows nothing of it. */
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { countingInto, type DatabaseUsage } from '../database/statement-count.ts';

/** As much of a body is looked at, in bytes; of what is longer nothing is kept. */
export const longestBody = 64 * 1024;

/** What went by of a body: nothing of one that is too long. */
export type Gathered = { chunks: (string | Uint8Array)[]; size: number };

/** A request as it was, with all that is secret in it: to be described at once, and not kept. */
export type Seen = {
  receivedTs: number;
  method: string;
  url: string;
  rawHeaders: readonly string[];
  contentType: string | undefined;
  asked: Gathered;
  status: number;
  replyHeaders: OutgoingHttpHeaders;
  answered: Gathered;
  milliseconds: number;
  userId: string | null;
  database: DatabaseUsage;
};

/** A request that is looked at has what is seen of it with it: to look it up for each would cost more. */
export type Watched = IncomingMessage & { seen?: Seen };

/**
 * Has a request answered, and calls back when its reply has gone. It runs for each request: whatever can wait is left
 * to `describeRequest`.
 */
export function watchRequest(
  request: Watched,
  response: ServerResponse,
  answer: RequestListener,
  receivedTs: number,
  done: (seen: Seen) => void,
): void {
  const begun = performance.now();
  // Routing writes another address into the request.
  const { method = '', url = '', rawHeaders } = request;
  const seen: Seen = {
    receivedTs,
    method,
    url,
    rawHeaders,
    contentType: request.headers['content-type'],
    asked: { chunks: [], size: 0 },
    status: 0,
    replyHeaders: {},
    answered: { chunks: [], size: 0 },
    milliseconds: 0,
    userId: null,
    database: { statements: 0, milliseconds: 0 },
  };
  request.seen = seen;
  if (method !== 'GET' && method !== 'HEAD') watchBody(request, seen);
  watchReply(response, seen);
  response.once('close', () => {
    seen.status = response.statusCode;
    seen.milliseconds = performance.now() - begun;
    done(seen);
  });
  countingInto(seen.database, () => answer(request, response));
}

/** Whoever reads the body goes on from there, within what is counted. */
function watchBody(request: IncomingMessage, { asked, database }: Seen): void {
  const { emit } = request;
  request.emit = (name: string | symbol, ...values: unknown[]) => {
    if (name !== 'data' && name !== 'end') return emit.call(request, name, ...values);
    if (name === 'data') gather(asked, values[0]);
    let heard = false;
    countingInto(database, () => {
      heard = emit.call(request, name, ...values);
    });
    return heard;
  };
}

type Write = (first: unknown, second: unknown, third: unknown) => never;

/** With as many arguments as they have: to gather and spread those would be a part of what this costs. */
function watchReply(response: ServerResponse, seen: Seen): void {
  const { writeHead, write, end } = response as unknown as Record<'writeHead' | 'write' | 'end', Write>;
  response.writeHead = (status: number, reason?: unknown, headers?: unknown) => {
    const given = (headers ?? reason) as OutgoingHttpHeaders | string | undefined;
    seen.replyHeaders = typeof given === 'object' ? given : response.getHeaders();
    return writeHead.call(response, status, reason, headers);
  };
  response.write = (chunk: unknown, encoding?: unknown, done?: unknown) => {
    gather(seen.answered, chunk);
    return write.call(response, chunk, encoding, done);
  };
  response.end = (chunk?: unknown, encoding?: unknown, done?: unknown) => {
    gather(seen.answered, chunk);
    return end.call(response, chunk, encoding, done);
  };
}

/** As it came: text is not made into bytes that nobody may look at. */
function gather(into: Gathered, chunk: unknown): void {
  if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
  into.size += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
  if (into.size > longestBody) into.chunks = [];
  else into.chunks.push(chunk);
}
