import { consoleRoutes } from './about/console-routes.ts';
import { healthRoutes } from './about/health-routes.ts';
import { openApiRoutes } from './about/openapi-routes.ts';
import { requireServiceVersion } from './accounts/external-service-version.ts';
import { identify } from './accounts/identify.ts';
import type { Config } from './config/config.ts';
import { ConfigurationError } from './config/configuration-error.ts';
import { cacheFigures } from './core/cache.ts';
import { type Clock, systemClock } from './core/clock.ts';
import { claimData } from './database/claim.ts';
import { createApp } from './http/app.ts';
import type { Metrics } from './http/metrics.ts';
import { logRequests } from './http/request-log.ts';
import { sweepMedia } from './media/delete-media.ts';
import { mounts } from './mounts.ts';
import { openServices, type Services } from './services.ts';
import { activeTasks } from './tasks/active-tasks.ts';

export type Homeserver = {
  /** Where it listens, such as `http://127.0.0.1:8008`; known once it has started. */
  readonly url: string;
  /** Where the figures for Prometheus are, if anywhere. */
  readonly metricsUrl: string | undefined;
  services: Services;
  start(): Promise<void>;
  /** Ends running requests and tasks at their next safe point and closes the database. */
  stop(): Promise<void>;
};

/** How often caches let go of what nobody asks for, in milliseconds. */
const evictionInterval = 60_000;

export type HomeserverOptions = {
  clock?: Clock;
  /** Gets a line for each request. */
  log?: (line: string) => void;
  /** Called where another has taken the data away from this server, which can do nothing more then but end. */
  whenClaimIsLost?: (reason: string) => void;
};

/**
 * Wires a homeserver from its configuration: database, keys, routes, tasks. It serves after `start`.
 *
 * @throws ConfigurationError where it can't run with this configuration
 */
export async function createHomeserver(
  config: Config,
  { clock = systemClock, log, whenClaimIsLost = () => {} }: HomeserverOptions = {},
): Promise<Homeserver> {
  if (config.externalAuthentication) await requireServiceVersion(config.externalAuthentication);
  const claim = await claimData(config);
  if (!claim) {
    throw new ConfigurationError(
      '--data-dir',
      `another homeserver is running on ${config.dataDir} or its database`,
      'stop that one, or use another directory',
    );
  }
  const services = await openServices(config, clock).catch(async (error: unknown) => {
    await claim.release();
    throw error;
  });
  claim.guard(services.db, whenClaimIsLost);
  const { createMetrics } = config.metrics ? await import('./http/metrics.ts') : {};
  let metrics: Metrics | undefined;
  const app = await createApp({
    config,
    context: services,
    mounts,
    identify: (credentials) => identify(services, credentials),
    rateLimiters: services.rateLimiters,
    async noteConnection({ requester, ip, headers }) {
      if (requester) services.lastSeen.note(requester, ip, headers['user-agent']);
    },
    observe(bare) {
      if (log) logRequests(bare, clock, log);
      if (config.metrics) {
        metrics = createMetrics?.(bare, config.metrics, [
          activeTasks(services.db),
          ...cacheFigures(services.caches),
        ]);
      }
    },
    async about(bare, describe) {
      healthRoutes(bare);
      openApiRoutes(bare, config.apiDialects, describe);
      if (config.console) await consoleRoutes(bare);
    },
  });
  let url = '';
  let cancelEviction = () => {};
  const evictIdle = () => {
    services.caches.evictIdle();
    cancelEviction = clock.after(evictionInterval, evictIdle);
  };

  return {
    get url() {
      return url;
    },
    get metricsUrl() {
      return metrics?.url();
    },
    services,
    async start() {
      await sweepMedia(services).catch(explainStoreFault(config));
      url = await app.listen({ host: config.host, port: config.port }).catch(explainListenFault(config));
      await metrics?.listen();
      services.tasks.start();
      evictIdle();
      services.backgroundUpdates.start();
    },
    async stop() {
      cancelEviction();
      await services.thumbnails.stop();
      await app.close();
      await services.lastSeen.stop();
      await metrics?.close();
      await services.tasks.stop();
      await services.backgroundUpdates.stop();
      await services.db.destroy();
      await claim.release();
    },
  };
}

const explainListenFault = (config: Config) => (error: NodeJS.ErrnoException) => {
  if (error.code === 'EADDRINUSE') {
    throw new ConfigurationError(
      '--port',
      `${config.host}:${config.port} is in use by another program`,
      'choose another port, or 0 for a free one',
    );
  }
  throw error;
};

const explainStoreFault = (config: Config) => (error: NodeJS.ErrnoException) => {
  if (error.path?.startsWith(config.mediaStorePath)) {
    throw new ConfigurationError(
      'media_store_path',
      `${config.mediaStorePath} can't be used (${error.code})`,
      'name a directory that this server may write to',
    );
  }
  throw error;
};
