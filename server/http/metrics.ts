/** Figures for Prometheus, on a listener of their own: they are nobody's business but the operator's. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ListenAddress } from '../config/listeners.ts';
import type { App } from './routes.ts';

/** A figure that a feature knows, read when it is asked for; where there are several of a kind, by their names. */
export type Figure = { name: string; help: string; read(): Promise<number | ReadonlyMap<string, number>> };

export type Metrics = {
  /** Where the figures are, once it listens. */
  url(): string;
  listen(): Promise<void>;
  close(): Promise<void>;
};

/** Measures the app's requests and offers the figures at `/metrics` and the reference's path for them. */
export function createMetrics(app: App, address: ListenAddress, figures: readonly Figure[]): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'How long requests took',
    labelNames: ['method', 'route', 'code'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  for (const { name, help, read } of figures) {
    new Gauge({
      name,
      help,
      labelNames: ['name'],
      registers: [registry],
      async collect() {
        const found = await read();
        if (typeof found === 'number') this.set(found);
        else for (const [each, value] of found) this.set({ name: each }, value);
      },
    });
  }
  // A route's pattern, never a path: paths name people, and there are endlessly many.
  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    requests.observe(
      { method, route: routeOptions.url ?? 'none', code: reply.statusCode },
      reply.elapsedTime / 1000,
    );
  });

  const server = createServer(async (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    if (!['/metrics', '/_synapse/metrics', '/_service/metrics'].includes(path)) {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    } catch (error) {
      process.stderr.write(`metrics: ${error instanceof Error ? error.stack : error}\n`);
      response.writeHead(500).end();
    }
  });
  return {
    url: () => `http://${address.host}:${(server.address() as AddressInfo).port}/metrics`,
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject).listen(address.port, address.host, resolve);
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
