import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { offeredQuery } from '../../api/supported-endpoints.ts';
import { DayField, RecentDays } from '../../components/filters/FilterFields.tsx';
import { FailureMessage, LoadingNote } from '../../components/LoadStates.tsx';
import { Page, PageSection } from '../../components/page/Page.tsx';
import { useServer } from '../../console-context.ts';
import { dayOf, startOfDay } from '../../words/format.ts';
import classes from './CleanUp.module.css';
import { DeleteUnused } from './DeleteUnused.tsx';
import type { CleanUpSearch } from './media-search.ts';
import { TypedDeletion, useCleanUp } from './TypedDeletion.tsx';

const unusedAge = 365 * 24 * 60 * 60 * 1000;

/** Deletes media that wasn't accessed for long: local files and the remote media cache. */
export function CleanUpScreen() {
  const server = useServer();
  const search = useSearch({ from: '/frame/server/media/clean-up' });
  const navigate = useNavigate({ from: '/media/clean-up' });
  const change = (changes: Partial<CleanUpSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });
  const offered = useQuery(offeredQuery(server));
  const { since, larger = 0, profiles = false } = search;
  const isDay = startOfDay(since) !== undefined;
  const unsupported = <p>{i18n.t('Not supported by this server.')}</p>;
  return (
    <Page
      title={i18n.t('Clean up media')}
      description={i18n.t("This can't be undone. Preview the deletion first.")}
    >
      {offered.error && !offered.data ? (
        <FailureMessage title={i18n.t("Couldn't load permissions")} query={offered} />
      ) : offered.data ? (
        <>
          <PageSection
            title={i18n.t('Unused media')}
            description={i18n.t('All local media except quarantined or protected media.')}
          >
            {offered.data.has('deleteUnused') ? (
              <DeleteUnused
                since={since !== undefined && isDay ? since : dayOf(Date.now() - unusedAge)}
                larger={larger}
                profiles={profiles}
                onChange={change}
              />
            ) : (
              unsupported
            )}
          </PageSection>
          <PageSection
            title={i18n.t('Remote media cache')}
            description={i18n.t('Fetched again on access if still available remotely.')}
          >
            {offered.data.has('purgeCopies') ? <PurgeRemoteCache /> : unsupported}
          </PageSection>
        </>
      ) : (
        <LoadingNote text={i18n.t('Loading…')} />
      )}
    </Page>
  );
}

const remoteCacheAge = 90 * 24 * 60 * 60 * 1000;

/** Purges the remote media cache. No server can say in advance how many files that deletes. */
function PurgeRemoteCache() {
  const [since, setSince] = useState(() => dayOf(Date.now() - remoteCacheAge));
  const cleanUp = useCleanUp('purge-media-copies');
  if (cleanUp.isStarted) {
    return <output>{i18n.t('Started. See progress below.')}</output>;
  }
  return (
    <>
      <div className={classes.fields}>
        <DayField
          label={i18n.t('Not accessed since')}
          value={since}
          latest={dayOf(Date.now())}
          required
          onChange={(day) => day && startOfDay(day) !== undefined && setSince(day)}
        />
        <RecentDays
          label={i18n.t('Not accessed for')}
          value={since}
          onChange={(day) => day && setSince(day)}
        />
      </div>
      <p className={classes.note}>{i18n.t('File count unknown in advance.')}</p>
      <TypedDeletion
        consequences={i18n.t("Media deleted on the origin server can't be restored.")}
        label={i18n.t('Purge remote media cache')}
        onDelete={() => cleanUp.start({ before: startOfDay(since) ?? 0 })}
      />
    </>
  );
}
