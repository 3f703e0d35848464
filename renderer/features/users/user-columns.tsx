import { i18n } from '@lingui/core';
import { useMemo } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import type { UserListItem } from '../../api/user-list.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { States } from '../../components/State.tsx';
import type { Column } from '../../components/table/columns.tsx';
import { timeColumn } from '../../components/table/TimeCell.tsx';
import { UserId, UserLink } from '../../subjects/UserCell.tsx';
import { userStates } from '../../subjects/user-states.ts';

/** @param suspended suspensions known from the team's log; user lists don't include them */
export function userColumns(suspended: ReadonlyMap<string, boolean>): Column<UserListItem>[] {
  const statesOf = (user: UserListItem) =>
    userStates({ ...user, suspended: user.suspended ?? suspended.get(user.name) });
  return [
    {
      id: 'displayname',
      name: i18n.t('User'),
      width: 210,
      order: 'displayname',
      cell: ({ name, displayname }) => <UserLink userId={name} name={displayname} />,
    },
    {
      id: 'name',
      name: i18n.t('User ID'),
      width: 200,
      order: 'name',
      cell: ({ name }) => <UserId userId={name} />,
    },
    {
      id: 'state',
      name: i18n.t('Status'),
      tooltip: i18n.t('Shows only suspensions by your team.'),
      width: 150,
      value: (user) =>
        statesOf(user)
          .map(({ words }) => words)
          .join(', '),
      cell: (user) => <States states={statesOf(user)} />,
    },
    {
      id: 'last_seen_ts',
      name: i18n.t('Last seen'),
      width: 110,
      order: 'last_seen_ts',
      ...timeColumn(({ last_seen_ts }) => last_seen_ts),
    },
    {
      id: 'creation_ts',
      name: i18n.t('Created'),
      width: 110,
      order: 'creation_ts',
      ...timeColumn(({ creation_ts }) => creation_ts),
    },
    {
      id: 'admin',
      name: i18n.t('Admin'),
      width: 120,
      // The status contains it as well, so the column is optional.
      hiddenByDefault: true,
      isOnlyChosen: true,
      order: 'admin',
      descending: true,
      cell: ({ admin }) => (admin ? i18n.t('Yes') : ''),
    },
    {
      id: 'user_type',
      name: i18n.t('User type'),
      width: 130,
      // As above.
      hiddenByDefault: true,
      isOnlyChosen: true,
      order: 'user_type',
      cell: ({ user_type }) => user_type && <HazardText text={user_type} />,
    },
  ];
}

/** Memoizes the items: thousands can be selected. */
export function UsersActions({ userIds, onActed }: { userIds: readonly string[]; onActed: () => void }) {
  const on = useMemo(() => ({ users: userIds.map((userId) => ({ userId })) }), [userIds]);
  return <ActionBar on={on} onActed={onActed} />;
}
