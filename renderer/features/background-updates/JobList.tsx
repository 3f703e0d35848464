import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import {
  type BackgroundJob,
  backgroundJobs,
  mayKnow,
  startBackgroundJob,
} from '../../api/background-updates.ts';
import { serverSoftwareQuery } from '../../api/server-software.ts';
import { useServer } from '../../console-context.ts';
import { failureSentence } from '../../transport/failure-sentence.ts';
import classes from './BackgroundUpdates.module.css';

const jobs: Record<BackgroundJob, { name: string; does: string }> = {
  populate_stats_process_rooms: {
    name: /*i18n*/ 'Recount rooms',
    does: /*i18n*/ 'Recalculates members and state events per room, fixing wrong figures.',
  },
  regenerate_directory: {
    name: /*i18n*/ 'Rebuild user directory',
    does: /*i18n*/ 'Fixes missing or outdated search results. User search is incomplete until done.',
  },
};

/** Work that a person may start by its name, and what became of the request. */
export function JobList() {
  const { data: software } = useQuery(serverSoftwareQuery(useServer()));
  return (
    <ul className={classes.jobs}>
      {software !== undefined &&
        backgroundJobs.filter((job) => mayKnow(software, job)).map((job) => <JobEntry key={job} job={job} />)}
    </ul>
  );
}

function JobEntry({ job }: { job: BackgroundJob }) {
  const start = useMutation(startBackgroundJob(useServer()));
  const { name, does } = jobs[job];
  return (
    <li className={classes.job}>
      <div>
        <h3 className={classes.jobName}>{i18n.t(name)}</h3>
        <p className={classes.dim}>
          {i18n.t(does)} <code>{job}</code>
        </p>
        {start.isSuccess && <output className={classes.done}>{i18n.t('Started')}</output>}
        {start.isError && (
          <p className={classes.failure} role="alert">
            {failureSentence(start.error)}
          </p>
        )}
      </div>
      <Button
        variant="default"
        aria-label={i18n.t('Start: {name}', { name: i18n.t(name) })}
        loading={start.isPending}
        onClick={() => start.mutate(job)}
      >
        {i18n.t('Start')}
      </Button>
    </li>
  );
}
