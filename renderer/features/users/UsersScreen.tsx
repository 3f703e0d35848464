import { i18n } from '@lingui/core';
import { Button, Checkbox, SegmentedControl } from '@mantine/core';
import { IconFileImport, IconUserPlus, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { isDelegated, offeredQuery } from '../../api/supported-endpoints.ts';
import {
  findsEmailQuery,
  isEmail,
  type UserListFilter,
  type UserListItem,
  userList,
  userTotalQuery,
} from '../../api/user-list.ts';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { type PagedRows, usePagedRows } from '../../components/table/rows.ts';
import { ListScanBar, useListScan } from '../../components/table/use-list-scan.tsx';
import { useCommands, useServer } from '../../console-context.ts';
import { suspensionsByTeam } from '../../subjects/user-states.ts';
import { SavedViews } from '../../team/SavedViews.tsx';
import { useRoleLimit } from '../../team/use-role.ts';
import { useTeamValue } from '../../team/use-team.ts';
import { CreateUserDialog } from './create/CreateUserDialog.tsx';
import { DelegatedAccounts } from './DelegatedAccounts.tsx';
import { SegmentChips } from './segments/SegmentChips.tsx';
import { type SegmentUser, segmentFilter } from './segments/user-segment.ts';
import { isSegment } from './segments/user-traits.ts';
import { UsersActions, userColumns } from './user-columns.tsx';
import { filterOf, isFiltered, noFilters, segmentOf, type UserSearch } from './user-search.ts';

export function UsersScreen() {
  const server = useServer();
  const address = useSearch({ from: '/frame/server/users' });
  const navigate = useNavigate({ from: '/users' });
  const filter = filterOf(address);
  const segment = segmentOf(address);
  const isScanned = isSegment(segment);
  const paged = usePagedRows(userList(server, filter), !isScanned);
  const scan = useListScan<SegmentUser>({
    source: userList(server, { ...filter, order: 'name', dir: 'f' }),
    filter: isScanned ? segmentFilter(server, segment) : undefined,
    idOf: ({ name }) => name,
    sort: filter,
  });
  const rows: PagedRows<UserListItem> = isScanned ? scan.rows : paged;
  const entries = useTeamValue((team) => team.entries);
  const columns = useMemo(() => userColumns(suspensionsByTeam(entries)), [entries]);
  const change = (changes: Partial<UserSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });

  const hiddenCount = useHiddenCount(filter, rows.isStale || isScanned ? undefined : rows.total);

  const isEmptyEmailSearch = address.search !== undefined && isEmail(address.search) && rows.total === 0;
  const emailSearch = useQuery({ ...findsEmailQuery(server), enabled: isEmptyEmailSearch });

  const offered = useQuery(offeredQuery(server)).data;
  // With delegated accounts, the list has no admin flag.
  const areDelegated = offered && isDelegated(offered);
  const canCreate =
    !useRoleLimit('lead') &&
    offered?.has('users') === true &&
    offered.has('nameAvailable') &&
    offered.has('accounts');
  const setCreating = (isOpen: boolean) => change({ make: isOpen || undefined });
  const openLookAlikes = () =>
    navigate({ to: '/users/look-alikes', search: ({ server, search }) => ({ server, search }) });
  const openImport = () => navigate({ to: '/users/import' });
  useCommands([
    {
      id: 'look-alikes',
      label: i18n.t('Find look-alikes'),
      group: i18n.t('Users'),
      keys: ['i'],
      icon: <IconUsersGroup size={17} stroke={1.6} />,
      run: openLookAlikes,
    },
    ...(canCreate
      ? [
          {
            id: 'create user',
            label: i18n.t('Create user'),
            group: i18n.t('Users'),
            keys: ['+', 'n'],
            icon: <IconUserPlus size={17} stroke={1.6} />,
            run: () => setCreating(true),
          },
          {
            id: 'import users',
            label: i18n.t('Import users'),
            group: i18n.t('Users'),
            icon: <IconFileImport size={17} stroke={1.6} />,
            run: openImport,
          },
        ]
      : []),
  ]);

  return (
    <>
      <ListScreen
        id="users"
        views={<SavedViews list="users" hasColumns />}
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
        headingActions={() => (
          <>
            <ButtonWithIcon variant="default" icon={IconUsersGroup} onClick={openLookAlikes}>
              {i18n.t('Look-alikes')}
            </ButtonWithIcon>
            {canCreate && (
              <ButtonWithIcon variant="default" icon={IconFileImport} onClick={openImport}>
                {i18n.t('Import')}
              </ButtonWithIcon>
            )}
            {canCreate && (
              <ButtonWithIcon
                variant="default"
                aria-haspopup="dialog"
                icon={IconUserPlus}
                onClick={() => setCreating(true)}
              >
                {i18n.t('Create user')}
              </ButtonWithIcon>
            )}
          </>
        )}
        filters={
          <>
            {!areDelegated && (
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
            <SegmentChips segment={segment} onChange={(changes) => change(changes as Partial<UserSearch>)} />
          </>
        }
        above={() => isScanned && <ListScanBar progress={scan.progress} />}
        {...(isScanned && { onActed: (userIds: readonly string[]) => void scan.recheck(userIds) })}
        hiddenRowsLink={
          <>
            <DelegatedAccounts />
            {hiddenCount > 0 && (
              <Button variant="subtle" onClick={() => change({ deactivated: true, locked: true })}>
                {i18n.t('Show {leftOut, plural, other {# deactivated or locked}}', { leftOut: hiddenCount })}
              </Button>
            )}
            {isEmptyEmailSearch && emailSearch.data === false && (
              <p>{i18n.t("This server can't search by email. Use the name.")}</p>
            )}
          </>
        }
        isFiltered={isFiltered(address)}
        onClear={() => change(noFilters)}
        countOf={(count) => i18n.t('{count, plural, one {# user} other {# users}}', { count })}
        texts={{
          loading: i18n.t('Loading users…'),
          loadFailed: i18n.t("Couldn't load users"),
          empty: i18n.t('No users'),
          emptyNote: i18n.t('No accounts on this server yet.'),
          noMatches: i18n.t('No matching users'),
          noMatchesNote:
            address.search === undefined
              ? undefined
              : i18n.t('Search by part of a name or ID, or a whole email, phone (+…) or provider:ID.'),
        }}
        actions={(userIds, onActed) => <UsersActions userIds={userIds} onActed={onActed} />}
      />
      {canCreate && <CreateUserDialog opened={address.make === true} onClose={() => setCreating(false)} />}
    </>
  );
}

/** Counts matching users that are hidden as deactivated or locked. Searches are costly: counts only if nothing matched. */
function useHiddenCount(filter: UserListFilter, total: number | undefined): number {
  const isAll = filter.deactivated === true && filter.locked === true;
  const isCounted = !isAll && total !== undefined && (filter.search === undefined || total === 0);
  const everyone = useQuery({ ...userTotalQuery(useServer(), filter), enabled: isCounted });
  return isCounted && everyone.data !== undefined ? everyone.data - total : 0;
}
