import { i18n } from '@lingui/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { inSentence } from '../../actions/items.ts';
import { PersonChip } from '../../subjects/chips.tsx';
import { UploadList } from '../../subjects/uploads/UploadList.tsx';
import { ofUserMedia } from '../../subjects/uploads/uploads-search.ts';
import classes from './Media.module.css';

/** Lists a user's media, with actions on all of it. */
export function UserMediaScreen() {
  const { userId } = useParams({ from: '/frame/server/media/users/$userId' });
  const address = useSearch({ from: '/frame/server/media/users/$userId' });
  const navigate = useNavigate({ from: '/media/users/$userId' });
  return (
    <UploadList
      userId={userId}
      title={i18n.t('Media of {user}', { user: inSentence(userId) })}
      address={address}
      onChange={(changes) => navigate({ search: (current) => ({ ...current, ...changes }) })}
      whose={(isSelecting, onActed) => (
        <>
          <Link to="/media" search={({ server }) => ({ server })} className={classes.back}>
            <IconArrowLeft size={13} aria-hidden /> {i18n.t('All uploaders')}
          </Link>
          <PersonChip kind={i18n.t('Uploader')} id={userId} />
          <ActionBar on={{ users: [{ userId }] }} only={ofUserMedia} quiet={isSelecting} onActed={onActed} />
        </>
      )}
    />
  );
}
