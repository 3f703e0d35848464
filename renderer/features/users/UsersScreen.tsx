import { i18n } from '@lingui/core';
import { Button, Checkbox, SegmentedControl } from '@mantine/core';
import { IconUserPlus, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { offeredQuery } from '../../api/offered.ts';
import {
  everyUserQuery,
  findsMailQuery,
  isMail,
  type UserListFilter,
  userList,
} from '../../api/user-list.ts';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { usePagedRows } from '../../components/table/rows.ts';
import { useCommands, useServer } from '../../console-context.ts';
import { useOfTeam } from '../../team/use-team.ts';
import { number } from '../../words/format.ts';
import { DelegatedAccounts } from './DelegatedAccounts.tsx';
import { NewUser } from './making/NewUser.tsx';
import { suspendedByTheTeam, UsersActions, userColumns } from './user-columns.tsx';
import { filterOf, isFiltered, noFilters, type UserSearch } from './user-search.ts';

/** Everyone who has an account on the server. */
export function UsersScreen() {
  const server = useServer();
  const address = useSearch({ from: '/frame/server/users' });
  const navigate = useNavigate({ from: '/users' });
  const filter = filterOf(address);
  const rows = usePagedRows(userList(server, filter));
  const entries = useOfTeam((team) => team.entries);
  const columns = useMemo(() => userColumns(suspendedByTheTeam(entries)), [entries]);
  const change = (changes: Partial<UserSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });

  const leftOut = useLeftOut(filter, rows.isOld ? undefined : rows.total);

  const isMailSought = address.search !== undefined && isMail(address.search) && rows.total === 0;
  const findsMail = useQuery({ ...findsMailQuery(server), enabled: isMailSought });

  const offered = useQuery(offeredQuery(server)).data;
  // The homeserver's list doesn't tell then who may administer it.
  const isDelegated = offered && !offered.has('ownAccounts') && !offered.unknown.has('ownAccounts');
  const canMake = offered?.has('users') === true && offered.has('nameAvailable') && offered.has('accounts');
  const make = (is: boolean) => change({ make: is || undefined });
  const lookAlikes = () =>
    navigate({ to: '/users/look-alikes', search: ({ server, search }) => ({ server, search }) });
  useCommands([
    {
      id: 'look-alikes',
      label: i18n.t('Find look-alikes'),
      group: i18n.t('Users'),
      keys: ['i'],
      icon: <IconUsersGroup size={17} stroke={1.6} />,
      run: lookAlikes,
    },
    ...(canMake
      ? [
          {
            id: 'make user',
            label: i18n.t('Create user'),
            group: i18n.t('Users'),
            keys: ['+', 'n'],
            icon: <IconUserPlus size={17} stroke={1.6} />,
            run: () => make(true),
          },
        ]
      : []),
  ]);

  return (
    <>
      <ListScreen
        id="users"
        title={i18n.t('Users')}
        columns={columns}
        rows={rows}
        idOf={({ name }) => name}
        sort={filter}
        onSort={({ order, dir }) => change({ order, dir })}
        search={{
          label: i18n.t('Search users'),
          value: address.search,
          onChange: (search) => change({ search }),
        }}
        ways={() => (
          <>
            <Button
              variant="default"
              leftSection={<IconUsersGroup size={14} stroke={1.7} aria-hidden />}
              onClick={lookAlikes}
            >
              {i18n.t('Look-alikes')}
            </Button>
            {canMake && (
              <Button
                variant="default"
                aria-haspopup="dialog"
                leftSection={<IconUserPlus size={14} stroke={1.7} aria-hidden />}
                onClick={() => make(true)}
              >
                {i18n.t('Create user')}
              </Button>
            )}
          </>
        )}
        filters={
          <>
            {!isDelegated && (
              <SegmentedControl
                aria-label={i18n.t('Filter users')}
                value={address.show ?? 'all'}
                onChange={(show) =>
                  change({ show: show === 'all' ? undefined : (show as UserSearch['show']) })
                }
                data={[
                  { value: 'all', label: i18n.t('All') },
                  { value: 'administrators', label: i18n.t('Admins') },
                  { value: 'others', label: i18n.t('Others') },
                ]}
              />
            )}
            <Checkbox
              size="xs"
              label={i18n.t('Include deactivated')}
              checked={address.deactivated ?? false}
              onChange={(event) => change({ deactivated: event.currentTarget.checked || undefined })}
            />
            <Checkbox
              size="xs"
              label={i18n.t('Include locked')}
              checked={address.locked ?? false}
              onChange={(event) => change({ locked: event.currentTarget.checked || undefined })}
            />
          </>
        }
        others={
          <>
            <DelegatedAccounts />
            {leftOut > 0 && (
              <Button variant="subtle" onClick={() => change({ deactivated: true, locked: true })}>
                {i18n.t('Show {leftOut, plural, other {# deactivated or locked}}', { leftOut })}
              </Button>
            )}
            {isMailSought && findsMail.data === false && (
              <p>{i18n.t("This server can't search by email. Use the name.")}</p>
            )}
          </>
        }
        isFiltered={isFiltered(address)}
        onClear={() => change(noFilters)}
        countOf={(count) =>
          i18n.t('{count, plural, one {{shown} user} other {{shown} users}}', { count, shown: number(count) })
        }
        words={{
          loading: i18n.t('Loading users…'),
          failed: i18n.t("Couldn't load users"),
          none: i18n.t('No users'),
          noneNote: i18n.t('No accounts on this server yet.'),
          noneMatches: i18n.t('No matching users'),
        }}
        actions={(userIds, onActed) => <UsersActions userIds={userIds} onActed={onActed} />}
      />
      {canMake && <NewUser opened={address.make === true} onClose={() => make(false)} />}
    </>
  );
}

/** How many match but for being deactivated or locked. A search looks at every name: a second one only for nothing. */
function useLeftOut(filter: UserListFilter, total: number | undefined): number {
  const isAll = filter.deactivated === true && filter.locked === true;
  const wanted = !isAll && total !== undefined && (filter.search === undefined || total === 0);
  const everyone = useQuery({ ...everyUserQuery(useServer(), filter), enabled: wanted });
  return wanted && everyone.data !== undefined ? everyone.data - total : 0;
}
