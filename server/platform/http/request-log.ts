/** What each request took, for the log. */
import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import type { RequestRecord } from '../core/log.ts';
import { createRedactor } from '../core/redactor.ts';
import { countingInto, type DatabaseUsage } from '../database/query/statements.ts';
import type { App } from './routes.ts';

/** Path parameters whose values are secrets. */
const secretParameters = ['token', 'nonce', 'session'];

const redactor = createRedactor();

type Measure = { startedAt: number; processor: NodeJS.CpuUsage; database: DatabaseUsage };

declare module 'fastify' {
  interface FastifyRequest {
    /** What is known so far of what it takes; undefined where requests have no lines in the log. */
    measure: Measure | undefined;
  }
}

/**
 * How old what is known of the processor's use may be, in milliseconds: to ask the system twice for each request
 * would cost a tenth of what a short one takes.
 */
const freshness = 0.5;

/** Gives what the thread that answers requests has used of the processor so far. */
function followProcessor(): (now: number) => NodeJS.CpuUsage {
  let used = process.threadCpuUsage();
  let askedAt = performance.now();
  return (now) => {
    if (now - askedAt > freshness) {
      used = process.threadCpuUsage();
      askedAt = now;
    }
    return used;
  };
}

/** Who sent a request, and with which program. */
export type Cause = {
  userId: string | undefined;
  deviceId: string | null | undefined;
  userAgent: string | undefined;
  /** Of the page that sent it; a page's reading of its own server has none. */
  origin: string | undefined;
  method: string;
  /** Whether it was for one of the console's files. */
  isForConsole: boolean;
};

export const causeOf = ({ requester, headers, method, url }: FastifyRequest): Cause => ({
  userId: requester?.userId,
  deviceId: requester?.deviceId,
  userAgent: headers['user-agent'],
  origin: headers.origin,
  method,
  isForConsole: url.startsWith('/console/'),
});

/**
 * Measures every request of the app, and logs it when its reply has been sent.
 *
 * @param about is told who sent the request of the line that it has written
 */
export function logRequests(app: App, about: (cause: Cause, write: () => void) => void): void {
  app.decorateRequest('measure', undefined);
  const usedBy = followProcessor();

  app.addHook('onRequest', (request, _reply, done) => {
    const database = { statements: 0, milliseconds: 0 };
    const startedAt = performance.now();
    request.measure = { startedAt, processor: usedBy(startedAt), database };
    countingInto(database, done);
  });
  app.addHook('onRoute', (route) => {
    if (route.method !== 'GET') route.preValidation = [countOn, ...[route.preValidation ?? []].flat()];
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { measure } = request;
    if (measure) {
      about(causeOf(request), () => app.log.info({ request: recordOf(request, reply, measure, usedBy) }));
    }
    done();
  });
}

/** Reading a body leaves the context that the first hook began in. */
const countOn: preValidationHookHandler = ({ body, measure }, _reply, done) => {
  if (body !== undefined && measure) countingInto(measure.database, done);
  else done();
};

function recordOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { startedAt, processor, database }: Measure,
  usedBy: (now: number) => NodeJS.CpuUsage,
): RequestRecord {
  const now = performance.now();
  const { user, system } = usedBy(now);
  return {
    method: request.method,
    path: redactor.url(request.originalUrl, secretSegments(request)),
    status: reply.statusCode,
    size: Number(reply.getHeader('content-length') ?? 0),
    time: now - startedAt,
    user: request.requester?.userId ?? null,
    ru: { user: (user - processor.user) / 1000, system: (system - processor.system) / 1000 },
    db: { statements: database.statements, time: database.milliseconds },
  };
}

function secretSegments({ params }: FastifyRequest): string[] {
  const values = (params ?? {}) as Record<string, string | undefined>;
  const parts: string[] = [];
  for (const name of secretParameters) {
    const part = values[name];
    if (part) parts.push(part);
  }
  return parts;
}
