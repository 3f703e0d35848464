/** Figures for Prometheus, on a listener of their own: they are nobody's business but the operator's. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ListenAddress } from '../config/config.ts';
import type { Services } from '../services.ts';
import { listTasks } from '../storage/scheduled-tasks.ts';
import type { App } from './routes.ts';

export type Metrics = {
  /** Where the figures are, once it listens. */
  url(): string;
  listen(): Promise<void>;
  close(): Promise<void>;
};

/** Measures the app's requests and offers the figures at `/metrics` and the reference's path for them. */
export function createMetrics(app: App, { db }: Services, address: ListenAddress): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'How long requests took',
    labelNames: ['method', 'route', 'code'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'gatehouse_scheduled_tasks_active',
    help: 'Background tasks that are at work',
    registers: [registry],
    async collect() {
      this.set((await listTasks(db, { status: 'active' })).length);
    },
  });
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
      const figures = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(figures);
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
