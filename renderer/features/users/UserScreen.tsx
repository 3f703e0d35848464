import { i18n } from '@lingui/core';
import { IconUserOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { offeredQuery } from '../../api/offered.ts';
import { userQuery } from '../../api/user.ts';
import { FailureMessage } from '../../components/FailureMessage.tsx';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { PageTabs } from '../../components/PageTabs.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { SubjectList, SubjectPage } from '../../components/SubjectPage.tsx';
import { useServer } from '../../console-context.ts';
import { lookAgain } from '../../subjects/looked-at.ts';
import { UploadList } from '../../subjects/uploads/UploadList.tsx';
import { statesOf } from '../../subjects/user-states.ts';
import { useTeam } from '../../team/use-team.ts';
import { NotFound } from '../../transport/refusal.ts';
import { serverName } from '../../transport/server-name.ts';
import { AccountData } from './AccountData.tsx';
import { UserOverview } from './UserOverview.tsx';
import { UserRoomList } from './UserRoomList.tsx';
import { UserSessions } from './UserSessions.tsx';
import type { UserPageSearch } from './user-search.ts';

type Part = NonNullable<UserPageSearch['part']>;

/** One account: whose it is, what it is connected with, and what can be done. */
export function UserScreen() {
  const server = useServer();
  const { userId } = useParams({ from: '/frame/server/users/$userId' });
  const { part: wanted = 'overview' } = useSearch({ from: '/frame/server/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  const isUserId = /^@[^:]+:./.test(userId);
  const query = useQuery({ ...userQuery(server, userId), refetchInterval: lookAgain, enabled: isUserId });
  const offered = useQuery(offeredQuery(server));
  const team = useTeam();
  if (!isUserId) return <NoUserId />;
  if (query.isPending) return <LoadingNote text={i18n.t('Loading account…')} />;
  if (!query.data && query.error instanceof NotFound) return <NoSuchAccount />;
  if (!query.data) {
    return (
      <FailureMessage
        isScreen
        title={i18n.t("Couldn't load account")}
        error={query.error}
        onRetry={() => query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  const user = query.data;
  const tabs: { id: Part; name: string }[] = [
    { id: 'overview', name: i18n.t('Overview') },
    { id: 'sessions', name: i18n.t('Sessions') },
    { id: 'rooms', name: i18n.t('Rooms') },
    { id: 'media', name: i18n.t('Media') },
  ];
  if (offered.data?.has('accountData')) tabs.push({ id: 'data', name: i18n.t('Account data') });
  // While it isn't known yet, what the address says is shown.
  const part = offered.data && !tabs.some(({ id }) => id === wanted) ? 'overview' : wanted;
  return (
    <SubjectPage
      key={userId}
      whole
      name={user.displayname || user.name}
      id={user.name}
      badges={statesOf(user, {
        entries: team.timeline({ kind: 'user', userId }),
        ownServer: serverName(server.connection),
      })}
      asked={query}
      actions={<ActionBar on={{ users: [{ userId }] }} />}
    >
      <PageTabs
        label={i18n.t('Page sections')}
        tabs={tabs}
        current={part}
        onChange={(id) =>
          navigate({ search: ({ server }) => ({ server, ...(id !== 'overview' && { part: id as Part }) }) })
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
  );
}

const NoUserId = () => (
  <StateMessage
    isScreen
    icon={<IconUserOff size={24} stroke={1.5} />}
    title={i18n.t('Invalid user ID')}
    description={i18n.t('Enter a user ID like @name:server.')}
  />
);

/** In the place of an account that the server does not have. */
const NoSuchAccount = () => (
  <StateMessage
    isScreen
    icon={<IconUserOff size={24} stroke={1.5} />}
    title={i18n.t('Account not found')}
    description={i18n.t('No local user has this ID. It may be mistyped or remote.')}
  />
);

/** What somebody uploaded; what is done with all of it is among the page's own actions. */
function UserMedia({ userId }: { userId: string }) {
  const address = useSearch({ from: '/frame/server/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  return (
    <UploadList
      userId={userId}
      title={i18n.t('Media')}
      address={address}
      onChange={(changes) => navigate({ search: (current) => ({ ...current, ...changes }) })}
    />
  );
}
