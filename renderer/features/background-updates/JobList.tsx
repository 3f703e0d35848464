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
    name: /*i18n*/ 'Count all rooms again',
    does: /*i18n*/ 'Works out anew how many members and state events each room has: for lists of rooms whose figures are wrong.',
  },
  regenerate_directory: {
    name: /*i18n*/ 'Build the user directory again',
    does: /*i18n*/ 'For a search among users that misses some, or finds who is gone. Until it is done, the search is incomplete.',
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
        {start.isSuccess && <output className={classes.done}>{i18n.t('The server took it on.')}</output>}
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
