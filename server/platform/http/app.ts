/** The Fastify app with every route in every enabled dialect. */
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyRequest, LogController } from 'fastify';
import { type Dialect, dialects } from '../../../shared/dialect.ts';
import { createLimiter, type Limiter } from '../concurrency/limiter.ts';
import { yieldToEventLoop } from '../concurrency/yield.ts';
import type { Config } from '../config/config.ts';
import { invalidParameter } from '../core/matrix-error.ts';
import { networkOf } from '../core/network.ts';
import type { Identify } from './authentication.ts';
import { enforcePolicies } from './enforce-policies.ts';
import { allowEveryOrigin, handleBadPath, handleErrors } from './errors.ts';
import { createPathAliases, type PathAliases } from './path-aliases.ts';
import type { RateLimiters } from './rate-limiter.ts';
import { parseJsonBody } from './request-body.ts';
import type { App, Mount } from './routes.ts';
import { serializerCompiler, validatorCompiler } from './validation.ts';

/** In bytes. Two path segments and a user ID have to fit into an index row, which in PostgreSQL is limited to 2,704. */
const maximumPathPart = 1024;

/** Request bodies above this size take milliseconds to parse, in bytes. */
const longBody = 32_768;

export type AppOptions<Context> = {
  config: Pick<Config, 'apiDialects'>;
  log: FastifyBaseLogger;
  /** Passed to every route. */
  context: Context;
  mounts(dialect: Dialect): readonly Mount<Context>[];
  identify: Identify;
  /** Whether a token is exempt from rate limits. */
  isUnlimited(token: string): boolean;
  rateLimiters: RateLimiters;
  /** Records the address of a signed-in user. Runs after authentication. */
  noteConnection(request: FastifyRequest): void;
  /** Adds metrics hooks before the routes. */
  observe(app: App): void;
  /** Adds routes outside of the dialects. */
  about(app: App, pathAliases: PathAliases): Promise<void>;
};

export async function createApp<Context>(options: AppOptions<Context>): Promise<App> {
  const { config, context, mounts } = options;
  const [first, ...others] = config.apiDialects.map((name) => dialects[name]);
  if (!first) throw new Error('No API dialect is enabled');
  const pathAliases = createPathAliases([first, ...others], mounts);
  const app: App = Fastify({
    loggerInstance: options.log,
    // Replaced by the request log.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    // HEAD routes would double the work of every start.
    exposeHeadRoutes: false,
    // Unused.
    genReqId: () => '',
    rewriteUrl(request) {
      answerHeadLikeGet(request);
      return pathAliases.mounted(request.url ?? '/');
    },
    frameworkErrors: handleBadPath,
    // The compilers are set below. Without this Fastify loads its own, which takes time and memory.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // Trusts only the address that the proxy itself added; the rest comes from the client. Listeners without a proxy
    // remove these headers.
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
    const parse = async () => {
      await yieldToEventLoop();
      return parseJsonBody(body);
    };
    const caller = request.requester?.userId ?? networkOf(request.ip);
    const value = await (body.length > longBody ? parseInTurn(longBodies, caller, parse) : parse());
    // Validating a long body takes as long as parsing it.
    await yieldToEventLoop();
    return value;
  });
  handleErrors(app);
  allowEveryOrigin(app);
  options.observe(app);
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
    // Nothing depends on the content type, so a malformed one is treated as missing.
    if (type === undefined ? method !== 'GET' : !/^[\w.+-]+\/[\w.+-]+ *(;|$)/.test(type)) {
      headers['content-type'] = 'application/octet-stream';
    }
    done();
  });

  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Fastify adds a charset, which JSON doesn't have (RFC 8259, section 11) and some clients reject.
    if (reply.getHeader('content-type') === 'application/json; charset=utf-8') reply.type('application/json');
    done();
  });

  enforcePolicies(app, options);
  app.decorateRequest('dialect', {
    getter() {
      return pathAliases.dialectOf(this.originalUrl);
    },
  });
  const mounted = mounts(first);
  for (const { prefix, older, routes } of mounted) {
    const isNewer = !older && mounted.some((other) => other.older && other.prefix === prefix);
    await app.register(
      async (scope: App) => {
        if (isNewer) scope.addHook('onRoute', ({ url }) => pathAliases.addNew(url));
        scope.addHook('onRequest', (request, _reply, done) => {
          options.noteConnection(request);
          done();
        });
        for (const resource of routes) resource(scope, context);
      },
      { prefix },
    );
  }
  await options.about(app, pathAliases);
  return app;
}

function noCompiler(): never {
  throw new Error('schema compiled before the compilers were set');
}

/** Routes HEAD as GET. Node omits the body, as it has seen the method already. */
function answerHeadLikeGet(request: IncomingMessage): void {
  if (request.method === 'HEAD') request.method = 'GET';
}

/** Uses the first of repeated parameters, like Synapse. */
function firstOfEach(query: string): Record<string, string> {
  const parameters: Record<string, string> = {};
  if (query === '') return parameters;
  for (const [name, value] of new URLSearchParams(query)) {
    if (!Object.hasOwn(parameters, name)) parameters[name] = value;
  }
  return parameters;
}

/** Pause before a caller's next long body, as a multiple of this one's parsing time. */
const pauseFactor = 4;

/** Parses one long body of a caller at a time, with a pause after each for other requests. */
function parseInTurn(longBodies: Limiter, caller: string, parse: () => Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    longBodies.run(caller, async () => {
      const start = performance.now();
      await parse().then(resolve, reject);
      await wait(pauseFactor * (performance.now() - start), undefined, { ref: false });
    });
  });
}
