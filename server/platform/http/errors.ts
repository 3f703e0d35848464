/** Error replies and CORS headers. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDiskAway, isNoRoom } from '../core/files.ts';
import { MatrixError } from '../core/matrix-error.ts';
import { DatabaseFault } from '../database/fault.ts';
import type { App } from './routes.ts';

const preflight = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': 'X-Requested-With, Content-Type, Authorization, Date',
  'Access-Control-Max-Age': '86400',
  'Content-Length': '0',
};

/**
 * Sets the CORS header for every origin: requests are authorized by their token, which browsers never send on their
 * own. Answers all OPTIONS requests; returns true if it did.
 */
function answerPreflight({ method }: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('access-control-allow-origin', '*');
  if (method !== 'OPTIONS') return false;
  reply.status(204).headers(preflight).send();
  return true;
}

/** Call before adding hooks that refuse requests: a page can only read a refusal that has the header. */
export function allowEveryOrigin(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!answerPreflight(request, reply)) done();
  });
}

/** Sends error replies, including those for unknown paths and methods. */
export function handleErrors(app: App): void {
  const methodsOf = routeMethods(app);

  app.setErrorHandler<FastifyError | MatrixError>((error, request, reply) => {
    if (error instanceof MatrixError) {
      // Fastify closes the connection after a malformed body, even if it was read to its end.
      if (request.raw.complete) reply.removeHeader('connection');
      return send(reply, error);
    }
    if (error.statusCode === 413) {
      return send(reply, new MatrixError(413, 'M_TOO_LARGE', 'The request body is too large'));
    }
    if (error.statusCode !== undefined && error.statusCode < 500) {
      return send(reply, new MatrixError(400, 'M_UNKNOWN', error.message));
    }
    const fault = faultReply(error);
    if (fault) {
      const where = `${request.method} ${request.routeOptions.url ?? '?'}:`;
      // For a used-up quota Node's message is only an error number.
      if (isNoRoom(error)) request.log.error(`${where} out of disk space (${error.message})`);
      else if (error instanceof DatabaseFault) request.log.error({ err: error }, where);
      else request.log.error(`${where} ${error.message}`);
      return send(reply.header('retry-after', retryAfter), fault);
    }
    // An aborted request body isn't a server error.
    if (!request.raw.destroyed || request.raw.complete) {
      request.log.error({ err: error }, `${request.method} ${request.routeOptions.url ?? '?'}:`);
    }
    return send(reply, new MatrixError(500, 'M_UNKNOWN', 'Internal server error'));
  });

  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf(request);
    if (methods.length === 0) return send(reply, unrecognized(404));
    return send(reply.header('allow', methods.join(', ')), unrecognized(405));
  });
}

/** Seconds until clients retry while the database or disk is unavailable. */
const retryAfter = 2;

/** Returns the reply for a fault of the database or disk, which only the operator can fix. */
function faultReply(error: Error): MatrixError | undefined {
  if (isNoRoom(error)) return noRoom;
  if (isDiskAway(error)) return unavailable;
  if (!(error instanceof DatabaseFault)) return undefined;
  return error.kind === 'full' ? noRoom : unavailable;
}

const noRoom = new MatrixError(
  507,
  'M_RESOURCE_LIMIT_EXCEEDED',
  'The server is out of disk space. Contact the server administrator.',
);
const unavailable = new MatrixError(
  503,
  'M_UNKNOWN',
  "The server can't access its data. Try again in a few seconds.",
);

const unrecognized = (status: number) => new MatrixError(status, 'M_UNRECOGNIZED', 'Unrecognized request');

/** Refuses a path that Fastify can't route because it is malformed or too long. No hook has run by then. */
export function handleBadPath(_error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (answerPreflight(request, reply)) return;
  reply.header('X-Content-Type-Options', 'nosniff');
  return send(reply, new MatrixError(400, 'M_INVALID_PARAM', 'Invalid path'));
}

function send(reply: FastifyReply, error: MatrixError) {
  const { retry_after_ms: wait } = error.details;
  if (typeof wait === 'number') reply.header('retry-after', Math.ceil(wait / 1000));
  return reply.status(error.status).type('application/json').serializer(JSON.stringify).send(error.body);
}

/** Returns a function that returns the methods of a request's path; none for an unknown path. */
function routeMethods(app: App): (request: FastifyRequest) => string[] {
  const added: { url: string; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    added.push({ url, methods: [method].flat() });
  });
  let routes: { path: RegExp; methods: string[] }[] | undefined;
  return ({ url }) => {
    const [path = ''] = url.split('?', 1);
    // Lazily: most servers never get a request for an unknown path.
    routes ??= added.map((route) => ({ path: patternOf(route.url), methods: route.methods }));
    return [...new Set(routes.filter((route) => route.path.test(path)).flatMap((route) => route.methods))];
  };
}

function patternOf(url: string): RegExp {
  const pattern = url
    .replaceAll(/[.+?^$()|[\]\\{}]/g, '\\$&')
    .replaceAll(/:[^/]+/g, '[^/]+')
    .replaceAll('*', '.*');
  return new RegExp(`^${pattern}$`);
}
