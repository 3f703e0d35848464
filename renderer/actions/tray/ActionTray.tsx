import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useCommands, useConsole, useServer } from '../../console-context.ts';
import { useStoreValue } from '../../subscribers.ts';
import type { Server } from '../../transport/server.ts';
import { number } from '../../words/format.ts';
import type { Job } from '../jobs/job.ts';
import { jobsOf } from '../jobs/job-store.ts';
import { dismissJob, followTasksOf, resumeJob } from '../jobs/run-job.ts';
import { actionOf } from '../jobs/steps-of-job.ts';
import { followColleagues, offerUndosOfDone } from './announce.tsx';
import { JobRow } from './JobRow.tsx';
import classes from './JobRows.module.css';

/** Running and failed jobs, at the bottom of every screen. */
export function ActionTray() {
  const server = useServer();
  const { queryClient, deletedReports } = useConsole();
  const jobs = jobsOf(server);
  const shown = useStoreValue(jobs, jobs.snapshot);
  useEffect(() => followColleagues(server, queryClient), [server, queryClient]);
  useEffect(() => {
    offerUndosOfDone({ server, queryClient, deletedReports }, jobs.takeDoneBefore());
  }, [jobs, server, queryClient, deletedReports]);
  if (shown.length === 0) return null;
  return <JobRows jobs={shown} />;
}

function JobRows({ jobs }: { jobs: readonly Job[] }) {
  const { queryClient, deletedReports } = useConsole();
  const server = useServer();

  // Following tasks changes nothing, so it needs no click.
  const orphans = jobs.filter((job) => isOrphan(server, job)).map(({ id }) => id);
  const names = orphans.join(' ');
  useEffect(() => {
    const found = names.split(' ');
    for (const job of jobsOf(server).snapshot()) {
      if (!found.includes(job.id)) continue;
      const goOn = wasInterrupted(job) && onlyMarksWait(job) ? resumeJob : followTasksOf;
      goOn({ server, queryClient, deletedReports }, job);
    }
  }, [names, server, queryClient, deletedReports]);

  const tray = useRef<HTMLElement>(null);
  const over = jobs.filter(({ state }) => state === 'ended');
  const newestOver = over.at(-1);
  useCommands(
    newestOver
      ? [
          {
            id: 'close line',
            label: i18n.t('Dismiss newest finished job'),
            group: i18n.t('Actions'),
            keys: ['W'],
            icon: <IconX size={17} stroke={1.6} />,
            run: () => dismissJob(server, newestOver),
          },
        ]
      : [],
  );

  return (
    <section ref={tray} className={classes.tray} aria-label={i18n.t('Jobs')}>
      {over.length > 1 && (
        <div className={classes.all}>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            onClick={() => {
              for (const { id } of over) jobsOf(server).remove(id);
            }}
          >
            {i18n.t('Dismiss all {count} finished', { count: number(over.length) })}
          </Button>
        </div>
      )}
      <ul className={classes.rows}>
        {jobs.toReversed().map((job) => (
          <li key={job.id}>
            <JobRow job={job} tray={tray} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Its page is gone and the server works on it. None of its other steps was sent without a reply. */
const isOrphan = (server: Server, job: Job) =>
  !jobsOf(server).own(job.id) &&
  job.state === 'stopped' &&
  job.items.some(({ state }) => state === 'task') &&
  !job.items.some(({ state }) => state === 'running');

const wasInterrupted = ({ why }: Job) => why?.code === 'cancelled';

/** Marks were confirmed with the action and change nothing on the server. */
const onlyMarksWait = (job: Job) =>
  job.items.every((entry) => entry.state !== 'waiting' || actionOf(job, entry)?.onlyMarks);
