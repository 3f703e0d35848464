import { i18n } from '@lingui/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { inSentence } from '../../components/text-hazards.ts';
import { LoadedUserChip } from '../../subjects/chips.tsx';
import { userMediaActions } from '../../subjects/media/media-search.ts';
import { UserMediaList } from '../../subjects/media/UserMediaList.tsx';
import classes from './Media.module.css';

/** Lists a user's media, with actions on all of it. */
export function UserMediaScreen() {
  const { userId } = useParams({ from: '/frame/server/media/users/$userId' });
  const address = useSearch({ from: '/frame/server/media/users/$userId' });
  const navigate = useNavigate({ from: '/media/users/$userId' });
  return (
    <UserMediaList
      userId={userId}
      title={i18n.t('Media of {user}', { user: inSentence(userId) })}
      search={address}
      onChange={(changes) => navigate({ search: (current) => ({ ...current, ...changes }) })}
      ownerBar={(isSelecting, onActed) => (
        <>
          <Link to="/media" className={classes.back}>
            <IconArrowLeft size={13} aria-hidden /> {i18n.t('All uploaders')}
          </Link>
          <LoadedUserChip kind={i18n.t('Uploader')} id={userId} />
          <ActionBar
            on={{ users: [{ userId }] }}
            only={userMediaActions}
            quiet={isSelecting}
            onActed={onActed}
          />
        </>
      )}
    />
  );
}
