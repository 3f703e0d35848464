import { getSampleData, startSampleData, stopSampleData } from '../../shared/workbench/sample-data.ts';
import type { Routes } from '../http/routes.ts';
import { atWorkbench } from './policy.ts';
import type { JobContext, SampleDataJobs } from './sample-data-job.ts';

export const sampleDataRoutes: Routes<JobContext & { sampleData: SampleDataJobs }> = (app, context) => {
  const policy = atWorkbench(context.config);
  const { sampleData } = context;

  app.get('/sample-data', { schema: getSampleData, config: { policy } }, () => sampleData.state);
  app.post('/sample-data', { schema: startSampleData, config: { policy } }, ({ body }) =>
    sampleData.start(context, { reports: body.reports, users: body.users }),
  );
  app.delete('/sample-data', { schema: stopSampleData, config: { policy } }, () => sampleData.stop());
};
