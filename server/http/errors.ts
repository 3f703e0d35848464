/** How every failure becomes a reply, and what an unknown path gets. Interface: "Errors". */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDiskAway, isNoRoom } from '../core/disk-errors.ts';
import { MatrixError } from '../core/matrix-error.ts';
import { DatabaseFault } from '../database/fault.ts';
import type { App } from './routes.ts';

export function handleErrors(app: App): void {
  const methodsOf = routeMethods(app);

  app.setErrorHandler<FastifyError | MatrixError>((error, request, reply) => {
    if (error instanceof MatrixError) return send(reply, error);
    if (error.statusCode === 413) {
      return send(reply, new MatrixError(413, 'M_TOO_LARGE', 'The request body is too large'));
    }
    if (error.statusCode !== undefined && error.statusCode < 500) {
      return send(reply, new MatrixError(400, 'M_UNKNOWN', error.message));
    }
    const fault = faultReply(error);
    if (fault) {
      const where = `${request.method} ${request.routeOptions.url ?? '?'}:`;
      // Node's own words for a quota that is used up are the number of an unknown error.
      if (isNoRoom(error)) request.log.error(`${where} out of disk space (${error.message})`);
      else if (error instanceof DatabaseFault) request.log.error({ err: error }, where);
      else request.log.error(`${where} ${error.message}`);
      return send(reply.header('retry-after', retryAfter), fault);
    }
    // Whoever breaks off in the middle of a body has broken nothing here.
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

/** After how many seconds it is worth another try while database or disk can't be reached. */
const retryAfter = 2;

/** What the caller is told of a fault of the database or the disk: nobody but the operator can do anything about it. */
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

/** Refuses a path that can't be decoded, before there is a route to refuse it. */
export function handleBadPath(_error: FastifyError, _request: FastifyRequest, reply: FastifyReply) {
  reply.header('X-Content-Type-Options', 'nosniff');
  return send(reply, new MatrixError(400, 'M_INVALID_PARAM', 'Invalid path'));
}

function send(reply: FastifyReply, error: MatrixError) {
  const { retry_after_ms: wait } = error.details;
  if (typeof wait === 'number') reply.header('retry-after', Math.ceil(wait / 1000));
  return reply.status(error.status).type('application/json').serializer(JSON.stringify).send(error.body);
}

/** Gives a function that says which methods the path of a request has; none for an unknown path. */
function routeMethods(app: App): (request: FastifyRequest) => string[] {
  const added: { url: string; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    // Every path answers OPTIONS, so that says nothing of whether it is known.
    if (method !== 'OPTIONS') added.push({ url, methods: [method].flat() });
  });
  let routes: { path: RegExp; methods: string[] }[] | undefined;
  return ({ url }) => {
    const [path = ''] = url.split('?', 1);
    // Most servers are never asked for a path that they don't know.
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
