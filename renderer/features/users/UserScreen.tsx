import { i18n } from '@lingui/core';
import { IconUserOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { offeredQuery } from '../../api/offered.ts';
import { userQuery } from '../../api/user.ts';
import { StateMessage } from '../../components/LoadStates.tsx';
import { PageTabs } from '../../components/PageTabs.tsx';
import { SubjectList, SubjectPage } from '../../components/SubjectPage.tsx';
import { useServer } from '../../console-context.ts';
import { pollWhileLoaded } from '../../subjects/in-view.ts';
import { LoadedScreen } from '../../subjects/Loaded.tsx';
import { UserMediaList } from '../../subjects/media/UserMediaList.tsx';
import { userStates } from '../../subjects/user-states.ts';
import { useTeam } from '../../team/use-team.ts';
import { serverName } from '../../transport/server-name.ts';
import { AccountData } from './AccountData.tsx';
import { UserOverview } from './UserOverview.tsx';
import { UserRoomList } from './UserRoomList.tsx';
import { UserSessions } from './UserSessions.tsx';
import type { UserPageSearch } from './user-search.ts';

type Part = NonNullable<UserPageSearch['part']>;

export function UserScreen() {
  const server = useServer();
  const { userId } = useParams({ from: '/frame/server/users/$userId' });
  const { part: requestedPart = 'overview' } = useSearch({ from: '/frame/server/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  const isUserId = /^@[^:]+:./.test(userId);
  const query = useQuery({
    ...userQuery(server, userId),
    refetchInterval: pollWhileLoaded,
    enabled: isUserId,
  });
  const offered = useQuery(offeredQuery(server));
  const team = useTeam();
  if (!isUserId) {
    return (
      <UserUnavailable
        title={i18n.t('Invalid user ID')}
        description={i18n.t('Enter a user ID like @name:server.')}
      />
    );
  }
  const tabs: { id: Part; name: string }[] = [
    { id: 'overview', name: i18n.t('Overview') },
    { id: 'sessions', name: i18n.t('Sessions') },
    { id: 'rooms', name: i18n.t('Rooms') },
    { id: 'media', name: i18n.t('Media') },
  ];
  if (offered.data?.has('accountData')) tabs.push({ id: 'data', name: i18n.t('Account data') });
  const isMissing = offered.data && !tabs.some(({ id }) => id === requestedPart);
  const part = isMissing ? 'overview' : requestedPart;
  return (
    <LoadedScreen
      query={query}
      loading={i18n.t('Loading account…')}
      failed={i18n.t("Couldn't load account")}
      notFound={
        <UserUnavailable
          title={i18n.t('Account not found')}
          description={i18n.t('No local user has this ID. It may be mistyped or remote.')}
        />
      }
    >
      {(user) => (
        <SubjectPage
          key={userId}
          customLayout
          name={user.displayname || user.name}
          id={user.name}
          badges={userStates(user, {
            entries: team.timeline({ kind: 'user', userId }),
            ownServer: serverName(server.connection),
          })}
          query={query}
          actions={<ActionBar on={{ users: [{ userId }] }} />}
        >
          <PageTabs
            label={i18n.t('Page sections')}
            tabs={tabs}
            current={part}
            onChange={(id) =>
              navigate({
                search: ({ server }) => ({ server, ...(id !== 'overview' && { part: id as Part }) }),
              })
            }
          >
            {part === 'overview' ? (
              <UserOverview user={user} />
            ) : (
              <SubjectList>
                {part === 'sessions' && <UserSessions userId={userId} />}
                {part === 'rooms' && <UserRoomList userId={userId} />}
                {part === 'media' && <UserMedia userId={userId} />}
                {part === 'data' && <AccountData userId={userId} />}
              </SubjectList>
            )}
          </PageTabs>
        </SubjectPage>
      )}
    </LoadedScreen>
  );
}

function UserUnavailable({ title, description }: { title: string; description: string }) {
  return (
    <StateMessage
      isScreen
      icon={<IconUserOff size={24} stroke={1.5} />}
      title={title}
      description={description}
    />
  );
}

function UserMedia({ userId }: { userId: string }) {
  const address = useSearch({ from: '/frame/server/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  return (
    <UserMediaList
      userId={userId}
      title={i18n.t('Media')}
      search={address}
      onChange={(changes) => navigate({ search: (current) => ({ ...current, ...changes }) })}
    />
  );
}
