import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { offeredQuery } from '../../api/offered.ts';
import { dayOf, startOfDay } from '../../components/day.ts';
import { FailureMessage } from '../../components/FailureMessage.tsx';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { Page, PageSection } from '../../components/Page.tsx';
import { useServer } from '../../console-context.ts';
import { DeleteUnused } from './DeleteUnused.tsx';
import type { CleanUpSearch } from './media-search.ts';
import { PurgeCopies } from './PurgeCopies.tsx';

const usualAge = 365 * 24 * 60 * 60 * 1000;

/** Deleting what nobody opened for long: uploads, and copies of what other servers have. */
export function CleanUpScreen() {
  const server = useServer();
  const address = useSearch({ from: '/frame/server/media/clean-up' });
  const navigate = useNavigate({ from: '/media/clean-up' });
  const change = (changes: Partial<CleanUpSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });
  const offered = useQuery(offeredQuery(server));
  const { since, larger = 0, profiles = false } = address;
  const isDay = startOfDay(since) !== undefined;
  const notOffered = <p>{i18n.t("This server doesn't offer it.")}</p>;
  return (
    <Page
      title={i18n.t('Clean up media')}
      description={i18n.t('What is deleted here does not come back. Look what it would be before you go on.')}
    >
      {offered.error && !offered.data ? (
        <FailureMessage
          title={i18n.t('It is not known what this server lets you do.')}
          error={offered.error}
          onRetry={() => offered.refetch()}
          retrying={offered.isFetching}
        />
      ) : offered.data ? (
        <>
          <PageSection
            title={i18n.t('Unused uploads')}
            description={i18n.t('Of all users of this server. What is quarantined or protected stays.')}
          >
            {offered.data.has('deleteUnused') ? (
              <DeleteUnused
                since={since !== undefined && isDay ? since : dayOf(Date.now() - usualAge)}
                larger={larger}
                profiles={profiles}
                onChange={change}
              />
            ) : (
              notOffered
            )}
          </PageSection>
          <PageSection
            title={i18n.t('Copies of other servers’ media')}
            description={i18n.t(
              'They are fetched again when somebody opens them, as long as their servers have them.',
            )}
          >
            {offered.data.has('purgeCopies') ? <PurgeCopies /> : notOffered}
          </PageSection>
        </>
      ) : (
        <LoadingNote text={i18n.t('Loading…')} />
      )}
    </Page>
  );
}
