import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { roomQuery } from '../../api/room.ts';
import { type RoomListItem, type RoomSize, roomSizesQuery } from '../../api/room-list.ts';
import { keepsRunningTotals, serverSoftwareQuery } from '../../api/server.ts';
import { BarTable } from '../../components/plot/BarTable.tsx';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { byteSize, number, shortDay } from '../../words/format.ts';
import { BarLabel } from './BarLabel.tsx';
import {
  type Figures,
  roomsQuery,
  useEarlierFigures,
  useHalfListedCount,
  useSavedFigures,
} from './figures.ts';
import classes from './Home.module.css';
import { HomeCard, isUnsupported, Verdict } from './HomeCard.tsx';
import { Total } from './Total.tsx';

/** A room whose state grew by more than this is worth a look. */
const growthThreshold = 1000;

/** Shows the number of rooms, the largest ones and their growth. */
export function RoomsCard() {
  const server = useServer();
  const query = useQuery(roomsQuery(server));
  const earlier = useEarlierFigures();
  useSavedFigures();
  if (isUnsupported(query)) return null;
  const yesterday = earlier.at(-1);
  const growing = query.data?.rows.filter((room) => growthOf(room, yesterday) >= growthThreshold).length ?? 0;
  return (
    <HomeCard title={i18n.t('Rooms')} tone={growing > 0 ? 'warning' : undefined} link={{ to: '/rooms' }}>
      <Loaded
        query={query}
        loading={i18n.t('Loading largest rooms…')}
        notFound={i18n.t('Room list not available')}
        lines={8}
      >
        {({ total, rows }) => (
          <>
            <Total
              total={total}
              unit={i18n.t('{total, plural, one {room} other {rooms}}', { total })}
              earlier={earlier.map(({ at, rooms }) => ({ at, total: rooms }))}
            />
            {growing > 0 && yesterday && (
              <Verdict tone="warning">
                {i18n.t('Large rooms with far more state than on {day}: {swollen}', {
                  swollen: growing,
                  day: shortDay(new Date(yesterday.at)),
                })}
              </Verdict>
            )}
            {rows.length > 0 && <LargestRooms rooms={rows} earlier={yesterday} />}
          </>
        )}
      </Loaded>
    </HomeCard>
  );
}

const growthOf = ({ room_id, state_events: now }: RoomListItem, earlier: Figures | undefined) =>
  (now ?? 0) - (earlier?.state[room_id] ?? now ?? 0);

type Props = { rooms: RoomListItem[]; earlier: Figures | undefined };

/** Lists the largest rooms by database size, or else by state events. */
function LargestRooms({ rooms, earlier }: Props) {
  const server = useServer();
  const navigate = useNavigate();
  const listedCount = useHalfListedCount();
  const { data: software } = useQuery(serverSoftwareQuery(server));
  const sizes = useQuery({
    ...roomSizesQuery(server),
    enabled: software !== undefined && !keepsRunningTotals(software),
  });
  const open = (roomId: string) => () => navigate({ to: '/rooms/$roomId', params: { roomId } });
  if (sizes.data && sizes.data.length > 0) {
    return (
      <>
        <p className={classes.dim}>{i18n.t('Largest in the database (estimated)')}</p>
        <BarTable
          oneLine
          title={i18n.t('Rooms by database size')}
          of={i18n.t('Room')}
          bars={sizes.data.slice(0, listedCount).map(({ room_id: id, estimated_size: bytes }: RoomSize) => ({
            key: id,
            count: bytes,
            figure: byteSize(bytes),
            label: <RoomLabel roomId={id} />,
            onChoose: open(id),
          }))}
        />
      </>
    );
  }
  return (
    <>
      <p className={classes.dim}>
        <Link to="/rooms" search={{ order: 'state_events', dir: 'b' }} className={classes.inline}>
          {i18n.t('Most state events')}
        </Link>
      </p>
      <BarTable
        oneLine
        title={i18n.t('Rooms with most state')}
        of={i18n.t('Room')}
        bars={rooms.slice(0, listedCount).map((room) => ({
          key: room.room_id,
          count: room.state_events ?? 0,
          ...(growthOf(room, earlier) > 0 && {
            figure: `${number(room.state_events ?? 0)} +${number(growthOf(room, earlier))}`,
          }),
          label: <BarLabel id={room.room_id} name={room.name || room.canonical_alias} />,
          onChoose: open(room.room_id),
        }))}
      />
    </>
  );
}

/** Sizes come without names. */
function RoomLabel({ roomId }: { roomId: string }) {
  const { data } = useQuery(roomQuery(useServer(), roomId));
  return <BarLabel id={roomId} name={data?.name || data?.canonical_alias} />;
}
