/** The HTTP side of the server: one Fastify app with every route in every dialect that is switched on. */
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
import { noteConnections } from './note-connection.ts';
import { describeRoutes } from './openapi.ts';
import { restrict } from './restrict.ts';
import type { App } from './routes.ts';

/**
 * Makes the app; nothing listens yet.
 *
 * @param observe gets the app before it has routes, to measure its requests
 */
export async function createApp(services: Services, observe: (app: App) => void): Promise<App> {
  const app: App = Fastify({
    forceCloseConnections: 'idle',
    frameworkErrors: handleBadPath,
    trustProxy: services.config.trustProxy,
    routerOptions: {
      maxParamLength: 1024,
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
  app.addHook('onRequest', async ({ headers }) => {
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

/** A query as an object; of a repeated parameter the first counts, as on the reference homeserver. */
function firstOfEach(query: string): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (!Object.hasOwn(parameters, name)) parameters[name] = value;
  }
  return parameters;
}
