import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ActionBar } from '../../actions/ActionBar.tsx';
import { nameOfAction } from '../../actions/action-name.ts';
import { userQuery } from '../../api/user.ts';
import { FailureMessage } from '../../components/FailureMessage.tsx';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { SubjectPage } from '../../components/SubjectPage.tsx';
import { useServer } from '../../console-context.ts';
import { AccountFacts, UserConnections } from '../../subjects/UserPart.tsx';
import { statesOf } from '../../subjects/user-states.ts';
import { Timeline } from '../../team/Timeline.tsx';

/** One account: whose it is, what it is connected with, and what can be done. */
export function UserScreen() {
  const server = useServer();
  const { userId } = useParams({ from: '/frame/server/users/$userId' });
  const query = useQuery(userQuery(server, userId));
  if (query.isPending) return <LoadingNote text={i18n.t('Loading the account…')} />;
  if (!query.data) {
    return (
      <FailureMessage
        isScreen
        title={i18n.t('The account could not be loaded')}
        error={query.error}
        onRetry={() => query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  const user = query.data;
  return (
    <SubjectPage
      name={user.displayname || user.name}
      id={user.name}
      badges={statesOf(user)}
      actions={<ActionBar on={{ users: [{ userId }] }} />}
      history={<Timeline subject={{ kind: 'user', userId }} nameOfAction={nameOfAction} />}
    >
      <AccountFacts user={user} />
      <UserConnections userId={userId} isLocal />
    </SubjectPage>
  );
}
