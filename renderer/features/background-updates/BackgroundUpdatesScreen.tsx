import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import {
  type BackgroundUpdates,
  backgroundUpdatesQuery,
  isAtWork,
  setBackgroundUpdates,
} from '../../api/background-updates.ts';
import { isExpected } from '../../api/lenient.ts';
import { FailureMessage } from '../../components/FailureMessage.tsx';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { NotUpToDate } from '../../components/NotUpToDate.tsx';
import { PageSection } from '../../components/Page.tsx';
import { SisterScreens } from '../../components/SisterScreens.tsx';
import { UnexpectedEntryButton } from '../../components/UnexpectedEntryButton.tsx';
import { useCommands, useServer } from '../../console-context.ts';
import { failureSentence } from '../../transport/failure-sentence.ts';
import classes from './BackgroundUpdates.module.css';
import { JobList } from './JobList.tsx';
import { UpdateProgress } from './UpdateProgress.tsx';

/** What the server still does to its data after an upgrade, and what can be asked for besides. */
export function BackgroundUpdatesScreen() {
  const server = useServer();
  const query = useQuery(backgroundUpdatesQuery(server));
  const change = useMutation(setBackgroundUpdates(server));
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

  if (query.isPending) return <LoadingNote text={i18n.t('Loading background updates…')} />;
  if (!data) {
    return (
      <FailureMessage
        isScreen
        title={i18n.t("Couldn't load background updates")}
        error={query.error}
        onRetry={() => query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  return (
    <div className={classes.screen}>
      <div className={classes.heading}>
        <h1 className={classes.title}>{i18n.t('Background updates')}</h1>
      </div>
      <SisterScreens of="tasks" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by key */}
      <section className={classes.page} tabIndex={0} aria-label={i18n.t('Background updates')}>
        <p className={classes.description}>
          {i18n.t(
            'After an upgrade, the server migrates data. Wait until this finishes before upgrading again.',
          )}
        </p>
        <PageSection title={i18n.t('Status')}>
          {query.isError && (
            <NotUpToDate error={query.error} since={query.dataUpdatedAt} onRetry={query.refetch} />
          )}
          <div className={classes.state}>
            <output className={classes.words}>{stateWords(data)}</output>
            <Button
              variant="default"
              loading={change.isPending}
              leftSection={isPaused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
              onClick={toggle}
            >
              {isPaused ? i18n.t('Resume') : i18n.t('Pause')}
            </Button>
          </div>
          {change.isError && (
            <p className={classes.failure} role="alert">
              {failureSentence(change.error)}
            </p>
          )}
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
      </section>
    </div>
  );
}

function stateWords(status: BackgroundUpdates): string {
  if (status.enabled === false) {
    return isAtWork(status)
      ? i18n.t('Paused until you resume.')
      : i18n.t('Paused. No updates pending; new ones wait until you resume.');
  }
  return isAtWork(status) ? i18n.t('Running') : i18n.t('No updates pending. You can upgrade.');
}
