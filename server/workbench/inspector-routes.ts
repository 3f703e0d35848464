import {
  deleteInspected,
  getInspector,
  type InspectedRequest,
  keptRequests,
  listInspected,
  putInspector,
  streamInspected,
} from '../../shared/workbench/inspector.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Routes } from '../http/routes.ts';
import { lastEventId, openEventStream } from './event-stream.ts';
import type { Inspector } from './inspector.ts';
import { atWorkbench } from './policy.ts';

type Context = { config: Config; clock: Clock; stopping: AbortController; inspector: Inspector };

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
    const after = lastEventId(request) ?? request.query.after ?? 0;
    const kept = await inspector.after(after, keptRequests);
    const send = (each: InspectedRequest) => stream.send('request', each.number, each);
    const leave = inspector.listen(kept.at(-1)?.number ?? after, send);
    const stream = openEventStream(request, reply, context, leave);
    for (const each of kept) send(each);
    return reply;
  });
};
