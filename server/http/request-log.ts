/**
 * One line for each request: when, method, path, status, size, time, user, and the labelled groups `ru`
 * (what the process used of the processor meanwhile) and `db`. Interface: "Changes by release", v1.150.0.
 */
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../core/clock.ts';
import { countingInto, type DatabaseUsage } from '../database/usage.ts';
import type { App } from './routes.ts';

/** Parameters whose values let somebody in. */
const secretParameters = new Set(['access_token', 'token', 'login_token', 'nonce', 'mac', 'session']);

type Measure = { startedAt: number; processor: NodeJS.CpuUsage; database: DatabaseUsage };

/** Measures every request of the app, and tells `log` of each when its reply has been sent. */
export function logRequests(app: App, clock: Clock, log: (line: string) => void): void {
  const measures = new WeakMap<FastifyRequest, Measure>();

  app.addHook('onRequest', (request, _reply, done) => {
    const database = { statements: 0, milliseconds: 0 };
    measures.set(request, { startedAt: performance.now(), processor: process.cpuUsage(), database });
    countingInto(database, done);
  });
  // Reading a body leaves the context that the first hook began in.
  app.addHook('preValidation', (request, _reply, done) => {
    const measure = measures.get(request);
    if (measure) countingInto(measure.database, done);
    else done();
  });
  app.addHook('onResponse', async (request, reply) => {
    const measure = measures.get(request);
    if (!measure) return;
    const { user, system } = process.cpuUsage(measure.processor);
    const { statements, milliseconds } = measure.database;
    log(
      [
        new Date(clock.now()).toISOString(),
        request.method,
        redactedPath(request),
        reply.statusCode,
        `${reply.getHeader('content-length') ?? 0}B`,
        inMilliseconds(performance.now() - measure.startedAt),
        request.requester?.userId ?? '-',
        `ru=(user=${inMilliseconds(user / 1000)}, system=${inMilliseconds(system / 1000)})`,
        `db=(statements=${statements}, time=${inMilliseconds(milliseconds)})`,
      ].join(' '),
    );
  });
}

const inMilliseconds = (value: number) => `${value.toFixed(1)}ms`;

/** The path and query as they came, but for secrets. What can't stand in one line was refused or is encoded. */
function redactedPath({ url, params }: FastifyRequest): string {
  const [path = '', query] = url.split('?', 2);
  const secrets = Object.entries((params ?? {}) as Record<string, string>)
    .filter(([name, value]) => secretParameters.has(name) && value !== '')
    .map(([, value]) => value);
  const shownPath = path
    .split('/')
    .map((part) => (secrets.includes(decoded(part)) ? '<redacted>' : part))
    .join('/');
  if (query === undefined) return shownPath;
  const shownQuery = query
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      return secretParameters.has(decoded(name).toLowerCase()) ? `${name}=<redacted>` : pair;
    })
    .join('&');
  return `${shownPath}?${shownQuery}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
