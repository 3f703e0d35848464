import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { UserListItem } from '../../../api/user-list.ts';
import { LookedFar } from '../../../components/LookedFar.tsx';
import { compared, type Value } from '../../../components/table/compared.ts';
import { ListScreen } from '../../../components/table/ListScreen.tsx';
import type { PagedRows } from '../../../components/table/paged-rows.ts';
import { wholeRows } from '../../../components/table/whole-rows.ts';
import { useServer } from '../../../console-context.ts';
import { useOfTeam } from '../../../team/use-team.ts';
import { number } from '../../../words/format.ts';
import { suspendedByTheTeam } from '../suspended-by-the-team.ts';
import { UsersActions } from '../UsersActions.tsx';
import { userColumns } from '../user-columns.tsx';
import type { LookAlikeSearch } from './look-alike-search.ts';
import { type LookAlikes, useLookAlikes } from './use-look-alikes.ts';

/** Users of this server whose names look like somebody's, however they are spelt: no server searches for that. */
export function LookAlikesScreen() {
  const server = useServer();
  const address = useSearch({ from: '/frame/server/users/look-alikes' });
  const navigate = useNavigate({ from: '/users/look-alikes' });
  const { search, order, dir = 'f' } = address;
  const list = useLookAlikes(search);
  const entries = useOfTeam((team) => team.entries);
  const columns = useMemo(() => userColumns(suspendedByTheTeam(entries)), [entries]);
  const change = (changes: Partial<LookAlikeSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });

  const { users } = list;
  const ordered = useMemo(() => {
    if (order === undefined) return users;
    const by = (user: UserListItem) => user[order as keyof UserListItem] as Value;
    return users.toSorted((one, other) => compared(by(one), by(other), dir === 'f' ? 1 : -1));
  }, [users, order, dir]);
  const isUnknown = search !== undefined && ordered.length === 0 && (list.goesOn || list.total === undefined);
  const rows: PagedRows<UserListItem> = {
    ...wholeRows(
      JSON.stringify([server.id, 'look-alikes', search, order, dir]),
      isUnknown ? undefined : ordered,
    ),
    error: isUnknown ? list.error : null,
    isFetching: list.isFetching,
    updatedAt: list.updatedAt,
    refetch: list.error ? list.further : list.anew,
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
        label: i18n.t('A part of a name, or a whole user id'),
        value: search,
        onChange: (next) => change({ search: next }),
      }}
      above={() =>
        search !== undefined && <HowFar list={list} onSearch={(next) => change({ search: next })} />
      }
      isFiltered={false}
      onClear={() => change({ search: undefined })}
      countOf={(count) =>
        search === undefined
          ? ''
          : i18n.t('{count, plural, one {{shown} user looks like it} other {{shown} users look like it}}', {
              count,
              shown: number(count),
            })
      }
      words={wordsOf(search, list)}
      actions={(userIds, onActed) => <UsersActions userIds={userIds} onActed={onActed} />}
      onActed={list.actedOn}
    />
  );
}

const wordsOf = (search: string | undefined, { isComplete }: LookAlikes) => ({
  loading: i18n.t('Looking through the users…'),
  failed: i18n.t('The users could not be looked through'),
  noneMatches: '',
  ...(search === undefined
    ? {
        none: i18n.t('Whom may others imitate?'),
        noneNote: i18n.t(
          'Type a name: those who look like it are found, too, with letters of other scripts, with rn for m or 1 for l.',
        ),
      }
    : isComplete
      ? {
          none: i18n.t('Nobody looks like it'),
          noneNote: i18n.t('All users of this server were looked through.'),
        }
      : {
          none: i18n.t('Nobody so far'),
          noneNote: i18n.t('There may be some among those that were not looked through yet.'),
        }),
});

type HowFarProps = { list: LookAlikes; onSearch: (search: string) => void };

function HowFar({ list, onSearch }: HowFarProps) {
  const { sought, looked, total, isComplete } = list;
  if (total === undefined) return null;
  const numbers = { looked: number(looked), total: number(Math.max(total, looked)) };
  const longest = sought?.userId !== undefined ? sought.names.at(-1) : undefined;
  return (
    <LookedFar
      said={[
        isComplete
          ? i18n.t('All {total} users of this server looked through.', numbers)
          : i18n.t('Looked through {looked} of {total} users of this server, the newest first.', numbers),
        i18n.t('It knows none of other servers.'),
      ].join(' ')}
      error={list.error}
      goesOn={list.goesOn}
      isComplete={isComplete}
      onStop={list.stop}
      onFurther={list.further}
    >
      {longest !== undefined && (
        <Button variant="subtle" size="compact-xs" onClick={() => onSearch(longest)}>
          {i18n.t('Look in longer names, too')}
        </Button>
      )}
      {isComplete && (
        <Button variant="subtle" size="compact-xs" onClick={list.anew}>
          {i18n.t('Look again')}
        </Button>
      )}
    </LookedFar>
  );
}
