import { i18n } from '@lingui/core';
import { IconDatabaseOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type RoomSize, roomSizesQuery } from '../../api/room-list.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { StateMessage } from '../../components/LoadStates.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { localRows } from '../../components/table/rows.ts';
import { SizeBar } from '../../components/table/SizeBar.tsx';
import { useServer } from '../../console-context.ts';
import { LoadedRoomCell } from '../../subjects/RoomCell.tsx';
import { byteSize } from '../../words/format.ts';
import { RoomsActions } from './RoomsActions.tsx';

/** Lists the rooms that use most of the database. Synapse estimates a few, on PostgreSQL. */
export function RoomSizesScreen() {
  const server = useServer();
  const query = useQuery(roomSizesQuery(server));
  const rows = localRows(
    JSON.stringify([server.id, 'room-sizes']),
    query.data === null ? undefined : query.data,
    query,
  );
  const mostBytes = query.data?.[0]?.estimated_size ?? 0;
  const columns = useMemo(() => columnsOf(mostBytes), [mostBytes]);
  if (query.data === null) {
    return (
      <StateMessage
        isScreen
        icon={<IconDatabaseOff size={24} stroke={1.5} />}
        title={i18n.t('Room sizes not available')}
        description={i18n.t('Only Synapse on PostgreSQL estimates how much of the database a room uses.')}
      />
    );
  }
  return (
    <ListScreen
      id="room-sizes"
      title={i18n.t('Rooms by size')}
      columns={columns}
      rows={rows}
      idOf={({ room_id }) => room_id}
      countOf={(count) =>
        i18n.t('{count, plural, one {Largest room} other {# largest rooms}}, estimated', { count })
      }
      texts={{
        loading: i18n.t('Loading rooms…'),
        loadFailed: i18n.t("Couldn't load room sizes"),
        empty: i18n.t('No rooms'),
        emptyNote: i18n.t('The database has no statistics yet.'),
      }}
      actions={(roomIds, onActed, names) => (
        <RoomsActions roomIds={roomIds} names={names} onActed={onActed} />
      )}
    />
  );
}

const columnsOf = (mostBytes: number): Column<RoomSize>[] => [
  {
    id: 'name',
    name: i18n.t('Room'),
    width: 300,
    value: null,
    cell: ({ room_id }) => <LoadedRoomCell roomId={room_id} fact="name" />,
  },
  {
    id: 'estimated_size',
    name: i18n.t('Database size'),
    width: 240,
    isNumeric: true,
    cell: ({ estimated_size }) => (
      <SizeBar share={mostBytes > 0 ? estimated_size / mostBytes : 0}>{byteSize(estimated_size)}</SizeBar>
    ),
  },
  {
    id: 'joined_members',
    name: i18n.t('Members'),
    width: 100,
    isNumeric: true,
    value: null,
    cell: ({ room_id }) => <LoadedRoomCell roomId={room_id} fact="joined_members" />,
  },
  {
    id: 'state_events',
    name: i18n.t('State events'),
    width: 110,
    isNumeric: true,
    value: null,
    cell: ({ room_id }) => <LoadedRoomCell roomId={room_id} fact="state_events" />,
  },
  {
    id: 'room_id',
    name: i18n.t('Room ID'),
    width: 240,
    isMinor: true,
    cell: ({ room_id }) => (
      <span className={cells.mono}>
        <HazardText text={room_id} />
      </span>
    ),
  },
];
