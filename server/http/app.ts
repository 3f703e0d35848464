/** The HTTP side of the server: one Fastify app with every route in every dialect that is switched on. */
import type { IncomingMessage } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyRequest, LogController } from 'fastify';
import { type Dialect, dialects } from '../../shared/dialect.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { createLimiter } from '../core/limiter.ts';
import { invalidParameter } from '../core/matrix-error.ts';
import { networkOf } from '../core/network.ts';
import { yieldToEventLoop } from '../core/yield.ts';
import type { Identify } from './authentication.ts';
import { requireBodyRate } from './body-rate.ts';
import { serializerCompiler, validatorCompiler } from './compilers.ts';
import { allowEveryOrigin } from './cors.ts';
import { countReads } from './count-reads.ts';
import { handleBadPath, handleErrors } from './errors.ts';
import { longBody, parseJsonBody } from './json-body.ts';
import { keepPolicies } from './keep-policies.ts';
import type { RateLimiters } from './rate-limiter.ts';
import type { App, Mount } from './routes.ts';
import { createSpellings, type Spellings } from './spellings.ts';
import { boundUnreadReplies } from './unread-replies.ts';

/**
 * The longest part of a path, in bytes: two such parts and a user fit into a row of an index, which in
 * PostgreSQL has room for 2,704.
 */
const maximumPathPart = 1024;

/** What the app is told by those who stand above it. */
export type AppOptions<Context> = {
  config: Pick<Config, 'apiDialects'>;
  clock: Clock;
  log: FastifyBaseLogger;
  /** What every route works with. */
  context: Context;
  mounts(dialect: Dialect): readonly Mount<Context>[];
  identify: Identify;
  /** Whether a token is one whose bearer has no limits. */
  isUnlimited(token: string): boolean;
  rateLimiters: RateLimiters;
  /** Notes from where a signed-in user calls. Runs after authentication. */
  noteConnection(request: FastifyRequest): void;
  /** Gets the app before it has routes, to measure its requests. */
  observe(app: App): void;
  /** Adds what stands outside of the dialects. */
  about(app: App, spellings: Spellings): Promise<void>;
};

/** Makes the app; nothing listens yet. */
export async function createApp<Context>(options: AppOptions<Context>): Promise<App> {
  const { config, context, mounts } = options;
  const [first, ...others] = config.apiDialects.map((name) => dialects[name]);
  if (!first) throw new Error('No API dialect is enabled');
  const spellings = createSpellings([first, ...others], mounts);
  const app: App = Fastify({
    loggerInstance: options.log,
    // Requests have a line of their own, when they have their reply.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    // Routes of their own for HEAD would double the work of every start.
    exposeHeadRoutes: false,
    // Nothing tells requests apart by a name.
    genReqId: () => '',
    rewriteUrl(request) {
      answerHeadLikeGet(request);
      return spellings.mounted(request.url ?? '/');
    },
    frameworkErrors: handleBadPath,
    // The compilers come below. Without a word of them here Fastify loads its own, which take a while and some memory.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // Only what the proxy itself has added: before that stands whatever a client wrote. A listener without a
    // proxy in front lets nothing of it through.
    trustProxy: (_address, hop) => hop === 0,
    routerOptions: {
      maxParamLength: maximumPathPart,
      querystringParser: firstOfEach,
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeAllContentTypeParsers();
  const longBodies = createLimiter({ perKey: 1 });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    // Several long ones may be complete in the same turn: whoever sends many has them read one after the other.
    await yieldToEventLoop();
    const value =
      body.length > longBody
        ? await longBodies.run(request.requester?.userId ?? networkOf(request.ip), () => parseJsonBody(body))
        : await parseJsonBody(body);
    // What took long to read is checked in a turn of its own.
    await yieldToEventLoop();
    return value;
  });
  handleErrors(app);
  allowEveryOrigin(app);
  boundUnreadReplies(app, options.clock);
  options.observe(app);
  requireBodyRate(app, options.clock);
  app.addHook('onRequest', ({ params, headers, method }, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
    const parts = (params ?? {}) as Record<string, string>;
    for (const name in parts) {
      const part = parts[name] ?? '';
      if (part.length * 3 > maximumPathPart && Buffer.byteLength(part) > maximumPathPart) {
        throw invalidParameter('A path segment is too long');
      }
    }
    const type = headers['content-type'];
    // Nothing depends on the type of a body, so one that is malformed is as good as none.
    if (type === undefined ? method !== 'GET' : !/^[\w.+-]+\/[\w.+-]+ *(;|$)/.test(type)) {
      headers['content-type'] = 'application/octet-stream';
    }
    done();
  });

  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Fastify adds a charset, which JSON doesn't have (RFC 8259, section 11): some clients then read no JSON.
    if (reply.getHeader('content-type') === 'application/json; charset=utf-8') reply.type('application/json');
    done();
  });

  countReads(app);
  keepPolicies(app, options);
  app.decorateRequest('dialect', {
    getter() {
      return spellings.dialectOf(this.originalUrl);
    },
  });
  const mounted = mounts(first);
  for (const { prefix, older, routes } of mounted) {
    const isNewer = !older && mounted.some((other) => other.older && other.prefix === prefix);
    await app.register(
      async (scope: App) => {
        if (isNewer) scope.addHook('onRoute', ({ url }) => spellings.addNew(url));
        scope.addHook('onRequest', (request, _reply, done) => {
          options.noteConnection(request);
          done();
        });
        for (const resource of routes) resource(scope, context);
      },
      { prefix },
    );
  }
  await options.about(app, spellings);
  return app;
}

function noCompiler(): never {
  throw new Error('schema compiled before the compilers were set');
}

/** HEAD is GET without the reply's body, and Node leaves that out whatever the method is called later. */
function answerHeadLikeGet(request: IncomingMessage): void {
  if (request.method === 'HEAD') request.method = 'GET';
}

/** A query as an object; of a repeated parameter the first counts, as on the reference homeserver. */
function firstOfEach(query: string): Record<string, string> {
  const parameters: Record<string, string> = {};
  if (query === '') return parameters;
  for (const [name, value] of new URLSearchParams(query)) {
    if (!Object.hasOwn(parameters, name)) parameters[name] = value;
  }
  return parameters;
}
