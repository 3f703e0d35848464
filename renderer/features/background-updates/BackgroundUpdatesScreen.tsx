import { i18n } from '@lingui/core';
import { Button, Progress } from '@mantine/core';
import {
  IconCircleCheck,
  IconPlayerPause,
  IconPlayerPlay,
  IconProgress,
  IconRefresh,
} from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import {
  type BackgroundJob,
  type BackgroundUpdates,
  backgroundJobs,
  backgroundUpdatesQuery,
  hasPendingUpdates,
  maySupportJob,
  type RunningUpdate,
  setBackgroundUpdates,
  startBackgroundJob,
} from '../../api/background-updates.ts';
import { isExpected } from '../../api/lenient.ts';
import { serverSoftwareQuery } from '../../api/server.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { FailureMessage, FailureNote, LoadingNote, StaleNote } from '../../components/LoadStates.tsx';
import page from '../../components/page/Page.module.css';
import { PageSection } from '../../components/page/Page.tsx';
import { RelatedScreens } from '../../components/page/RelatedScreens.tsx';
import { type State, StateMark } from '../../components/State.tsx';
import { UnexpectedEntryButton } from '../../components/UnexpectedEntry.tsx';
import { useCommands, useServer } from '../../console-context.ts';
import { recordServerAction } from '../../team/record-server-action.ts';
import { number } from '../../words/format.ts';
import classes from './BackgroundUpdates.module.css';

/** Data migrations that run after an upgrade, and updates that an admin can start. */
export function BackgroundUpdatesScreen() {
  const server = useServer();
  const query = useQuery(backgroundUpdatesQuery(server));
  const change = useMutation({
    ...setBackgroundUpdates(server),
    onSuccess: ({ enabled }) =>
      recordServerAction(server, enabled ? 'resume-background-updates' : 'pause-background-updates'),
  });
  const { data } = query;
  const isPaused = data?.enabled === false;
  const toggle = () => change.mutate(isPaused);

  useCommands([
    {
      id: 'refresh background updates',
      label: i18n.t('Refresh background updates'),
      group: i18n.t('Background updates'),
      keys: ['r'],
      icon: <IconRefresh size={17} stroke={1.6} />,
      run: () => void query.refetch(),
    },
    ...(data
      ? [
          {
            id: 'pause background updates',
            label: isPaused ? i18n.t('Resume background updates') : i18n.t('Pause background updates'),
            group: i18n.t('Background updates'),
            icon: isPaused ? <IconPlayerPlay size={17} /> : <IconPlayerPause size={17} />,
            run: toggle,
          },
        ]
      : []),
  ]);

  const heading = (
    <>
      <div className={classes.heading}>
        <h1 className={classes.title}>{i18n.t('Background updates')}</h1>
      </div>
      <RelatedScreens of="tasks" />
    </>
  );
  if (!data) {
    return (
      <div className={classes.screen}>
        {heading}
        {query.isPending ? (
          <LoadingNote text={i18n.t('Loading background updates…')} />
        ) : (
          <FailureMessage title={i18n.t("Couldn't load background updates")} query={query} />
        )}
      </div>
    );
  }
  return (
    <div className={classes.screen}>
      {heading}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard */}
      <section className={classes.page} tabIndex={0} aria-label={i18n.t('Background updates')}>
        <p className={classes.description}>
          {i18n.t(
            'After an upgrade, the server migrates data. Wait until this finishes before upgrading again.',
          )}
        </p>
        <div className={page.sections}>
          <PageSection title={i18n.t('Status')}>
            {query.isError && (
              <StaleNote error={query.error} since={query.dataUpdatedAt} onRetry={query.refetch} />
            )}
            <div className={classes.status}>
              <output className={classes.statusText}>
                <StateMark {...stateOf(data)} />
              </output>
              <Button
                variant="default"
                loading={change.isPending}
                leftSection={isPaused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
                onClick={toggle}
              >
                {isPaused ? i18n.t('Resume') : i18n.t('Pause')}
              </Button>
            </div>
            <FailureNote className={classes.failure} error={change.error} />
            {Object.entries(data.current_updates).map(([database, update]) =>
              isExpected(update) ? (
                <UpdateProgress key={database} database={database} update={update} isPaused={isPaused} />
              ) : (
                <UnexpectedEntryButton key={database} entry={update} />
              ),
            )}
          </PageSection>
          <PageSection
            title={i18n.t('On-demand updates')}
            description={i18n.t('Runs in the background and slows the server.')}
          >
            <JobList />
          </PageSection>
        </div>
      </section>
    </div>
  );
}

function stateOf(status: BackgroundUpdates): State {
  if (status.enabled === false) {
    return {
      tone: 'warning',
      icon: IconPlayerPause,
      words: hasPendingUpdates(status)
        ? i18n.t('Paused until you resume.')
        : i18n.t('Paused. No updates pending; new ones wait until you resume.'),
    };
  }
  return hasPendingUpdates(status)
    ? { tone: 'info', icon: IconProgress, words: i18n.t('Running') }
    : { tone: 'success', icon: IconCircleCheck, words: i18n.t('No updates pending. You can upgrade.') };
}

const jobTexts: Record<BackgroundJob, { name: string; description: string }> = {
  populate_stats_process_rooms: {
    name: /*i18n*/ 'Recount rooms',
    description: /*i18n*/ 'Recalculates members and state events per room, fixing wrong figures.',
  },
  regenerate_directory: {
    name: /*i18n*/ 'Rebuild user directory',
    description: /*i18n*/ 'Fixes missing or outdated search results. User search is incomplete until done.',
  },
};

function JobList() {
  const { data: software } = useQuery(serverSoftwareQuery(useServer()));
  return (
    <ul className={classes.jobs}>
      {software !== undefined &&
        backgroundJobs
          .filter((job) => maySupportJob(software, job))
          .map((job) => <JobEntry key={job} job={job} />)}
    </ul>
  );
}

function JobEntry({ job }: { job: BackgroundJob }) {
  const server = useServer();
  const start = useMutation({
    ...startBackgroundJob(server),
    onSuccess: () => recordServerAction(server, 'start-background-update', job),
  });
  const { name, description } = jobTexts[job];
  return (
    <li className={classes.job}>
      <div>
        <h3 className={classes.jobName}>{i18n.t(name)}</h3>
        <p className={classes.dim}>
          {i18n.t(description)} <code>{job}</code>
        </p>
        {start.isSuccess && <output className={classes.done}>{i18n.t('Started')}</output>}
        <FailureNote className={classes.failure} error={start.error} />
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

type UpdateProgressProps = { database: string; update: RunningUpdate; isPaused: boolean };

/** The progress bar is indeterminate: servers don't report totals. */
function UpdateProgress({ database, update, isPaused }: UpdateProgressProps) {
  const { name } = update;
  const items = update.total_item_count ?? 0;
  const duration = update.total_duration_ms ?? 0;
  const perSecond = update.average_items_per_ms ? update.average_items_per_ms * 1000 : undefined;
  return (
    <article className={classes.update} aria-label={name}>
      <h3 className={classes.name}>
        <HazardText text={name} />
        {database !== 'master' && (
          <span className={classes.dim}> {i18n.t('in database {database}', { database })}</span>
        )}
      </h3>
      <Progress
        size="sm"
        value={100}
        striped={!isPaused}
        animated={!isPaused}
        color={isPaused ? 'gray' : 'iris'}
        aria-label={i18n.t('Running')}
      />
      <p className={classes.dim}>
        {items === 0
          ? i18n.t('Just started')
          : i18n.t('{items} done in {seconds} s', {
              items: number(items),
              seconds: number(Math.round(duration / 1000)),
            })}
        {items > 0 && perSecond !== undefined && (
          <> · {i18n.t('about {rate} per second', { rate: number(Math.round(perSecond)) })}</>
        )}
        {' · '}
        {i18n.t('total unknown')}
      </p>
    </article>
  );
}
