/** What testers and developers of clients look into the server with, unless the configuration goes without. */
import type { RequestListener } from 'node:http';
import type { LocalHost } from '../../shared/workbench/host.ts';
import { workbench } from '../../shared/workbench/paths.ts';
import type { Mount } from '../http/routes.ts';
import type { Services } from '../services.ts';
import { backupRoutes } from './backup-routes.ts';
import { configurationRoutes } from './configuration-routes.ts';
import { createFigures, type Figures } from './figures.ts';
import { figuresRoutes } from './figures-routes.ts';
import { hostRoutes } from './host-routes.ts';
import { createInspector, type Inspector } from './inspector.ts';
import { inspectorRoutes } from './inspector-routes.ts';
import { jwtRoutes } from './jwt-routes.ts';
import type { LiveLog } from './live-log.ts';
import { logRoutes } from './log-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { createSampleDataJobs, type SampleDataJobs } from './sample-data-job.ts';
import { sampleDataRoutes } from './sample-data-routes.ts';

export type Workbench = {
  inspector: Inspector;
  figures: Figures;
  liveLog: LiveLog;
  sampleData: SampleDataJobs;
  /** Undefined where nothing can start this server again. */
  host: LocalHost | undefined;
};

/** @returns undefined where the configuration goes without it */
export function createWorkbench(
  services: Services,
  liveLog: LiveLog,
  host: LocalHost | undefined,
): Workbench | undefined {
  if (services.config.workbench === 'nowhere') return undefined;
  return {
    liveLog,
    host,
    inspector: createInspector(services),
    figures: createFigures(services),
    sampleData: createSampleDataJobs(),
  };
}

/** The same in every dialect. */
export const mountsOf = (parts: Workbench): Mount<Services>[] => [
  {
    prefix: workbench,
    routes: [
      (app, services) => {
        const context = { ...services, ...parts };
        app.addHook('preHandler', ({ raw, requester }, _reply, done) => {
          if (requester) parts.inspector.noteLooker(raw, requester.userId);
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
      },
    ],
  },
];

/** What answers requests in place of `answer`, for those who look into the server. */
export const lookingInto = ({ figures, inspector }: Workbench, answer: RequestListener): RequestListener =>
  figures.over(inspector.over(answer));
