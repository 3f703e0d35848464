/** The HTTP side of the server: one Fastify app with every route in every dialect that is switched on. */
import type { IncomingMessage } from 'node:http';
import cors from '@fastify/cors';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyRequest } from 'fastify';
import { dialects } from '../../shared/dialect.ts';
import { consoleRoutes } from '../routes/console.ts';
import { healthRoutes } from '../routes/health.ts';
import { mounts } from '../routes/mounts.ts';
import { openApiRoutes } from '../routes/openapi.ts';
import type { Services } from '../services.ts';
import { authenticate, authenticateAdministrator } from './authentication.ts';
import { serializerCompiler, validatorCompiler } from './compilers.ts';
import { handleBadPath, handleErrors } from './errors.ts';
import { parseJsonBody } from './json-body.ts';
import { limitRate } from './limit-rate.ts';
import { invalidParameter } from './matrix-error.ts';
import { noteConnections } from './note-connection.ts';
import { describeRoutes } from './openapi.ts';
import { restrict } from './restrict.ts';
import type { App } from './routes.ts';

/**
 * The longest part of a path, in bytes: two such parts and a user fit into a row of an index, which in
 * PostgreSQL has room for 2,704.
 */
const maximumPathPart = 1024;

/**
 * Makes the app; nothing listens yet.
 *
 * @param observe gets the app before it has routes, to measure its requests
 */
export async function createApp(services: Services, observe: (app: App) => void): Promise<App> {
  const app: App = Fastify({
    forceCloseConnections: 'idle',
    // Routes of their own for HEAD would double the work of every start.
    exposeHeadRoutes: false,
    rewriteUrl: answerHeadLikeGet,
    frameworkErrors: handleBadPath,
    // Only what the proxy itself has added: before that stands whatever a client wrote.
    trustProxy: services.config.trustProxy ? (_address, hop) => hop === 0 : false,
    routerOptions: {
      maxParamLength: maximumPathPart,
      querystringParser: firstOfEach,
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    parseJsonBody(body),
  );
  handleErrors(app);
  observe(app);
  endConnectionsWhenClosing(app);
  const describe = describeRoutes(app);
  app.addHook('onRequest', async ({ params, headers }) => {
    for (const part of Object.values((params ?? {}) as Record<string, string>)) {
      if (Buffer.byteLength(part) > maximumPathPart) throw invalidParameter('A part of the path is too long');
    }
    // Nothing depends on the type of a body, so one that is malformed is as good as none.
    if (!/^[\w.+-]+\/[\w.+-]+ *(;|$)/.test(headers['content-type'] ?? '')) {
      headers['content-type'] = 'application/octet-stream';
    }
  });

  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
    allowedHeaders: ['X-Requested-With', 'Content-Type', 'Authorization', 'Date'],
    maxAge: 86_400,
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('X-Content-Type-Options', 'nosniff');
  });

  const noteSeen = noteConnections(services);
  for (const name of services.config.apiDialects) {
    const dialect = dialects[name];
    for (const { prefix, routes, administrators } of mounts(dialect)) {
      await app.register(
        async (scope: App) => {
          scope.addHook(
            'onRequest',
            administrators ? authenticateAdministrator(services) : authenticate(services),
          );
          scope.addHook('onRequest', limitRate(services));
          scope.addHook('onRequest', noteSeen);
          scope.addHook('preHandler', restrict(services, prefix));
          for (const resource of routes) resource(scope, services, dialect);
        },
        { prefix },
      );
    }
  }
  healthRoutes(app);
  openApiRoutes(app, services.config.apiDialects, describe);
  if (services.config.console) await consoleRoutes(app);
  return app;
}

/**
 * A response that is under way when the server begins to stop leaves its connection open for the next
 * request, which would keep the server from stopping until the client gives it up.
 */
function endConnectionsWhenClosing(app: App): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onResponse', async ({ raw }) => {
    if (closing) raw.socket.destroySoon();
  });
}

/** HEAD is GET without the reply's body, and Node leaves that out whatever the method is called later. */
function answerHeadLikeGet(request: IncomingMessage): string {
  if (request.method === 'HEAD') request.method = 'GET';
  return request.url ?? '/';
}

/** A query as an object; of a repeated parameter the first counts, as on the reference homeserver. */
function firstOfEach(query: string): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (!Object.hasOwn(parameters, name)) parameters[name] = value;
  }
  return parameters;
}
