import { i18n } from '@lingui/core';
import { IconUserOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { offeredQuery } from '../../api/supported-endpoints.ts';
import { userQuery } from '../../api/user.ts';
import { pushersQuery } from '../../api/user-signals.ts';
import { pollWhileLoaded } from '../../components/in-view.ts';
import { StateMessage } from '../../components/LoadStates.tsx';
import { SubjectPage, SubjectTabs } from '../../components/page/SubjectPage.tsx';
import { useServer } from '../../console-context.ts';
import { LoadedScreen } from '../../subjects/Loaded.tsx';
import { UserMediaList } from '../../subjects/media/UserMediaList.tsx';
import { userStates } from '../../subjects/user-states.ts';
import { useTeam } from '../../team/use-team.ts';
import { serverName } from '../../transport/server-name.ts';
import { AccountData } from './AccountData.tsx';
import { UserOverview } from './UserOverview.tsx';
import { UserPushers } from './UserPushers.tsx';
import { UserRoomList } from './UserRoomList.tsx';
import { UserSessions } from './UserSessions.tsx';
import type { UserPageSearch } from './user-search.ts';

type Part = NonNullable<UserPageSearch['part']>;

/** Actions with a button, as far as they are available: the first two. */
const shownActions = [
  'reactivate-user',
  'suspend-user',
  'unsuspend-user',
  'reset-password',
  'lock-user',
  'unlock-user',
  'end-sessions',
];

export function UserScreen() {
  const server = useServer();
  const { userId } = useParams({ from: '/frame/server/users/$userId' });
  const { part } = useSearch({ from: '/frame/server/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  const isUserId = /^@[^:]+:./.test(userId);
  const query = useQuery({
    ...userQuery(server, userId),
    refetchInterval: pollWhileLoaded,
    enabled: isUserId,
  });
  const offered = useQuery(offeredQuery(server));
  const pushers = useQuery({ ...pushersQuery(server, userId), enabled: isUserId && query.isSuccess });
  const team = useTeam();
  if (!isUserId) {
    return (
      <StateMessage
        isScreen
        icon={<IconUserOff size={24} stroke={1.5} />}
        title={i18n.t('Invalid user ID')}
        description={i18n.t('Enter a user ID like @name:server.')}
      />
    );
  }
  // Assumed while unknown, so that its address opens it.
  const hasAccountData = offered.data ? offered.data.has('accountData') : part === 'data';
  const accountData = {
    id: 'data' as const,
    name: i18n.t('Account data'),
    content: () => <AccountData userId={userId} />,
  };
  return (
    <LoadedScreen
      id={userId}
      query={query}
      loading={i18n.t('Loading account…')}
      failed={i18n.t("Couldn't load account")}
      notFound={
        <StateMessage
          icon={<IconUserOff size={24} stroke={1.5} />}
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
          actions={<ActionBar on={{ users: [{ userId }] }} buttons={shownActions} />}
        >
          <SubjectTabs<Part>
            tabs={[
              { id: 'overview', name: i18n.t('Overview'), content: () => <UserOverview user={user} /> },
              {
                id: 'sessions',
                name: i18n.t('Sessions'),
                content: () => <UserSessions userId={userId} />,
              },
              { id: 'rooms', name: i18n.t('Rooms'), content: () => <UserRoomList userId={userId} /> },
              { id: 'media', name: i18n.t('Media'), content: () => <UserMedia userId={userId} /> },
              ...(hasAccountData ? [accountData] : []),
              // Last: known after the others, and mustn't move them.
              ...(pushers.data ? [pushersTab(pushers.data)] : []),
            ]}
            current={part}
            onChange={(part) => navigate({ search: { ...(part && { part }) } })}
          />
        </SubjectPage>
      )}
    </LoadedScreen>
  );
}

const pushersTab = (pushers: ComponentProps<typeof UserPushers>['pushers']) => ({
  id: 'pushers' as const,
  name: i18n.t('Pushers'),
  content: () => <UserPushers pushers={pushers} />,
});

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
