import { getLog, type LogLine, logLevels, streamLog } from '../../shared/workbench/log.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Routes } from '../http/routes.ts';
import { lastEventId, openEventStream } from './event-stream.ts';
import type { LiveLog } from './live-log.ts';
import { atWorkbench } from './policy.ts';

type Context = { config: Config; clock: Clock; stopping: AbortController; liveLog: LiveLog };

export const logRoutes: Routes<Context> = (app, context) => {
  const policy = atWorkbench(context.config);

  app.get('/log', { schema: getLog, config: { policy } }, () => ({ level: context.liveLog.level }));
  app.get('/log/stream', { schema: streamLog, config: { policy } }, async (request, reply) => {
    const least = logLevels.indexOf(request.query.level ?? 'debug');
    let seen = lastEventId(request) ?? 0;
    let leave = () => {};
    const stream = openEventStream(request, reply, context, () => leave());
    const send = (line: LogLine) => {
      if (logLevels.indexOf(line.level) >= least) stream.send('line', line.number, line);
    };
    const unseen = () => context.liveLog.last().filter(({ number }) => number > seen);
    // As fast as they are read; what is written meanwhile comes after them.
    for (let lines = unseen(); stream.isOpen && lines.length > 0; lines = unseen()) {
      for (const line of lines) {
        send(line);
        seen = line.number;
        await stream.drained();
      }
    }
    if (stream.isOpen) leave = context.liveLog.listen(send);
    return reply;
  });
};
