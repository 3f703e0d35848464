import {
  deleteInspected,
  getInspector,
  type InspectedRequest,
  keptRequests,
  listInspected,
  putInspector,
  streamInspected,
} from '../../../shared/workbench/inspector.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { lastEventId, openEventStream } from './event-stream.ts';
import type { Inspector } from './inspector.ts';
import { atWorkbench } from './policy.ts';

type Context = { config: Config; clock: Clock; stopping: AbortController; inspector: Inspector };

/** Requests written to a stream before waiting for the client to read. */
const batchSize = 20;

export const inspectorRoutes: Routes<Context> = (app, context) => {
  const { config, inspector } = context;
  const policy = atWorkbench(config);
  const state = () => ({ on: inspector.isOn, kept: inspector.kept });

  app.get('/inspector', { schema: getInspector, config: { policy } }, state);
  app.put('/inspector', { schema: putInspector, config: { policy } }, ({ body }) => {
    inspector.turn(body.on);
    return state();
  });
  app.get('/inspector/requests', { schema: listInspected, config: { policy } }, async ({ query }) => {
    const requests = await inspector.after(query.after, query.limit);
    return { requests, next: requests.at(-1)?.number ?? query.after };
  });
  app.delete('/inspector/requests', { schema: deleteInspected, config: { policy } }, () => {
    inspector.forget();
    return {};
  });
  app.get('/inspector/stream', { schema: streamInspected, config: { policy } }, async (request, reply) => {
    let seen = lastEventId(request) ?? request.query.after ?? 0;
    let leave = () => {};
    const stream = openEventStream(request, reply, context, () => leave());
    const send = (each: InspectedRequest) => stream.send('request', each.number, each);
    // At the client's pace, up to as many as are kept. The inspector sends the rest.
    for (let sent = 0; stream.isOpen && sent < keptRequests; ) {
      const batch = await inspector.after(seen, batchSize);
      if (batch.length === 0) break;
      batch.forEach(send);
      sent += batch.length;
      seen = batch.at(-1)?.number ?? seen;
      await stream.drained();
    }
    if (stream.isOpen) leave = inspector.listen(seen, send);
    return reply;
  });
};
