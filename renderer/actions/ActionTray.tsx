import { Fragment, lazy, useEffect, useSyncExternalStore } from 'react';
import { useConsole, useServer } from '../console-context.ts';
import { followColleagues } from './colleague-news.ts';
import { jobsOf } from './jobs/job-store.ts';
import { awaitUndos } from './latest-undo.ts';

const loadRows = () => import('./JobRows.tsx').catch(() => ({ default: () => <Fragment /> }));
const JobRows = lazy(loadRows);

/** What takes long, or went wrong, on whatever screen it was begun: at the bottom of each. */
export default function ActionTray() {
  const server = useServer();
  const { queryClient, deletedReports } = useConsole();
  const jobs = jobsOf(server.id);
  const shown = useSyncExternalStore(jobs.subscribe, jobs.snapshot);
  // The server can be gone when they are wanted: it may go away just as it began something.
  useEffect(() => void loadRows(), []);
  useEffect(() => followColleagues(server, queryClient), [server, queryClient]);
  useEffect(() => {
    const done = jobs.takeDoneBefore();
    if (done.length === 0) return;
    const known = awaitUndos();
    void import('./announce.tsx')
      .then(({ offerUndosOfDone }) => offerUndosOfDone({ server, queryClient, deletedReports }, done))
      .finally(known);
  }, [jobs, server, queryClient, deletedReports]);
  if (shown.length === 0) return null;
  return <JobRows jobs={shown} />;
}
