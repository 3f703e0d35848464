/** Prometheus metrics, on separate listeners that only the operator can reach. */
import type { RequestListener } from 'node:http';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Log } from '../core/log.ts';
import type { App } from './routes.ts';

/** A gauge that is read at each scrape; several values are labelled by name. */
export type Figure = { name: string; help: string; read(): Promise<number | ReadonlyMap<string, number>> };

/** Measures the app's requests. Returns the listener for `/metrics` and Synapse's path. */
export function createMetrics(app: App, figures: readonly Figure[], log: Log): RequestListener {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Duration of HTTP requests',
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
  // The route's pattern: paths name users and would be unlimited labels.
  app.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    requests.observe(
      { method, route: routeOptions.url ?? 'none', code: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });

  return async (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    if (!['/metrics', '/_synapse/metrics', '/_service/metrics'].includes(path)) {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    } catch (err) {
      log.error({ err }, "metrics: couldn't collect metrics:");
      response.writeHead(500).end();
    }
  };
}
