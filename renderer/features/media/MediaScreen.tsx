import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconSum } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Type } from 'typebox';
import { countsAtOnce, keepsRunningTotals, serverSoftwareQuery } from '../../api/server.ts';
import { userTotalQuery } from '../../api/user-list.ts';
import { FailureMessage, LoadingNote, StateMessage } from '../../components/LoadStates.tsx';
import { MediaReveal } from '../../components/media/MediaReveal.tsx';
import listClasses from '../../components/table/ListScreen.module.css';
import { useServer } from '../../console-context.ts';
import { useStoreValue } from '../../subscribers.ts';
import highlights from './FileHighlights.module.css';
import { LargestFiles, RecentFiles } from './FileHighlights.tsx';
import { MediaNavigation } from './MediaNavigation.tsx';
import { MediaTotals } from './MediaTotals.tsx';
import { reportedSendersQuery } from './media-highlights.ts';

/** Shows media by user; on click only if a large server has to scan all media for it. */
export function MediaScreen() {
  const server = useServer();
  const software = useQuery(serverSoftwareQuery(server));
  const isKept = keepsRunningTotals(software.data);
  const accounts = useQuery({
    ...userTotalQuery(server, { order: 'name', dir: 'f' }),
    enabled: software.data !== undefined && !isKept,
  });
  const requested = server.deviceStorage.open(
    `gatehouse.media.count.${server.id}`,
    Type.Boolean(),
    false,
    'session',
  );
  const isRequested = useStoreValue(requested, requested.read);
  const isCheap = countsAtOnce(software.data, accounts.data);
  const isCounted = isRequested || isCheap;
  const isPending = software.isPending || accounts.isLoading;
  const senders = useQuery({ ...reportedSendersQuery(server), enabled: !isCounted && !isPending });
  if (isCounted) return <MediaTotals asksRecent={isCheap} />;
  if (isPending) return <LoadingNote text={i18n.t('Loading media…')} />;
  const ofReported = {
    note: i18n.t('of recently reported users'),
    userIds: senders.data,
    error: senders.error,
  };
  return (
    <MediaReveal>
      <div className={listClasses.screen}>
        <div className={listClasses.heading}>
          <h1 className={listClasses.title}>{i18n.t('Media')}</h1>
          <span className={listClasses.gap} />
          <MediaNavigation />
        </div>
        {software.error ? (
          <FailureMessage title={i18n.t("Couldn't load media")} query={software} />
        ) : (
          <>
            <div className={highlights.overview}>
              <RecentFiles title={i18n.t('Recent uploads')} {...ofReported} />
              <LargestFiles title={i18n.t('Largest files')} {...ofReported} />
            </div>
            <StateMessage
              icon={<IconSum size={24} stroke={1.5} />}
              title={i18n.t('Media by user')}
              description={
                software.data
                  ? i18n.t('Counting scans all media and can slow large servers.')
                  : i18n.t('Unknown server software. Counting may scan all media and slow large servers.')
              }
            >
              <Button onClick={() => requested.write(true)}>{i18n.t('Count media')}</Button>
            </StateMessage>
          </>
        )}
      </div>
    </MediaReveal>
  );
}
