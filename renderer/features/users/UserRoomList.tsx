import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { roomQuery } from '../../api/room.ts';
import { HazardText } from '../../components/HazardText.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { LocalTable } from '../../components/table/LocalTable.tsx';
import { useRowSelection } from '../../components/table/selection.ts';
import { useServer } from '../../console-context.ts';
import { useDwelledInView } from '../../subjects/in-view.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { useUserRooms } from '../../subjects/UserRooms.tsx';
import { ellipsize } from '../../words/clip.ts';
import { number } from '../../words/format.ts';
import { useListSearch } from './user-search.ts';

type Row = { roomId: string };

export function UserRoomList({ userId }: { userId: string }) {
  const query = useUserRooms(userId);
  const { find, onFind, sort, onSort } = useListSearch({ order: 'id', dir: 'f' });
  const selection = useRowSelection(userId);
  return (
    <Loaded query={query} loading={i18n.t('Loading rooms…')} notFound={i18n.t('No known rooms')}>
      {({ joined_rooms, unexpected }) => (
        <LocalTable
          id="user-rooms"
          label={i18n.t('Rooms')}
          rows={[...joined_rooms.map((roomId) => ({ roomId })), ...unexpected]}
          columns={columns()}
          idOf={({ roomId }) => roomId}
          sort={sort}
          onSort={onSort}
          sortValue={({ roomId }) => roomId}
          search={{ label: i18n.t('Search room IDs'), value: find, onChange: onFind }}
          textOf={({ roomId }) => roomId}
          countOf={(count) => i18n.t('{count, plural, one {# room} other {# rooms}}', { count })}
          emptyText={i18n.t('No rooms')}
          selection={selection}
          actions={
            <ActionBar
              on={{ members: [...selection.selected].map((roomId) => ({ userId, roomId })) }}
              onActed={() => {
                selection.clear();
                void query.refetch();
              }}
            />
          }
        />
      )}
    </Loaded>
  );
}

const columns = (): Column<Row>[] => [
  {
    id: 'id',
    name: i18n.t('Room'),
    width: 300,
    order: 'id',
    cell: ({ roomId }) => (
      <Link
        to="/rooms/$roomId"
        params={{ roomId }}
        search={(current) => ({ server: current.server })}
        className={cells.id}
        title={roomId}
      >
        <HazardText text={roomId} />
      </Link>
    ),
  },
  {
    id: 'name',
    name: i18n.t('Name'),
    width: 260,
    cell: ({ roomId }) => <RoomCell roomId={roomId} fact="name" />,
  },
  {
    id: 'members',
    name: i18n.t('Members'),
    width: 100,
    isNumeric: true,
    cell: ({ roomId }) => <RoomCell roomId={roomId} fact="members" />,
  },
];

/** Loads the room once its row has been visible for a moment, not while scrolling past. */
function RoomCell({ roomId, fact }: { roomId: string; fact: 'name' | 'members' }) {
  const [ref, isVisible] = useDwelledInView();
  const { data } = useQuery({ ...roomQuery(useServer(), roomId), enabled: isVisible });
  const name = data?.name ?? data?.canonical_alias;
  return (
    <span ref={ref}>
      {fact === 'name'
        ? name && <HazardText text={ellipsize(name, 200)} />
        : typeof data?.joined_members === 'number' && number(data.joined_members)}
    </span>
  );
}
