import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconSum } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { Type } from 'typebox';
import { keepsRunningTotals, serverSoftwareQuery } from '../../api/server.ts';
import { LoadingNote, StateMessage } from '../../components/LoadStates.tsx';
import { useServer } from '../../console-context.ts';
import { failureSentence } from '../../transport/refusal.ts';
import { MediaNavigation, MediaTotals } from './MediaTotals.tsx';

/** Shows media by user; on click only if the server has to scan all media for it. */
export function MediaScreen() {
  const server = useServer();
  const software = useQuery(serverSoftwareQuery(server));
  const requested = server.kept.open(`gatehouse.media.count.${server.id}`, Type.Boolean(), false, 'session');
  const isRequested = useSyncExternalStore(requested.subscribe, requested.read);
  if (isRequested || keepsRunningTotals(software.data)) return <MediaTotals />;
  if (software.isPending) return <LoadingNote text={i18n.t('Loading media…')} />;
  return (
    <StateMessage
      isScreen
      icon={<IconSum size={24} stroke={1.5} />}
      title={i18n.t('Media usage')}
      description={
        software.error
          ? failureSentence(software.error)
          : software.data
            ? i18n.t('Counting scans all media and can slow large servers.')
            : i18n.t('Unknown server software. Counting may scan all media and slow large servers.')
      }
    >
      {software.error ? (
        <Button variant="default" loading={software.isFetching} onClick={() => software.refetch()}>
          {i18n.t('Retry')}
        </Button>
      ) : (
        <Button onClick={() => requested.write(true)}>{i18n.t('Count media')}</Button>
      )}
      <MediaNavigation />
    </StateMessage>
  );
}
