/** Looks at one request and its reply on their way, at what Node hands over: the app knows nothing of it. */
import { IncomingMessage, type OutgoingHttpHeaders, type RequestListener, ServerResponse } from 'node:http';
import { countingInto, type DatabaseUsage } from '../../platform/database/query/statements.ts';

/** As much of a body is looked at, in bytes; of what is longer nothing is kept. */
const longestBody = 64 * 1024;

/**
 * What went by of a body, nothing of one that is too long: as it came where that was in one piece, else all pieces in
 * one that may have room for more after the first `size` bytes.
 */
export type Gathered = { held: string | Uint8Array | undefined; size: number };

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
  /** Whether it is for the workbench itself: it is not kept then. */
  isLook: boolean;
  /** Then it stays as it is: what still comes of a body is not gathered. */
  isOver: boolean;
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
    isLook: false,
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

/** About what a text takes beside its characters, in bytes. */
const perText = 32;

/** What it holds in memory by what its sender has chosen and by its reply, in bytes. */
export function sizeOf({ url, rawHeaders, asked, answered }: Seen): number {
  let size = url.length + rawHeaders.length * perText + heldOf(asked) + heldOf(answered);
  for (const text of rawHeaders) size += text.length;
  return size;
}

const heldOf = (body: Gathered | undefined) =>
  typeof body?.held === 'string' ? body.size : (body?.held?.length ?? 0);

const onRequest = IncomingMessage.prototype as unknown as { emit: Call };
const onReply = ServerResponse.prototype as unknown as Record<'writeHead' | 'write' | 'end', Call>;

type Call = (...values: unknown[]) => never;

/** Whoever reads the body goes on from there, within what is counted. */
function emit(this: Watched, name: string | symbol, ...values: unknown[]): boolean {
  const { seen } = this;
  if (!seen || (name !== 'data' && name !== 'end')) return onRequest.emit.call(this, name, ...values);
  if (name === 'data' && !seen.isOver) seen.asked = gather(seen.asked, values[0]);
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
  seen.status = this.statusCode;
  seen.isOver = true;
  seen.took = performance.now() - seen.begun;
  seen.done(seen);
}

/**
 * Text is not made into bytes that nobody may look at. Pieces are not kept apart: each takes some hundred bytes of its
 * own, and whoever sends a body chooses how many there are.
 */
function gather(before: Gathered | undefined, chunk: unknown): Gathered | undefined {
  if ((typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) || chunk.length === 0) return before;
  const added = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
  if (!before) return { held: added > longestBody ? undefined : chunk, size: added };
  const { held, size } = before;
  before.size += added;
  if (held === undefined) return before;
  before.held = before.size > longestBody ? undefined : joined(held, size, chunk, before.size);
  return before;
}

/** Twice as long each time that it is full: what is there is not moved again with each piece. */
function joined(
  held: string | Uint8Array,
  size: number,
  chunk: string | Uint8Array,
  needed: number,
): Uint8Array {
  let room = held;
  if (typeof room === 'string' || room.length < needed) {
    room = Buffer.allocUnsafeSlow(Math.min(2 * needed, longestBody));
    room.set(bytesOf(held));
  }
  room.set(bytesOf(chunk), size);
  return room;
}

const bytesOf = (chunk: string | Uint8Array) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
