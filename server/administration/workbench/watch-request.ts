/** Records a request and its reply at the level of Node's HTTP server. */
import { IncomingMessage, type OutgoingHttpHeaders, type RequestListener, ServerResponse } from 'node:http';
import { countingInto, type DatabaseUsage } from '../../platform/database/query/statements.ts';

/** Bodies that are longer, in bytes, aren't recorded. */
const maxBody = 64 * 1024;

/** A body. Its chunks are joined once it's complete, and undefined if it's too long. */
export type Gathered = { chunks: (string | Uint8Array)[] | undefined; size: number };

/** A recorded request, with all its secrets. */
export type RecordedRequest = {
  receivedTs: number;
  method: string;
  url: string;
  rawHeaders: readonly string[];
  /** Body of the request. */
  requestBody: Gathered | undefined;
  status: number;
  replyHeaders: OutgoingHttpHeaders;
  /** Body of the reply. */
  answered: Gathered | undefined;
  begun: number;
  /** In milliseconds. */
  took: number;
  userId: string | null;
  database: Required<DatabaseUsage>;
  /** Users of the developer tools with the program that sent this. */
  consoleUsers: ReadonlySet<string> | undefined;
  /** Requests to the developer tools aren't kept. */
  isForWorkbench: boolean;
  /** Chunks that arrive later are ignored. */
  isOver: boolean;
  done: (seen: RecordedRequest) => void;
};

/** A property is cheaper than a map or a closure per request. */
export type Watched = IncomingMessage & { seen?: RecordedRequest };
type WatchedReply = ServerResponse & { seen: RecordedRequest };

/** Answers a request, and calls back when the reply is complete. Runs for each request, so `describeRequest` does the rest. */
export function watchRequest(
  request: Watched,
  response: ServerResponse,
  answer: RequestListener,
  receivedTs: number,
  consoleUsers: RecordedRequest['consoleUsers'],
  done: (seen: RecordedRequest) => void,
): void {
  const { method = '' } = request;
  const seen: RecordedRequest = {
    receivedTs,
    method,
    // Routing changes the request's URL.
    url: request.url ?? '',
    rawHeaders: request.rawHeaders,
    requestBody: undefined,
    status: 0,
    replyHeaders: {},
    answered: undefined,
    begun: performance.now(),
    took: 0,
    userId: null,
    database: { statements: 0, milliseconds: 0, texts: new Map() },
    consoleUsers,
    isForWorkbench: false,
    isOver: false,
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

/** Approximate overhead of a string, in bytes. */
const perText = 32;

/** Returns the memory that a request takes, in bytes. */
export function sizeOf({ url, rawHeaders, requestBody, answered }: RecordedRequest): number {
  let size = url.length + rawHeaders.length * perText + heldOf(requestBody) + heldOf(answered);
  for (const text of rawHeaders) size += text.length;
  return size;
}

const heldOf = (body: Gathered | undefined) => (body?.chunks ? body.size : 0);

const onRequest = IncomingMessage.prototype as unknown as { emit: Call };
const onReply = ServerResponse.prototype as unknown as Record<'writeHead' | 'write' | 'end', Call>;

type Call = (...values: unknown[]) => never;

/** Counts the database statements of handlers that continue when the body arrives. */
function emit(this: Watched, name: string | symbol, ...values: unknown[]): boolean {
  const { seen } = this;
  if (!seen || (name !== 'data' && name !== 'end')) return onRequest.emit.call(this, name, ...values);
  if (name === 'data' && !seen.isOver) seen.requestBody = gather(seen.requestBody, values[0]);
  let result = false;
  countingInto(seen.database, () => {
    result = onRequest.emit.call(this, name, ...values);
  });
  return result;
}

function writeHead(this: WatchedReply, status: number, reason?: unknown, headers?: unknown): never {
  const given = (headers ?? reason) as OutgoingHttpHeaders | string | undefined;
  this.seen.replyHeaders = typeof given === 'object' ? given : this.getHeaders();
  return onReply.writeHead.call(this, status, reason, headers);
}

function write(this: WatchedReply, chunk: unknown, encoding?: unknown, done?: unknown): never {
  const { seen } = this;
  if (!seen.isOver) seen.answered = gather(seen.answered, chunk);
  return onReply.write.call(this, chunk, encoding, done);
}

function end(this: WatchedReply, chunk?: unknown, encoding?: unknown, done?: unknown): never {
  const { seen } = this;
  if (!seen.isOver) seen.answered = gather(seen.answered, chunk);
  return onReply.end.call(this, chunk, encoding, done);
}

function close(this: WatchedReply): void {
  const { seen } = this;
  // The connection may have been cut.
  seen.status = this.headersSent ? this.statusCode : 0;
  seen.isOver = true;
  join(seen.requestBody);
  join(seen.answered);
  seen.took = performance.now() - seen.begun;
  seen.done(seen);
}

function gather(body: Gathered | undefined, chunk: unknown): Gathered | undefined {
  if ((typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) || chunk.length === 0) return body;
  const gathered = body ?? { chunks: [], size: 0 };
  gathered.size += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
  if (gathered.size > maxBody) gathered.chunks = undefined;
  else gathered.chunks?.push(chunk);
  return gathered;
}

/** Joins a body's chunks: a client chooses how many there are, and each takes some hundred bytes. */
function join(body: Gathered | undefined): void {
  if (body?.chunks && body.chunks.length > 1) body.chunks = [joinText(body.chunks)];
}

export const joinText = (chunks: readonly (string | Uint8Array)[]): string =>
  Buffer.concat(chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk))).toString();
