import { i18n } from '@lingui/core';
import { Button, Progress, Slider } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import {
  getSampleData,
  mostSampleReports,
  type SampleDataJob,
} from '../../../../shared/workbench/sample-data.ts';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import { FailureNote } from '../../../components/LoadStates.tsx';
import { PageSection } from '../../../components/page/Page.tsx';
import { Loaded } from '../../../subjects/Loaded.tsx';
import type { Workbench } from '../../../transport/workbench.ts';
import { number } from '../../../words/format.ts';
import classes from '../LocalServer.module.css';
import { useWorkbench } from '../workbench-context.ts';

/** Numbers of reports on the slider. */
const reportCounts = [10, 50, 250, 1_000, 5_000, 25_000, 100_000, 500_000, mostSampleReports];
/** From this many reports on, adding them takes minutes. */
const slowCount = 25_000;
const defaultIndex = 2;
const pollMs = 700;

const stepSentences: Record<NonNullable<SampleDataJob['step']>, string> = {
  users: /*i18n*/ 'Creating users…',
  rooms: /*i18n*/ 'Creating rooms…',
  messages: /*i18n*/ 'Creating messages…',
  reports: /*i18n*/ 'Creating reports…',
  media: /*i18n*/ 'Uploading images…',
  tasks: /*i18n*/ 'Creating tasks…',
};

const sampleDataQuery = ({ connection, get }: Workbench) =>
  queryOptions({
    queryKey: [connection.id, 'workbench', 'sample-data'],
    queryFn: ({ signal }) => get(getSampleData.response[200], workbenchPaths.sampleData, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? pollMs : false),
  });

export function SampleData() {
  const workbench = useWorkbench();
  const query = useQuery(sampleDataQuery(workbench));
  return (
    <PageSection title={i18n.t('Sample data')} description={i18n.t('Password of all sample users: sample')}>
      <Loaded query={query} loading={i18n.t('Loading…')} notFound={i18n.t('Sample data not supported')}>
        {(job) => <Job job={job} at={query.dataUpdatedAt} />}
      </Loaded>
    </PageSection>
  );
}

function Job({ job, at }: { job: SampleDataJob; at: number }) {
  const workbench = useWorkbench();
  const queryClient = useQueryClient();
  const { queryKey } = sampleDataQuery(workbench);
  const [index, setIndex] = useState(defaultIndex);
  const reports = reportCounts[index] ?? 0;
  const update = (job: SampleDataJob) => queryClient.setQueryData(queryKey, job);
  const path = workbenchPaths.sampleData;
  const start = useMutation({
    mutationFn: () => workbench.send('POST', getSampleData.response[200], path, { reports }),
    onSuccess: update,
  });
  const stop = useMutation({
    mutationFn: () => workbench.send('DELETE', getSampleData.response[200], path),
    onSuccess: update,
  });
  const failure = start.error ?? stop.error;
  const timeLeft = useTimeLeft(job, at);
  const counts = { done: number(job.done), total: number(job.total) };
  return (
    <>
      {job.status === 'running' ? (
        <>
          <Progress
            value={job.total > 0 ? (job.done / job.total) * 100 : 0}
            aria-label={i18n.t('Sample data')}
          />
          <output>
            {job.step ? i18n.t(stepSentences[job.step]) : i18n.t('Starting…')}{' '}
            {i18n.t('{done} of {total}', counts)}
            {timeLeft !== undefined && (
              <>
                {' · '}
                {i18n.t('{minutes, plural, =0 {under 1} other {about #}} min left', {
                  minutes: Math.round(timeLeft / 60_000),
                })}
              </>
            )}
          </output>
          <div>
            <ButtonWithIcon
              variant="default"
              icon={IconPlayerStop}
              onClick={() => stop.mutate()}
              loading={stop.isPending}
            >
              {i18n.t('Stop')}
            </ButtonWithIcon>
          </div>
        </>
      ) : (
        <>
          <div>
            {i18n.t('Reports: {shown}, with related data', {
              shown: number(reports),
            })}
          </div>
          <Slider
            thumbLabel={i18n.t('Report count')}
            label={null}
            min={0}
            max={reportCounts.length - 1}
            step={1}
            value={index}
            onChange={setIndex}
            thumbValueText={number(reports)}
          />
          {reports >= slowCount && (
            <p className={classes.dim}>
              {i18n.t('Takes minutes and slows the server. You can stop it; added data is kept.')}
            </p>
          )}
          <div>
            <Button variant="default" onClick={() => start.mutate()} loading={start.isPending}>
              {i18n.t('Add sample data')}
            </Button>
          </div>
          {job.status === 'complete' && (
            <output className={classes.dim}>{i18n.t('Sample data added')}</output>
          )}
          {job.status === 'stopped' && (
            <output className={classes.dim}>
              {i18n.t('Stopped at {done} of {total}. Added data is kept.', counts)}
            </output>
          )}
          {job.status === 'failed' && (
            <p className={classes.message} role="alert">
              {i18n.t("Couldn't add sample data: {error}", { error: job.error ?? '' })}
            </p>
          )}
        </>
      )}
      <FailureNote className={classes.message} error={failure} />
    </>
  );
}

/** Minimum observation time before an estimate. */
const minObservedMs = 3_000;

type Sample = { done: number; at: number };

/**
 * Estimates a job's remaining time in milliseconds from its observed speed; undefined at first.
 *
 * @param at when the job's state was loaded, in milliseconds since 1970
 */
function useTimeLeft({ status, done, total }: SampleDataJob, at: number): number | undefined {
  const [observed, setObserved] = useState<{ first: Sample; last: Sample }>();
  const isNewRun = observed === undefined || done < observed.last.done;
  if (status !== 'running') {
    if (observed) setObserved(undefined);
    return undefined;
  }
  if (isNewRun || done !== observed.last.done) {
    const sample = { done, at };
    setObserved({ first: isNewRun ? sample : observed.first, last: sample });
  }
  if (!observed) return undefined;
  const elapsed = observed.last.at - observed.first.at;
  const progress = observed.last.done - observed.first.done;
  if (elapsed < minObservedMs || progress <= 0) return undefined;
  return ((total - observed.last.done) / progress) * elapsed;
}
