import { type Clock, systemClock } from './clock.ts';
import type { Config } from './config/config.ts';
import { ConfigurationError } from './config/configuration-error.ts';
import { createApp } from './http/app.ts';
import { openServices, type Services } from './services.ts';
import { claimDataDirectory } from './storage/claim.ts';

export type Homeserver = {
  /** Where it listens, such as `http://127.0.0.1:8008`; known once it has started. */
  readonly url: string;
  services: Services;
  start(): Promise<void>;
  /** Ends running requests and tasks at their next safe point and closes the database. */
  stop(): Promise<void>;
};

/**
 * Wires a homeserver from its configuration: database, keys, routes, tasks. It serves after `start`.
 *
 * @throws ConfigurationError where it can't run with this configuration
 */
export async function createHomeserver(config: Config, clock: Clock = systemClock): Promise<Homeserver> {
  const release = claimDataDirectory(config.dataDir);
  if (!release) {
    throw new ConfigurationError(
      '--data-dir',
      `another homeserver is running on ${config.dataDir}`,
      'stop that one, or use another directory',
    );
  }
  const services = await openServices(config, clock).catch((error: unknown) => {
    release();
    throw error;
  });
  const app = await createApp(services);
  let url = '';

  return {
    get url() {
      return url;
    },
    services,
    async start() {
      url = await app.listen({ host: config.host, port: config.port }).catch(explainListenFault(config));
      services.tasks.start();
    },
    async stop() {
      await app.close();
      await services.tasks.stop();
      await services.db.destroy();
      release();
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
