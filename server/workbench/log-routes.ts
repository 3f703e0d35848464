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
  app.get('/log/stream', { schema: streamLog, config: { policy } }, (request, reply) => {
    const least = logLevels.indexOf(request.query.level ?? 'debug');
    const send = (line: LogLine) => {
      if (logLevels.indexOf(line.level) >= least) stream.send('line', line.number, line);
    };
    const leave = context.liveLog.listen(send);
    const stream = openEventStream(request, reply, context, leave);
    const seen = lastEventId(request) ?? 0;
    for (const line of context.liveLog.last()) if (line.number > seen) send(line);
  });
};
