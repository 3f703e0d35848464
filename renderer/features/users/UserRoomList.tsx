import { i18n } from '@lingui/core';
import { IconBan, IconDoorEnter, IconDoorExit, IconHandStop, IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { isExpected, type UnexpectedEntry } from '../../api/lenient.ts';
import { userMembershipsQuery } from '../../api/memberships.ts';
import { ChoiceField } from '../../components/filters/FilterFields.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { type State, StateMark } from '../../components/State.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { LocalTable } from '../../components/table/LocalTable.tsx';
import { useRowSelection } from '../../components/table/selection.ts';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { LoadedRoomCell } from '../../subjects/RoomCell.tsx';
import { useUserRooms } from '../../subjects/UserRooms.tsx';
import { ellipsize } from '../../words/clip.ts';
import { number } from '../../words/format.ts';
import { type UserPageSearch, useListSearch } from './user-search.ts';

type Membership = NonNullable<UserPageSearch['membership']>;
type Row = { roomId: string; membership: string };

/** Lists the rooms that a user is in, and if the server knows them also invitations, bans and rooms left. */
export function UserRoomList({ userId }: { userId: string }) {
  const server = useServer();
  const joined = useUserRooms(userId);
  const memberships = useQuery(userMembershipsQuery(server, userId));
  const { membership } = useSearch({ from: '/frame/server/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  const isListed = memberships.data !== null && memberships.data !== undefined;
  const { find, onFind, sort, onSort } = useListSearch({ order: isListed ? 'membership' : 'id', dir: 'f' });
  const selection = useRowSelection(userId);
  const rows = useMemo(() => rowsOf(joined.data, memberships.data), [joined.data, memberships.data]);
  const query = isListed ? memberships : joined;
  const isLoading = memberships.isPending && !memberships.error;
  return (
    <Loaded
      query={{ ...query, data: isLoading ? undefined : rows }}
      loading={i18n.t('Loading rooms…')}
      notFound={i18n.t('No known rooms')}
    >
      {(all) => (
        <LocalTable
          id="user-rooms"
          label={i18n.t('Rooms')}
          rows={shownOf(all, membership)}
          columns={columns(isListed)}
          idOf={({ roomId }) => roomId}
          sort={sort}
          onSort={onSort}
          sortValue={({ roomId, membership }, order) =>
            order === 'membership' ? membershipOrder.indexOf(membership as Membership) : roomId
          }
          search={{ label: i18n.t('Search room IDs'), value: find, onChange: onFind }}
          textOf={({ roomId }) => roomId}
          countOf={(count) => i18n.t('{count, plural, one {# room} other {# rooms}}', { count })}
          emptyText={i18n.t('No rooms')}
          filters={
            isListed && (
              <ChoiceField
                label={i18n.t('Membership')}
                value={membership}
                none={i18n.t('All memberships')}
                choices={membershipOrder.flatMap((value) => {
                  const count = withMembership(all, value).length;
                  const label = `${membershipName(value)} (${number(count)})`;
                  return count > 0 ? [{ value, label }] : [];
                })}
                onChange={(membership) => navigate({ search: (current) => ({ ...current, membership }) })}
              />
            )
          }
          selection={selection}
          actions={
            <ActionBar
              on={{ members: [...selection.selected].map((roomId) => ({ userId, roomId })) }}
              onActed={() => {
                selection.clear();
                void joined.refetch();
                if (isListed) void memberships.refetch();
              }}
            />
          }
        />
      )}
    </Loaded>
  );
}

const withMembership = (rows: readonly (Row | UnexpectedEntry)[], membership: Membership) =>
  rows.filter((row) => isExpected(row) && row.membership === membership);

/** Returns the rooms with this membership; all if there are none. */
function shownOf(all: (Row | UnexpectedEntry)[], membership: Membership | undefined) {
  const chosen = membership ? withMembership(all, membership) : [];
  return chosen.length > 0 ? chosen : all;
}

const membershipOrder: Membership[] = ['join', 'invite', 'knock', 'ban', 'leave'];

function rowsOf(
  joined: { joined_rooms: string[]; unexpected: UnexpectedEntry[] } | undefined,
  memberships: Record<string, string> | null | undefined,
): (Row | UnexpectedEntry)[] | undefined {
  if (memberships) {
    return Object.entries(memberships).map(([roomId, membership]) => ({ roomId, membership }));
  }
  return (
    joined && [...joined.joined_rooms.map((roomId) => ({ roomId, membership: 'join' })), ...joined.unexpected]
  );
}

function membershipName(membership: string): string {
  switch (membership) {
    case 'join':
      return i18n.t('Joined');
    case 'invite':
      return i18n.t('Invited');
    case 'knock':
      return i18n.t('Asked to join');
    case 'ban':
      return i18n.t('Banned');
    case 'leave':
      return i18n.t('Left');
    default:
      return ellipsize(membership, 50);
  }
}

const tones: Record<string, State> = {
  join: { words: '', tone: 'success', icon: IconDoorEnter },
  invite: { words: '', tone: 'info', icon: IconMail },
  knock: { words: '', tone: 'info', icon: IconHandStop },
  ban: { words: '', tone: 'danger', icon: IconBan },
};

const columns = (hasMemberships: boolean): Column<Row>[] => [
  {
    id: 'name',
    name: i18n.t('Room'),
    width: 260,
    value: null,
    cell: ({ roomId }) => <LoadedRoomCell roomId={roomId} fact="name" />,
  },
  ...(hasMemberships
    ? ([
        {
          id: 'membership',
          name: i18n.t('Membership'),
          width: 130,
          order: 'membership',
          value: ({ membership }) => membershipName(membership),
          cell: ({ membership }) => (
            <StateMark
              {...(tones[membership] ?? { tone: 'neutral', icon: IconDoorExit })}
              words={membershipName(membership)}
            />
          ),
        },
      ] satisfies Column<Row>[])
    : []),
  {
    id: 'id',
    name: i18n.t('Room ID'),
    width: 300,
    order: 'id',
    value: ({ roomId }) => roomId,
    cell: ({ roomId }) => (
      <span className={cells.mono} title={roomId}>
        <HazardText text={roomId} />
      </span>
    ),
  },
  {
    id: 'members',
    name: i18n.t('Members'),
    width: 100,
    isNumeric: true,
    value: null,
    cell: ({ roomId }) => <LoadedRoomCell roomId={roomId} fact="joined_members" />,
  },
];
