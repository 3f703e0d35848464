import { getFigures } from '../../../shared/workbench/figures.ts';
import {
  deleteInspected,
  getInspector,
  type InspectedRequest,
  keptRequests,
  listInspected,
  putInspector,
  streamInspected,
} from '../../../shared/workbench/inspector.ts';
import { getLog, type LogLine, logLevels, streamLog } from '../../../shared/workbench/log.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { atWorkbench } from '../../platform/http/policy.ts';
import { type Cause, causeOf } from '../../platform/http/request-log.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { matchesPath, matchesUser } from '../testing/faults.ts';
import { lastEventId, openEventStream } from './event-stream.ts';
import type { Figures } from './figures.ts';
import type { Inspector } from './inspector.ts';
import type { LiveLog } from './live-log.ts';

type Context = { config: Config; clock: Clock; stopping: AbortController };

/** Requests written to a stream before waiting for the client to read. */
const batchSize = 20;

export const inspectorRoutes: Routes<Context & { inspector: Inspector }> = (app, context) => {
  const { config, inspector, stopping } = context;
  const policy = atWorkbench(config);
  const state = () => ({ on: inspector.isOn, kept: inspector.kept });

  app.get('/inspector', { schema: getInspector, config: { policy } }, state);
  app.put('/inspector', { schema: putInspector, config: { policy } }, ({ body }) => {
    inspector.turn(body.on);
    return state();
  });
  app.get('/inspector/requests', { schema: listInspected, config: { policy } }, async ({ query }, reply) => {
    const { after, limit, count, timeout } = query;
    if (
      ![query.path, query.method, query.user, query.status].some((part) => part !== undefined) &&
      !timeout
    ) {
      const requests = await inspector.after(after, limit);
      return { requests, next: requests.at(-1)?.number ?? after };
    }
    const isOver = AbortSignal.any([AbortSignal.timeout(timeout), stopping.signal]);
    const found: InspectedRequest[] = [];
    for (let next = after; ; ) {
      const requests = await inspector.after(next, keptRequests);
      next = requests.at(-1)?.number ?? next;
      found.push(...requests.filter((request) => isWanted(request, query)));
      if (found.length >= Math.min(count, limit) || isOver.aborted || reply.raw.destroyed) {
        const requests = found.slice(0, limit);
        return { requests, next: found.length > limit ? (requests.at(-1)?.number ?? next) : next };
      }
      await nextRequest(inspector, next, isOver);
    }
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

function isWanted(
  request: InspectedRequest,
  { path, method, user, status }: { path?: string; method?: string; user?: string; status?: number },
): boolean {
  return (
    (path === undefined || matchesPath(path, request.path)) &&
    (method === undefined || method.toUpperCase() === request.method) &&
    (user === undefined || matchesUser(user, request.user_id)) &&
    (status === undefined || status === request.reply.status)
  );
}

/** Resolves after the next request, or when the signal is aborted. */
function nextRequest(inspector: Inspector, after: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      leave();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const leave = inspector.listen(after, end);
    signal.addEventListener('abort', end);
  });
}

/** Whether the watching console caused a line: by its session, or while loading its page and files. */
const isOwn = (cause: Cause | undefined, me: Cause) =>
  cause !== undefined &&
  cause.userAgent === me.userAgent &&
  (cause.isForConsole ||
    (cause.userId === undefined
      ? cause.method === 'GET' && cause.origin === me.origin
      : cause.userId === me.userId && cause.deviceId === me.deviceId));

export const logRoutes: Routes<Context & { liveLog: LiveLog }> = (app, context) => {
  const policy = atWorkbench(context.config);

  app.get('/log', { schema: getLog, config: { policy } }, () => ({ level: context.liveLog.level }));
  app.get('/log/stream', { schema: streamLog, config: { policy } }, async (request, reply) => {
    const { level = 'debug', own = true } = request.query;
    const least = logLevels.indexOf(level);
    const me = causeOf(request);
    let seen = lastEventId(request) ?? 0;
    let leave = () => {};
    const stream = openEventStream(request, reply, context, () => leave());
    const isWanted = (line: LogLine, cause: Cause | undefined) =>
      logLevels.indexOf(line.level) >= least && (own || !isOwn(cause, me));
    const send = (line: LogLine) => stream.send('line', line.number, line);
    const unseen = () => context.liveLog.last((line, cause) => line.number > seen && isWanted(line, cause));
    // At the client's pace. Lines logged in the meantime follow.
    for (let lines = unseen(); stream.isOpen && lines.length > 0; lines = unseen()) {
      for (const line of lines) {
        send(line);
        seen = line.number;
        await stream.drained();
      }
    }
    if (!stream.isOpen) return reply;
    leave = context.liveLog.listen((line, cause) => {
      if (isWanted(line, cause)) send(line);
    });
    return reply;
  });
};

export const figuresRoutes: Routes<{ config: Config; figures: Figures }> = (app, { config, figures }) => {
  app.get('/figures', { schema: getFigures, config: { policy: atWorkbench(config) } }, ({ query }) => ({
    points: figures.points(query.after ?? 0),
  }));
};
