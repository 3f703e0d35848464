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
import { PageSection } from '../../../components/Page.tsx';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { failureSentence } from '../../../transport/refusal.ts';
import type { Workbench } from '../../../transport/workbench.ts';
import { number } from '../../../words/format.ts';
import { useBench } from '../bench.ts';
import classes from '../LocalServer.module.css';

/** What the slider stops at: a few to look at, up to as many as strain a server. */
const amounts = [10, 50, 250, 1_000, 5_000, 25_000, 100_000, 500_000, mostSampleReports];
/** From so many on it is something to wait for. */
const many = 25_000;
const usual = 2;
const looksEveryMs = 700;

const steps: Record<NonNullable<SampleDataJob['step']>, string> = {
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
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? looksEveryMs : false),
  });

/** People, rooms, messages and reports, as many as one likes. */
export function SampleData() {
  const bench = useBench();
  const query = useQuery(sampleDataQuery(bench));
  return (
    <PageSection title={i18n.t('Sample data')} description={i18n.t('Password of all sample users: sample')}>
      <Loaded query={query} loading={i18n.t('Loading…')} gone={i18n.t('Sample data not supported')}>
        {(job) => <Job job={job} at={query.dataUpdatedAt} />}
      </Loaded>
    </PageSection>
  );
}

function Job({ job, at }: { job: SampleDataJob; at: number }) {
  const bench = useBench();
  const queryClient = useQueryClient();
  const asked = sampleDataQuery(bench);
  const [stop, setStop] = useState(usual);
  const reports = amounts[stop] ?? 0;
  const told = (now: SampleDataJob) => queryClient.setQueryData(asked.queryKey, now);
  const path = workbenchPaths.sampleData;
  const start = useMutation({
    mutationFn: () => bench.send('POST', getSampleData.response[200], path, { reports }),
    onSuccess: told,
  });
  const end = useMutation({
    mutationFn: () => bench.send('DELETE', getSampleData.response[200], path),
    onSuccess: told,
  });
  const failure = start.error ?? end.error;
  const left = useTimeLeft(job, at);
  const shown = { done: number(job.done), total: number(job.total) };
  return (
    <>
      {job.status === 'running' ? (
        <>
          <Progress
            value={job.total > 0 ? (job.done / job.total) * 100 : 0}
            aria-label={i18n.t('Sample data')}
          />
          <output>
            {job.step ? i18n.t(steps[job.step]) : i18n.t('Starting…')} {i18n.t('{done} of {total}', shown)}
            {left !== undefined && (
              <>
                {' · '}
                {i18n.t('{minutes, plural, =0 {under 1} other {about #}} min left', {
                  minutes: Math.round(left / 60_000),
                })}
              </>
            )}
          </output>
          <div>
            <Button
              variant="default"
              leftSection={<IconPlayerStop size={14} aria-hidden />}
              onClick={() => end.mutate()}
              loading={end.isPending}
            >
              {i18n.t('Stop')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <div>
            {i18n.t('Reports: {shown}, with related data', {
              reports,
              shown: number(reports),
            })}
          </div>
          <Slider
            thumbLabel={i18n.t('Report count')}
            label={null}
            min={0}
            max={amounts.length - 1}
            step={1}
            value={stop}
            onChange={setStop}
            thumbValueText={number(reports)}
          />
          {reports >= many && (
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
              {i18n.t('Stopped at {done} of {total}. Added data is kept.', shown)}
            </output>
          )}
          {job.status === 'failed' && (
            <p className={classes.message} role="alert">
              {i18n.t("Couldn't add sample data: {error}", { error: job.error ?? '' })}
            </p>
          )}
        </>
      )}
      {failure && (
        <p className={classes.message} role="alert">
          {failureSentence(failure)}
        </p>
      )}
    </>
  );
}

/** How long one has to have looked before anything can be said, in milliseconds. */
const longEnough = 3_000;

/**
 * How long a job still takes, in milliseconds, by how quickly it went while one looked; undefined where that can't be said yet.
 *
 * @param at when the job was so, in milliseconds
 */
function useTimeLeft({ status, done, total }: SampleDataJob, at: number): number | undefined {
  const [seen, setSeen] = useState<{ first: Mark; last: Mark }>();
  const isBehind = seen === undefined || done < seen.last.done;
  if (status !== 'running') {
    if (seen) setSeen(undefined);
    return undefined;
  }
  if (isBehind || done !== seen.last.done) {
    const mark = { done, at };
    setSeen({ first: isBehind ? mark : seen.first, last: mark });
  }
  if (!seen) return undefined;
  const took = seen.last.at - seen.first.at;
  const made = seen.last.done - seen.first.done;
  if (took < longEnough || made <= 0) return undefined;
  return ((total - seen.last.done) / made) * took;
}

type Mark = { done: number; at: number };
