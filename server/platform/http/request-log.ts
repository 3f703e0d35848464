/** Logs each request with its duration, CPU time and database time, like Synapse. */
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
    /** Undefined if requests aren't logged. */
    measure: Measure | undefined;
  }
}

/** The sender of a request. */
export type Cause = {
  userId: string | undefined;
  deviceId: string | null | undefined;
  userAgent: string | undefined;
  /** The Origin header, which a page doesn't send with GET requests to its own server. */
  origin: string | undefined;
  method: string;
  /** Whether it is for one of the console's files. */
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
 * Measures every request of the app and logs it when its reply has been sent.
 *
 * @param about calls `write`, which logs the line, for the sender of the request
 */
export function logRequests(app: App, about: (cause: Cause, write: () => void) => void): void {
  app.decorateRequest('measure', undefined);

  app.addHook('onRequest', (request, _reply, done) => {
    const database = { statements: 0, milliseconds: 0 };
    const startedAt = performance.now();
    request.measure = { startedAt, processor: process.threadCpuUsage(), database };
    countingInto(database, done);
  });
  app.addHook('onRoute', (route) => {
    if (route.method !== 'GET') route.preValidation = [countOn, ...[route.preValidation ?? []].flat()];
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { measure } = request;
    if (measure) {
      about(causeOf(request), () => app.log.info({ request: recordOf(request, reply, measure) }));
    }
    done();
  });
}

/** Reading a body loses the async context of the first hook. */
const countOn: preValidationHookHandler = ({ body, measure }, _reply, done) => {
  if (body !== undefined && measure) countingInto(measure.database, done);
  else done();
};

function recordOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { startedAt, processor, database }: Measure,
): RequestRecord {
  const { user, system } = process.threadCpuUsage(processor);
  return {
    method: request.method,
    path: redactor.url(request.originalUrl, secretSegments(request)),
    status: reply.statusCode,
    size: Number(reply.getHeader('content-length') ?? 0),
    time: performance.now() - startedAt,
    user: request.requester?.userId ?? null,
    ru: { user: user / 1000, system: system / 1000 },
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
