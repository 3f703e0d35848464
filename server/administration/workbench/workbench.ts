/** The developer tools: API under `/_gatehouse/v1`, unless `workbench: nowhere` is configured. */
import type { RequestListener } from 'node:http';
import type { LocalHost } from '../../../shared/workbench/host.ts';
import { workbench } from '../../../shared/workbench/paths.ts';
import type { Waiting } from '../../conversation/sync/waiting.ts';
import type { JwtVerifier } from '../../identity/login/jwt.ts';
import type { Log } from '../../platform/core/log.ts';
import type { Mount } from '../../platform/http/routes.ts';
import type { Testing } from '../testing/testing.ts';
import { testingRoutes } from '../testing/testing-routes.ts';
import { configurationRoutes } from './configuration-routes.ts';
import { createFigures, type Figures } from './figures.ts';
import { backupRoutes, hostRoutes } from './host-routes.ts';
import { createInspector, type Inspector } from './inspector.ts';
import { jwtRoutes } from './jwt-routes.ts';
import type { LiveLog } from './live-log.ts';
import { figuresRoutes, inspectorRoutes, logRoutes } from './monitoring-routes.ts';
import { createSampleDataJobs, type JobContext, type SampleDataJobs } from './sample-data-job.ts';
import { peopleRoutes, sampleDataRoutes } from './test-data-routes.ts';

type Context = JobContext & {
  log: Log;
  jwtVerifier: JwtVerifier | undefined;
  waiting: Pick<Waiting, 'underWay'>;
};

export type Workbench = {
  inspector: Inspector;
  figures: Figures;
  liveLog: LiveLog;
  sampleData: SampleDataJobs;
  /** Undefined if no program can restart this server. */
  host: LocalHost | undefined;
  /** Undefined unless this server is temporary. */
  testing: Testing | undefined;
};

/** Returns undefined if the developer tools are off. */
export function createWorkbench(
  context: Context,
  liveLog: LiveLog,
  host: LocalHost | undefined,
  testing: Testing | undefined,
): Workbench | undefined {
  if (context.config.workbench === 'nowhere') return undefined;
  return {
    liveLog,
    host,
    testing,
    inspector: createInspector(context),
    figures: createFigures(context),
    sampleData: createSampleDataJobs(),
  };
}

/** The same in every dialect. */
export const mountsOf = (parts: Workbench): Mount<Context>[] => [
  {
    prefix: workbench,
    routes: [
      (app, given) => {
        const context = { ...given, ...parts };
        app.addHook('preHandler', ({ raw, requester }, _reply, done) => {
          if (requester) parts.inspector.noteConsole(raw, requester.userId);
          done();
        });
        jwtRoutes(app, context);
        inspectorRoutes(app, context);
        logRoutes(app, context);
        figuresRoutes(app, context);
        configurationRoutes(app, context);
        peopleRoutes(app, context);
        sampleDataRoutes(app, context);
        backupRoutes(app, context);
        if (parts.host) hostRoutes(app, { ...context, host: parts.host });
        if (parts.testing) testingRoutes(app, { ...context, testing: parts.testing });
      },
    ],
  },
];

/** Wraps a request listener to record its requests. */
export const recordRequests = ({ figures, inspector }: Workbench, answer: RequestListener): RequestListener =>
  figures.over(inspector.over(answer));
