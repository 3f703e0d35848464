import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { displayNames } from '../../api/event-context.ts';
import { isExpected, type UnexpectedEntry } from '../../api/lenient.ts';
import { type Room, roomMembersQuery } from '../../api/room.ts';
import { type PrivilegedMember, readPowerLevels } from '../../components/event/power-levels.ts';
import type { Column } from '../../components/table/columns.tsx';
import { LocalTable } from '../../components/table/LocalTable.tsx';
import { useRowSelection } from '../../components/table/selection.ts';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { UserId, UserLink } from '../../subjects/UserCell.tsx';
import { number } from '../../words/format.ts';
import { useRoomState } from './room-state.tsx';

type Member = { userId: string; name: string | undefined; power: PrivilegedMember['level'] | undefined };

/** Lists the joined members; with names and power levels once the room state is loaded. */
export function RoomMemberList({ room }: { room: Room }) {
  const roomId = room.room_id;
  const { find, order = 'user', dir = 'f' } = useSearch({ from: '/frame/server/rooms/$roomId' });
  const navigate = useNavigate({ from: '/rooms/$roomId' });
  const members = useQuery(roomMembersQuery(useServer(), roomId));
  const { query: state, isRequested, request } = useRoomState(room);
  const selection = useRowSelection(roomId);
  const ids = members.data?.rows;
  const memberRows = useMemo(() => (ids ? membersOf(ids, state.data) : undefined), [ids, state.data]);
  return (
    <Loaded
      query={{ ...members, data: memberRows }}
      loading={i18n.t('Loading members…')}
      lines={8}
      notFound={i18n.t('No known members')}
    >
      {(rows) => (
        <LocalTable
          id="members"
          label={i18n.t('Members')}
          rows={rows}
          columns={columns(state.data !== undefined)}
          idOf={({ userId }) => userId}
          sort={{ order, dir }}
          onSort={(sort) => navigate({ search: (current) => ({ ...current, ...sort }) as typeof current })}
          sortValue={orderedBy}
          search={{
            label: i18n.t('Search members'),
            value: find,
            onChange: (next) => navigate({ search: (current) => ({ ...current, find: next }) }),
          }}
          textOf={({ userId, name }) => `${userId} ${name ?? ''}`}
          countOf={(count) => i18n.t('{count, plural, one {# member} other {# members}}', { count })}
          emptyText={i18n.t('No members')}
          filters={
            !isRequested && (
              <Button variant="default" onClick={request}>
                {i18n.t('Load names and power levels ({count} state events)', {
                  count: number(room.state_events ?? 0),
                })}
              </Button>
            )
          }
          selection={selection}
          actions={
            <ActionBar
              on={{
                members: [...selection.selected].map((userId) => ({ userId, roomId })),
                users: [...selection.selected].map((userId) => ({ userId })),
              }}
              onActed={() => {
                selection.clear();
                void members.refetch();
              }}
            />
          }
        />
      )}
    </Loaded>
  );
}

function membersOf(
  ids: readonly (string | UnexpectedEntry)[],
  state: Parameters<typeof readPowerLevels>[0] | undefined,
): (Member | UnexpectedEntry)[] {
  const mapIds = (memberOf: (userId: string) => Member) =>
    ids.map((id) => (isExpected(id) ? memberOf(id) : id));
  if (!state) return mapIds((userId) => ({ userId, name: undefined, power: undefined }));
  const { privileged, defaultLevel } = readPowerLevels(state);
  const powers = new Map(privileged.map(({ userId, level }) => [userId, level]));
  const names = displayNames(state);
  return mapIds((userId) => ({
    userId,
    name: names.get(userId),
    power: powers.get(userId) ?? defaultLevel,
  }));
}

function orderedBy({ userId, name, power }: Member, order: string) {
  if (order === 'power') return power === 'creator' ? Number.MAX_SAFE_INTEGER : power;
  return order === 'name' ? name : userId;
}

const columns = (hasState: boolean): Column<Member>[] => [
  {
    id: hasState ? 'name' : 'user',
    name: i18n.t('User'),
    width: 260,
    order: hasState ? 'name' : 'user',
    value: ({ userId, name }) => (hasState ? name : userId),
    cell: ({ userId, name }) => <UserLink userId={userId} name={name} />,
  },
  ...(hasState
    ? ([
        {
          id: 'user',
          name: i18n.t('User ID'),
          width: 260,
          order: 'user',
          value: ({ userId }) => userId,
          cell: ({ userId }) => <UserId userId={userId} />,
        },
        {
          id: 'power',
          name: i18n.t('Power level'),
          width: 100,
          isNumeric: true,
          order: 'power',
          descending: true,
          cell: ({ power }) =>
            power === 'creator' ? i18n.t('creator') : power === undefined ? '' : number(power),
        },
      ] satisfies Column<Member>[])
    : []),
];
