/** Looks at one request and its reply on their way, at what Node hands over: the app knows nothing of it. */
import type {
  IncomingMessage,
  OutgoingHttpHeader,
  OutgoingHttpHeaders,
  RequestListener,
  ServerResponse,
} from 'node:http';
import type { InspectedRequest } from '../../shared/workbench/inspector.ts';
import { struckOut } from '../../shared/workbench/inspector.ts';
import { countingInto, type DatabaseUsage } from '../database/statement-count.ts';
import { isSecretName, type StrikeOut, striking } from './strike-out.ts';

/** As much of a body is looked at, in bytes; of what is longer nothing is kept. */
const longestBody = 256 * 1024;
/** As much of it is kept, in characters. */
const longestShown = 16 * 1024;

export type Watched = Omit<InspectedRequest, 'number' | 'user_id'>;

type Gathered = { chunks: Buffer[]; size: number };
/** With the headers that were handed over with the first line, and not set one by one. */
type GatheredReply = Gathered & { headers: OutgoingHttpHeaders };

/**
 * Has a request answered, and calls back when its reply has gone.
 *
 * @param secrets known ones, beside the token that the request itself shows
 */
export function watchRequest(
  request: IncomingMessage,
  response: ServerResponse,
  answer: RequestListener,
  { secrets, now, done }: { secrets: readonly string[]; now: number; done(watched: Watched): void },
): void {
  const begun = performance.now();
  const database: DatabaseUsage = { statements: 0, milliseconds: 0 };
  const asked: Gathered = { chunks: [], size: 0 };
  const answered: GatheredReply = { chunks: [], size: 0, headers: {} };
  // Routing writes another address into it.
  const { method = '', url = '', rawHeaders } = request;

  // What parses HTTP pushes the body in, and whoever reads it is called from there: within what is counted.
  const push = request.push.bind(request);
  request.push = (chunk, encoding) => {
    if (chunk !== null) gather(asked, chunk);
    return push(chunk, encoding);
  };
  const emit = request.emit.bind(request) as (name: string | symbol, ...values: unknown[]) => boolean;
  request.emit = (name: string | symbol, ...values: unknown[]) => {
    if (name !== 'data' && name !== 'end') return emit(name, ...values);
    let heard = false;
    countingInto(database, () => {
      heard = emit(name, ...values);
    });
    return heard;
  };
  gatherReply(response, answered);

  response.once('close', () => {
    const strike = striking([...secrets, ...shownTokens(rawHeaders, url)]);
    done({
      received_ts: now,
      method,
      path: strike.inPath(url),
      request: {
        headers: pairs(rawHeaders).map((pair) => shownHeader(pair, strike)),
        ...shownBody(asked, request.headers['content-type'], strike),
      },
      reply: {
        status: response.statusCode,
        headers: Object.entries(answered.headers).map(([name, value]) =>
          shownHeader([name, textOf(value)], strike),
        ),
        ...shownBody(answered, textOf(answered.headers['content-type']), strike),
      },
      ms: performance.now() - begun,
      database: { statements: database.statements, ms: database.milliseconds },
    });
  });
  countingInto(database, () => answer(request, response));
}

function gatherReply(response: ServerResponse, into: GatheredReply): void {
  const begin = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (...given: unknown[]) => {
    const headers = given.at(-1);
    into.headers = { ...response.getHeaders(), ...(typeof headers === 'object' ? headers : {}) };
    return begin(...given);
  };
  const write = response.write.bind(response) as (...given: unknown[]) => boolean;
  const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
  response.write = (...given: unknown[]) => {
    gather(into, given[0]);
    return write(...given);
  };
  response.end = (...given: unknown[]) => {
    gather(into, given[0]);
    return end(...given);
  };
}

function gather(into: Gathered, chunk: unknown): void {
  if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
  const bytes =
    typeof chunk === 'string'
      ? Buffer.from(chunk)
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  into.size += bytes.length;
  if (into.size <= longestBody) into.chunks.push(bytes);
  else into.chunks.length = 0;
}

/** Only JSON is shown: of anything else nobody knows which part of it is a secret. */
function shownBody({ chunks, size }: Gathered, type: string | undefined, strike: StrikeOut) {
  if (size === 0) return { body: null, size, cut: false };
  const json = size <= longestBody ? parsed(Buffer.concat(chunks).toString()) : undefined;
  if (json === undefined) {
    return { body: `(${size} bytes of ${strike.inText(type ?? 'unknown type')})`, size, cut: true };
  }
  const text = JSON.stringify(strike.inJson(json.value));
  return { body: text.slice(0, longestShown), size, cut: text.length > longestShown };
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** What stands in the place of a token is one, whatever it looks like. */
function shownTokens(rawHeaders: readonly string[], url: string): string[] {
  const header = pairs(rawHeaders).flatMap(([name, value]) =>
    name === 'authorization' ? [value.replace(/^\w+ +/, '')] : [],
  );
  const [, inQuery] = /[?&]access_token=([^&]*)/.exec(url) ?? [];
  return inQuery ? [...header, inQuery] : header;
}

function pairs(rawHeaders: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    (rawHeaders[2 * index] ?? '').toLowerCase(),
    rawHeaders[2 * index + 1] ?? '',
  ]);
}

function shownHeader([name, value]: [string, string], strike: StrikeOut): [string, string] {
  if (isSecretName(name)) return [name, struckOut];
  // They hold addresses, with what is in their queries.
  return [name, name === 'referer' || name === 'location' ? strike.inPath(value) : strike.inText(value)];
}

const textOf = (value: OutgoingHttpHeader | undefined) => [value ?? ''].flat().join(', ');
