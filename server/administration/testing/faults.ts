/** Injected faults: requests that match a rule are delayed, cut off or answered with another reply. */
import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import { workbench } from '../../../shared/workbench/paths.ts';
import type { Fault, FaultRule } from '../../../shared/workbench/testing.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { localpartOf } from '../../platform/core/identifiers.ts';
import { invalidParameter, MatrixError } from '../../platform/core/matrix-error.ts';
import { matchesGlob } from '../../platform/core/patterns.ts';
import { tooManyRequests } from '../../platform/http/rate-limiter.ts';

/** Returns the user whose token a request has; undefined without a valid one. */
type FindUser = (request: IncomingMessage) => Promise<string | undefined>;

export type Faults = {
  readonly list: readonly Fault[];
  /** @throws MatrixError 400 for a rule without an effect, or with a header that HTTP doesn't allow */
  add(rule: FaultRule): Fault;
  /** Returns false if the rule doesn't exist. */
  remove(id: number): boolean;
  clear(): void;
  /** Wraps a request listener. Requests to the developer tools have no faults. */
  over(answer: RequestListener, findUser: FindUser): RequestListener;
};

/** Number of rules to keep. */
const mostRules = 1_000;

export function createFaults(clock: Clock): Faults {
  let faults: Fault[] = [];
  let last = 0;
  /** Matching requests to let through, by ID of the rule. */
  const skips = new Map<number, number>();

  /** Counts the request. */
  function take(request: IncomingMessage, userId: string | undefined): Fault | undefined {
    for (const fault of faults) {
      if (fault.times !== undefined && fault.applied >= fault.times) continue;
      if (!matches(fault, request, userId)) continue;
      const skip = skips.get(fault.id) ?? 0;
      skips.set(fault.id, skip - 1);
      if (skip > 0) continue;
      fault.applied++;
      return fault;
    }
    return undefined;
  }

  async function answerFaulty(
    request: IncomingMessage,
    response: ServerResponse,
    answer: RequestListener,
    findUser: FindUser,
  ): Promise<void> {
    const fault = take(request, await findUser(request).catch(() => undefined));
    if (!fault) return void answer(request, response);
    if (fault.delay_ms !== undefined) {
      await new Promise<void>((resolve) => clock.after(fault.delay_ms ?? 0, resolve));
    }
    if (!hasReply(fault)) return void answer(request, response);
    if (fault.handle) {
      afterHandling(response, () => send(fault, request, response));
      return void answer(request, response);
    }
    // The rest of a body precedes the next request of the connection.
    request.resume();
    send(fault, request, response);
  }

  return {
    get list() {
      return faults;
    },
    add(rule) {
      if (!hasReply(rule) && rule.delay_ms === undefined) {
        throw invalidParameter('Set status, retry_after_ms, malformed, cut or delay_ms');
      }
      for (const [name, value] of Object.entries(rule.headers ?? {})) requireHeader(name, value);
      if (faults.length >= mostRules) throw invalidParameter(`The maximum is ${mostRules} faults`);
      const fault = { ...rule, id: ++last, applied: 0 };
      skips.set(fault.id, rule.skip ?? 0);
      faults = [...faults, fault];
      return fault;
    },
    remove(id) {
      const found = faults.some((fault) => fault.id === id);
      faults = faults.filter((fault) => fault.id !== id);
      return found;
    },
    clear() {
      faults = [];
    },
    over: (answer, findUser) => (request, response) => {
      const isExempt = request.url?.startsWith(`${workbench}/`) || request.method === 'OPTIONS';
      if (faults.length === 0 || isExempt) return answer(request, response);
      answerFaulty(request, response, answer, findUser).catch((error) => giveUp(request, error));
    },
  };
}

/** @throws MatrixError 400 */
function requireHeader(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw invalidParameter(`headers.${name}: HTTP doesn't allow this name or value`);
  }
}

/** An error in a fault ends its connection, not the server. */
function giveUp(request: IncomingMessage, error: unknown): void {
  process.stderr.write(`gatehouse: couldn't apply a fault: ${error}\n`);
  request.socket.destroy();
}

const hasReply = ({ status, retry_after_ms, malformed, cut }: FaultRule) =>
  status !== undefined || retry_after_ms !== undefined || malformed === true || cut === true;

function matches({ path, method, user }: FaultRule, request: IncomingMessage, userId: string | undefined) {
  if (method !== undefined && method.toUpperCase() !== request.method) return false;
  if (path !== undefined && !matchesPath(path, request.url ?? '')) return false;
  return user === undefined || matchesUser(user, userId);
}

/** Whether the decoded path of a URL ends like the pattern. */
export function matchesPath(pattern: string, url: string): boolean {
  const [path = ''] = url.split('?', 1);
  return matchesGlob(`*${pattern}`, decoded(path));
}

/** @param user a user ID or its local part */
export const matchesUser = (user: string, userId: string | null | undefined) =>
  typeof userId === 'string' && (userId === user || localpartOf(userId) === user);

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const truncatedJson = '{"next_batch": "s1", "rooms": {"join": {';

function send(fault: Fault, request: IncomingMessage, response: ServerResponse): void {
  if (fault.cut) {
    request.socket.destroy();
    return;
  }
  const { status, type, body, headers } = replyOf(fault);
  response.writeHead(status, {
    'access-control-allow-origin': '*',
    'content-type': type,
    'content-length': `${Buffer.byteLength(body)}`,
    ...headers,
    ...fault.headers,
  });
  response.end(body);
}

function replyOf({ status, body, retry_after_ms: wait, malformed }: Fault): {
  status: number;
  type: string;
  body: string;
  headers?: Record<string, string>;
} {
  const json = 'application/json';
  if (malformed) return { status: status ?? 200, type: json, body: truncatedJson };
  if (wait !== undefined) {
    const error = tooManyRequests(wait);
    return {
      status: status ?? error.status,
      type: json,
      body: JSON.stringify(body ?? error.body),
      headers: { 'retry-after': `${Math.ceil(wait / 1000)}` },
    };
  }
  const code = status ?? 200;
  if (typeof body === 'string') return { status: code, type: 'text/html; charset=utf-8', body };
  const error = new MatrixError(code, 'M_UNKNOWN', 'Fault requested through the test API');
  return { status: code, type: json, body: JSON.stringify(body ?? (code < 400 ? {} : error.body)) };
}

/** Discards the reply, and calls back when it has ended. */
function afterHandling(response: ServerResponse, done: () => void): void {
  const { writeHead, write, end } = response;
  const discard = (...values: unknown[]) => {
    for (const value of values) if (typeof value === 'function') queueMicrotask(() => value());
    return true;
  };
  response.writeHead = () => response;
  response.write = discard;
  response.end = (...values: unknown[]) => {
    discard(...values);
    Object.assign(response, { writeHead, write, end });
    try {
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      done();
    } catch (error) {
      giveUp(response.req, error);
    }
    return response;
  };
}
