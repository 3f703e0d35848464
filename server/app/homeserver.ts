import type { IncomingMessage, RequestListener } from 'node:http';
import type { FastifyBaseLogger, RouteOptions } from 'fastify';
import { dialects } from '../../shared/dialect.ts';
import type { LocalHost } from '../../shared/workbench/host.ts';
import { healthRoutes, wellKnownRoutes } from '../administration/about/discovery-routes.ts';
import { collectRoutes, inDialect } from '../administration/about/openapi.ts';
import { openApiRoutes } from '../administration/about/openapi-routes.ts';
import { endpointRoutes } from '../administration/about/version-routes.ts';
import type { Testing } from '../administration/testing/testing.ts';
import { createLiveLog } from '../administration/workbench/live-log.ts';
import {
  createWorkbench,
  mountsOf,
  recordRequests,
  type Workbench,
} from '../administration/workbench/workbench.ts';
import { requireServiceVersion } from '../identity/login/external-discovery.ts';
import { sweepMedia } from '../identity/media/delete-media.ts';
import { identify } from '../identity/sessions/identify.ts';
import { findSession } from '../identity/sessions/session-store.ts';
import { claimData } from '../platform/cluster/claim.ts';
import type { Claim } from '../platform/cluster/ownership.ts';
import { noteServingUrl } from '../platform/cluster/serving-url.ts';
import type { Config } from '../platform/config/config.ts';
import { ConfigurationError } from '../platform/config/configuration-error.ts';
import { cacheFigures } from '../platform/core/cache.ts';
import { type Clock, systemClock } from '../platform/core/clock.ts';
import { createLog, type WriteLine, warningsToStandardError } from '../platform/core/log.ts';
import { tokenHash } from '../platform/core/secrets.ts';
import { createApp } from '../platform/http/app.ts';
import { listen } from '../platform/http/listen.ts';
import type { Figure } from '../platform/http/metrics.ts';
import { logRequests } from '../platform/http/request-log.ts';
import type { App } from '../platform/http/routes.ts';
import { listensHereOnly } from '../platform/http/this-machine.ts';
import { countActiveTasks } from '../platform/tasks/scheduled-task-store.ts';
import { consoleRoutes } from './console-routes.ts';
import { mounts } from './mounts.ts';
import { openServices, type Services } from './services.ts';

export type Homeserver = {
  /** First address that it listens on, such as `http://127.0.0.1:8008`; known after the start. */
  readonly url: string;
  /** All addresses that it listens on. */
  readonly urls: readonly string[];
  /** URL of the Prometheus metrics, if any. */
  readonly metricsUrl: string | undefined;
  services: Services;
  /** @throws ConfigurationError if it can't listen; everything is closed then */
  start(): Promise<void>;
  /** Stops tasks and updates at their next safe point, finishes running requests, and closes the database. */
  stop(): Promise<void>;
};

/** How often expired cache entries are deleted, in milliseconds. */
const evictionInterval = 60_000;

export type HomeserverOptions = {
  clock?: Clock;
  /** Receives the log; by default, warnings and errors go to standard error. */
  log?: WriteLine;
  /** Whether other processes listen on the same ports. */
  sharesPorts?: boolean | undefined;
  /** The program that can restart or reset this server, if any. */
  host?: LocalHost | undefined;
  /** Whether a tester on this computer started it: records requests from the start unless other computers can connect. */
  isBench?: boolean | undefined;
  /** Operations of a temporary server's test API. */
  testing?: Testing | undefined;
  /** Replaces `listen`, if one port serves one homeserver after the other. */
  listen?: typeof listen | undefined;
  /** Called when another server has taken over the data; this one must exit. */
  whenClaimIsLost?: (reason: string) => void;
};

/**
 * Creates a homeserver from its configuration. It serves after `start`. Resources are closed in reverse order, also if it
 * can't start.
 *
 * @throws ConfigurationError if it can't run with this configuration
 */
export async function createHomeserver(
  config: Config,
  {
    clock = systemClock,
    log: write,
    sharesPorts,
    host,
    isBench = false,
    testing,
    listen: listenForClients = listen,
    whenClaimIsLost = () => {},
  }: HomeserverOptions = {},
): Promise<Homeserver> {
  if (config.externalAuthentication) await requireServiceVersion(config.externalAuthentication);
  const level = write ? config.log.level : 'warn';
  const liveLog = createLiveLog(level);
  const log = createLog({ ...config.log, level }, clock, (line, said) => {
    (write ?? warningsToStandardError)(line, said);
    liveLog.add(line);
  });
  const opened = new AsyncDisposableStack();
  const closeAll = async (error: unknown): Promise<never> => {
    await opened.disposeAsync();
    throw error;
  };

  async function open() {
    const claim = await requireClaim(config);
    opened.defer(() => claim.release());
    const services = await openServices(config, clock, log);
    opened.defer(() => services.db.destroy());
    opened.defer(() => services.waiting.idle());
    opened.defer(() => services.lastSeen.stop());
    opened.defer(() => services.mediaAccess.stop());
    opened.defer(() => services.typing.stop());
    opened.defer(() => services.presence.stop());
    await claim.agreeOnKey(services.signingKey.publicKey);
    claim.guard(services.db, { log, notifier: services.notifier, whenLost: whenClaimIsLost });
    const { createMetrics } =
      config.metricsListeners.length > 0 ? await import('../platform/http/metrics.ts') : {};
    let figures: RequestListener | undefined;
    const workbench = createWorkbench(services, liveLog, host, testing);
    if (isBench && listensHereOnly(config.listeners)) workbench?.inspector.turn(true);
    const app = await createHomeserverApp(services, workbench, log, (bare) => {
      if (log.isLevelEnabled('info')) logRequests(bare, liveLog.about);
      figures = createMetrics?.(bare, [activeTasks(services), ...cacheFigures(services.caches)], log);
    });
    opened.defer(() => app.close());
    await app.ready();
    return { claim, services, app, figures, workbench };
  }
  const { claim, services, app, figures, workbench } = await open().catch(closeAll);
  let urls: string[] = [];
  let metricsUrl: string | undefined;

  const withFaults = (answer: RequestListener) =>
    testing?.faults.over(answer, async (request) => {
      const userId = await userOf(services, request);
      if (userId !== undefined) workbench?.inspector.noteCaller(request, userId);
      return userId;
    }) ?? answer;

  async function start() {
    await sweepMedia(services).catch(explainStoreFault(config));
    const answer = workbench ? recordRequests(workbench, withFaults(app.routing)) : app.routing;
    const serving = await listenForClients(config.listeners, answer, {
      clock,
      log,
      sharesPorts,
    });
    urls = serving.urls;
    opened.defer(() => serving.close());
    if (urls[0] !== undefined) opened.defer(noteServingUrl(config.dataDir, urls[0]));
    opened.defer(() => services.thumbnails.stop());
    opened.defer(() => services.stopping.abort());
    opened.defer(() => services.waiting.stop());
    if (figures) {
      const showing = await listen(config.metricsListeners, figures, { clock, log });
      metricsUrl = `${showing.urls[0]}/metrics`;
      opened.defer(() => showing.close());
    }
    opened.defer(() => services.databaseClock.stop());
    services.databaseClock.start();
    opened.defer(() => services.tasks.stop());
    services.tasks.start(claim);
    opened.defer(evictRegularly(services));
    opened.defer(() => services.pushDelivery.stop());
    services.pushDelivery.start(claim);
    opened.defer(() => services.appServiceDelivery.stop());
    services.appServiceDelivery.start(claim);
    services.typing.start();
    services.presence.start();
    opened.defer(() => services.backgroundUpdates.stop());
    services.backgroundUpdates.start(claim);
    opened.defer(() => services.searchIndex.stop());
    services.searchIndex.start();
    opened.defer(async () => void (await workbench?.sampleData.stop()));
    opened.defer(() => workbench?.figures.stop());
    workbench?.figures.start();
  }

  return {
    get url() {
      return urls[0] ?? '';
    },
    get urls() {
      return urls;
    },
    get metricsUrl() {
      return metricsUrl;
    },
    services,
    start: () => start().catch(closeAll),
    stop() {
      claim.hurry();
      return opened.disposeAsync();
    },
  };
}

/** @throws ConfigurationError if another process serves this data exclusively */
async function requireClaim(config: Config): Promise<Claim> {
  const claim = await claimData(config);
  if (claim) return claim;
  throw new ConfigurationError(
    '--data-dir',
    `another homeserver is using ${config.dataDir} or its database`,
    'stop it or choose another directory',
  );
}

function createHomeserverApp(
  services: Services,
  workbench: Workbench | undefined,
  log: FastifyBaseLogger,
  observe: (app: App) => void,
) {
  const { config, rateLimiters } = services;
  let routes: readonly RouteOptions[] = [];
  return createApp({
    config,
    log,
    context: services,
    mounts: (dialect) => [...mounts(dialect), ...(workbench ? mountsOf(workbench) : [])],
    identify: (credentials) => identify(services, credentials),
    isUnlimited: (token) => services.appServices.findByToken(token)?.config.rateLimited === false,
    rateLimiters,
    noteConnection({ requester, ip, headers, raw }) {
      if (!requester) return;
      services.lastSeen.note(requester, ip, headers['user-agent']);
      if (workbench?.inspector.isOn) workbench.inspector.noteCaller(raw, requester.userId);
    },
    observe(bare) {
      observe(bare);
      routes = collectRoutes(bare);
    },
    async about(bare, pathAliases) {
      healthRoutes(bare);
      wellKnownRoutes(bare, config.wellKnownClient);
      const [main = 'vendor'] = config.apiDialects;
      endpointRoutes(bare, dialects[main], routes);
      openApiRoutes(bare, config.apiDialects, (dialect) => inDialect(routes, pathAliases, dialect));
      if (config.console) await consoleRoutes(bare);
    },
  });
}

/** Returns the user whose token a request has, valid or expired. */
async function userOf({ db, appServices }: Services, { headers, url = '' }: IncomingMessage) {
  const [, inHeader] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const token = inHeader ?? new URLSearchParams(url.split('?')[1]).get('access_token');
  if (!token) return undefined;
  const session = await findSession(db, tokenHash(token));
  return session?.userId ?? appServices.findByToken(token)?.senderUserId;
}

const activeTasks = ({ db }: Services): Figure => ({
  name: 'gatehouse_scheduled_tasks_active',
  help: 'Running background tasks',
  read: () => countActiveTasks(db),
});

/** Returns the function that stops it. */
function evictRegularly({ caches, clock }: Services): () => void {
  let cancel = () => {};
  const evict = () => {
    caches.evictIdle();
    cancel = clock.after(evictionInterval, evict);
  };
  evict();
  return () => cancel();
}

const explainStoreFault = (config: Config) => (error: NodeJS.ErrnoException) => {
  if (error.path?.startsWith(config.mediaStorePath)) {
    throw new ConfigurationError(
      'media_store_path',
      `can't use ${config.mediaStorePath} (${error.code})`,
      'choose a writable directory',
    );
  }
  throw error;
};
