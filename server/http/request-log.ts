/** What each request took, for the log. Interface: "Changes by release", v1.150.0. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { withoutSecretsInUrl } from '../core/log-secrets.ts';
import type { RequestRecord } from '../core/log-text.ts';
import { countingInto, type DatabaseUsage } from '../database/statement-count.ts';
import type { App } from './routes.ts';

/** Parameters of paths whose values let somebody in. */
const secretParameters = ['token', 'nonce', 'session'];

type Measure = { startedAt: number; processor: NodeJS.CpuUsage; database: DatabaseUsage };

declare module 'fastify' {
  interface FastifyRequest {
    /** What is known so far of what it takes; undefined where requests have no lines in the log. */
    measure: Measure | undefined;
  }
}

/** Measures every request of the app, and logs it when its reply has been sent. */
export function logRequests(app: App): void {
  app.decorateRequest('measure', undefined);

  app.addHook('onRequest', (request, _reply, done) => {
    const database = { statements: 0, milliseconds: 0 };
    request.measure = { startedAt: performance.now(), processor: process.threadCpuUsage(), database };
    countingInto(database, done);
  });
  app.addHook('preValidation', ({ body, measure }, _reply, done) => {
    // Reading a body leaves the context that the first hook began in.
    if (body !== undefined && measure) countingInto(measure.database, done);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.measure) app.log.info({ request: recordOf(request, reply, request.measure) });
    done();
  });
}

function recordOf(request: FastifyRequest, reply: FastifyReply, measure: Measure): RequestRecord {
  const { user, system } = process.threadCpuUsage(measure.processor);
  return {
    method: request.method,
    path: withoutSecretsInUrl(request.originalUrl, secretParts(request)),
    status: reply.statusCode,
    size: Number(reply.getHeader('content-length') ?? 0),
    time: performance.now() - measure.startedAt,
    user: request.requester?.userId ?? null,
    ru: { user: user / 1000, system: system / 1000 },
    db: { statements: measure.database.statements, time: measure.database.milliseconds },
  };
}

const secretParts = ({ params }: FastifyRequest) =>
  Object.entries((params ?? {}) as Record<string, string>)
    .filter(([name, value]) => secretParameters.includes(name) && value !== '')
    .map(([, value]) => value);
