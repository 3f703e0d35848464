import { getLog, type LogLine, logLevels, streamLog } from '../../shared/workbench/log.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { type Cause, causeOf } from '../http/request-log.ts';
import type { Routes } from '../http/routes.ts';
import { lastEventId, openEventStream } from './event-stream.ts';
import type { LiveLog } from './live-log.ts';
import { atWorkbench } from './policy.ts';

type Context = { config: Config; clock: Clock; stopping: AbortController; liveLog: LiveLog };

/** By the session of whoever watches, in the same program; or without any, as its page and that page's files are loaded. */
const isOwn = (cause: Cause | undefined, me: Cause) =>
  cause !== undefined &&
  cause.userAgent === me.userAgent &&
  (cause.isForConsole ||
    (cause.userId === undefined
      ? cause.method === 'GET' && cause.origin === me.origin
      : cause.userId === me.userId && cause.deviceId === me.deviceId));

export const logRoutes: Routes<Context> = (app, context) => {
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
    // As fast as they are read; what is written meanwhile comes after them.
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
