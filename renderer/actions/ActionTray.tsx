import { useEffect, useSyncExternalStore } from 'react';
import { useConsole, useServer } from '../console-context.ts';
import { offerUndosOfDone } from './announce.tsx';
import { followColleagues } from './colleague-news.ts';
import { JobRows } from './JobRows.tsx';
import { jobsOf } from './jobs/job-store.ts';

/** What takes long, or went wrong, on whatever screen it was begun: at the bottom of each. */
export function ActionTray() {
  const server = useServer();
  const { queryClient, deletedReports } = useConsole();
  const jobs = jobsOf(server.id);
  const shown = useSyncExternalStore(jobs.subscribe, jobs.snapshot);
  useEffect(() => followColleagues(server, queryClient), [server, queryClient]);
  useEffect(() => {
    offerUndosOfDone({ server, queryClient, deletedReports }, jobs.takeDoneBefore());
  }, [jobs, server, queryClient, deletedReports]);
  if (shown.length === 0) return null;
  return <JobRows jobs={shown} />;
}
