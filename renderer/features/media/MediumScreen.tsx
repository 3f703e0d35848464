import { i18n } from '@lingui/core';
import { IconTrashX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ActionBar } from '../../actions/ActionBar.tsx';
import { nameOfAction } from '../../actions/action-words.ts';
import { mediumQuery } from '../../api/media.ts';
import { FailureMessage } from '../../components/FailureMessage.tsx';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { SubjectPage } from '../../components/SubjectPage.tsx';
import { useServer } from '../../console-context.ts';
import { knownOf, statesOf } from '../../subjects/medium-states.ts';
import { Timeline } from '../../team/Timeline.tsx';
import { NoSuchEndpoint, NotFound } from '../../transport/refusal.ts';
import { MediumFacts } from './MediumFacts.tsx';
import { MediumPreview } from './MediumPreview.tsx';
import { MediumUses } from './MediumUses.tsx';

/** One upload: what it is, whose it is, where it is used, and what can be done. */
export function MediumScreen() {
  const server = useServer();
  const navigate = useNavigate();
  const { origin, mediaId } = useParams({ from: '/frame/server/media/uploads/$origin/$mediaId' });
  const uri = `mxc://${origin}/${mediaId}`;
  const query = useQuery(mediumQuery(server, uri));
  const known = useMemo(() => knownOf(uri, query.data), [uri, query.data]);
  // An older server deletes single uploads and tells nothing of them.
  const tellsNothing = query.error instanceof NoSuchEndpoint;
  if (query.isPending) return <LoadingNote text={i18n.t('Loading file…')} />;
  if (!query.data && query.error instanceof NotFound) return <UploadGone />;
  if (!query.data && !tellsNothing) {
    return (
      <FailureMessage
        isScreen
        title={i18n.t("Couldn't load file")}
        error={query.error}
        onRetry={() => query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  const medium = query.data ?? { media_id: mediaId };
  const userId = medium.user_id ?? undefined;
  return (
    <SubjectPage
      name={medium.upload_name || mediaId}
      id={uri}
      badges={statesOf(medium)}
      asked={query}
      actions={
        <ActionBar
          // Whose it is isn't known of another server's: it is kept with what the administrator did.
          on={{ media: [{ uri, of: { userId: userId ?? server.connection.userId } }] }}
          {...(known && { known })}
          onActed={async () => {
            const { data, error } = await query.refetch();
            // It was deleted: what is left of it is its uploader's list.
            if (!data || error) {
              if (userId) navigate({ to: '/media/users/$userId', params: { userId } });
              else navigate({ to: '/media' });
            }
          }}
        />
      }
      history={userId && <Timeline subject={{ kind: 'user', userId }} nameOfAction={nameOfAction} />}
    >
      {tellsNothing && <p>{i18n.t("This server doesn't provide file details.")}</p>}
      <MediumPreview uri={uri} medium={medium} />
      <MediumFacts medium={medium} origin={origin} />
      {userId && <MediumUses key={uri} uri={uri} userId={userId} />}
    </SubjectPage>
  );
}

/** In the place of an upload that the server does not have. */
const UploadGone = () => (
  <StateMessage
    isScreen
    icon={<IconTrashX size={24} stroke={1.5} />}
    title={i18n.t('File not found')}
    description={i18n.t('Deleted, or belongs to another server.')}
  />
);
