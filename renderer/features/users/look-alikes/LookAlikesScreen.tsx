import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { UserListItem } from '../../../api/user-list.ts';
import { ScanBar } from '../../../components/ScanBar.tsx';
import { compareValues, type Value } from '../../../components/table/columns.tsx';
import { ListScreen } from '../../../components/table/ListScreen.tsx';
import { localRows, type PagedRows } from '../../../components/table/rows.ts';
import { useServer } from '../../../console-context.ts';
import { suspensionsByTeam } from '../../../subjects/user-states.ts';
import { useTeamValue } from '../../../team/use-team.ts';
import { number } from '../../../words/format.ts';
import { UsersActions, userColumns } from '../user-columns.tsx';
import type { LookAlikeSearch } from '../user-search.ts';
import { type LookAlikes, useLookAlikes } from './use-look-alikes.ts';

/** Finds local users with a similar-looking name. No server can search for that, so the console scans all users. */
export function LookAlikesScreen() {
  const server = useServer();
  const address = useSearch({ from: '/frame/server/users/look-alikes' });
  const navigate = useNavigate({ from: '/users/look-alikes' });
  const { search, order, dir = 'f' } = address;
  const list = useLookAlikes(search);
  const entries = useTeamValue((team) => team.entries);
  const columns = useMemo(() => userColumns(suspensionsByTeam(entries)), [entries]);
  const change = (changes: Partial<LookAlikeSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });

  const { users } = list;
  const sorted = useMemo(() => {
    if (order === undefined) return users;
    const sortValueOf = (user: UserListItem) => user[order as keyof UserListItem] as Value;
    return users.toSorted((one, other) =>
      compareValues(sortValueOf(one), sortValueOf(other), dir === 'f' ? 1 : -1),
    );
  }, [users, order, dir]);
  const isPending =
    search !== undefined && sorted.length === 0 && (list.isScanning || list.total === undefined);
  const rows: PagedRows<UserListItem> = {
    ...localRows(
      JSON.stringify([server.id, 'look-alikes', search, order, dir]),
      isPending ? undefined : sorted,
    ),
    error: isPending ? list.error : null,
    isFetching: list.isFetching,
    updatedAt: list.updatedAt,
    refetch: list.error ? list.resume : list.restart,
  };

  return (
    <ListScreen
      id="look-alikes"
      title={i18n.t('Look-alikes')}
      columns={columns}
      rows={rows}
      idOf={({ name }) => name}
      sort={{ order: order ?? '', dir }}
      onSort={change}
      search={{
        label: i18n.t('Part of a name or full user ID'),
        value: search,
        onChange: (next) => change({ search: next }),
      }}
      above={() =>
        search !== undefined && <ScanProgress list={list} onSearch={(next) => change({ search: next })} />
      }
      countOf={(count) =>
        search === undefined
          ? ''
          : i18n.t('{count, plural, one {# look-alike} other {# look-alikes}}', { count })
      }
      texts={messagesOf(search, list)}
      actions={(userIds, onActed) => <UsersActions userIds={userIds} onActed={onActed} />}
      onActed={list.refreshUsers}
    />
  );
}

const messagesOf = (search: string | undefined, { isComplete }: LookAlikes) => ({
  loading: i18n.t('Scanning users…'),
  loadFailed: i18n.t("Couldn't scan users"),
  ...(search === undefined
    ? {
        empty: i18n.t('Find impersonators'),
        emptyNote: i18n.t('Finds similar-looking names, with letters of other scripts, rn for m or 1 for l.'),
      }
    : isComplete
      ? {
          empty: i18n.t('No look-alikes'),
          emptyNote: i18n.t('All local users scanned.'),
        }
      : {
          empty: i18n.t('None found yet'),
          emptyNote: i18n.t("Some users aren't scanned yet."),
        }),
});

function ScanProgress({ list, onSearch }: { list: LookAlikes; onSearch: (search: string) => void }) {
  const { target, scanned, total, isComplete } = list;
  if (total === undefined) return null;
  const numbers = { looked: number(scanned), total: number(Math.max(total, scanned)) };
  const longest = target?.userId !== undefined ? target.names.at(-1) : undefined;
  return (
    <ScanBar
      summary={[
        isComplete
          ? i18n.t('All {total} local users scanned.', numbers)
          : i18n.t('{looked} of {total} local users scanned, newest first.', numbers),
        i18n.t("Remote users aren't included."),
      ].join(' ')}
      error={list.error}
      isRunning={list.isScanning}
      isComplete={isComplete}
      onStop={list.stop}
      onContinue={list.resume}
    >
      {longest !== undefined && (
        <Button variant="subtle" size="compact-xs" onClick={() => onSearch(longest)}>
          {i18n.t('Search longer names')}
        </Button>
      )}
      {isComplete && (
        <Button variant="subtle" size="compact-xs" onClick={list.restart}>
          {i18n.t('Refresh')}
        </Button>
      )}
    </ScanBar>
  );
}
