import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type Static, Type } from 'typebox';
import { Dictionary } from '../../../shared/api/common.ts';
import { largestRoomsQuery, type RoomListItem } from '../../api/room-list.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { BarTable } from '../../components/plot/BarTable.tsx';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import type { Server } from '../../transport/server.ts';
import { number, shortDay } from '../../words/format.ts';
import classes from './Home.module.css';
import { HomeCard, Verdict } from './HomeCard.tsx';
import { LoadOnClick } from './LoadOnClick.tsx';

const barCount = 6;
/** A room whose state grew by more than this is worth a look. */
const growthThreshold = 1000;

/** Shows the number of rooms, the largest ones and their growth. */
export function RoomsCard() {
  const title = i18n.t('Rooms');
  return (
    <HomeCard
      tall
      title={title}
      link={
        <Link to="/rooms" search={({ server }) => ({ server })} className={classes.way}>
          {title}
        </Link>
      }
    >
      <LoadOnClick name="rooms" costNote={i18n.t('Loading scans all rooms.')}>
        <LargestRooms />
      </LoadOnClick>
    </HomeCard>
  );
}

function LargestRooms() {
  const server = useServer();
  const query = useQuery(largestRoomsQuery(server, barCount));
  const [earlier] = useState(() => earlierFigures(server, Date.now()));
  const { data } = query;
  useEffect(() => {
    if (!data) return;
    const state = Object.fromEntries(data.rows.map((room) => [room.room_id, room.state_events ?? 0]));
    saveFigures(server, { at: Date.now(), rooms: data.total, state });
  }, [data, server]);
  return (
    <Loaded
      query={query}
      loading={i18n.t('Loading largest rooms…')}
      notFound={i18n.t('Room list not available')}
      lines={6}
    >
      {({ total, rows }) => <RoomFigures total={total} rooms={rows} earlier={earlier} />}
    </Loaded>
  );
}

type Props = { total: number; rooms: RoomListItem[]; earlier: Figures | undefined };

function RoomFigures({ total, rooms, earlier }: Props) {
  const navigate = useNavigate();
  const growthOf = ({ room_id, state_events: now }: RoomListItem) =>
    (now ?? 0) - (earlier?.state[room_id] ?? now ?? 0);
  const growing = rooms.filter((room) => growthOf(room) >= growthThreshold);
  return (
    <>
      <p className={classes.figure}>
        {number(total)}{' '}
        <span className={classes.unit}>{i18n.t('{total, plural, one {room} other {rooms}}', { total })}</span>
      </p>
      <Verdict tone={growing.length > 0 ? 'grave' : 'plain'}>
        {growthText(total, growing.length, earlier)}
      </Verdict>
      {rooms.length > 0 && (
        <>
          <p className={classes.dim}>
            <Link
              to="/rooms"
              search={({ server }) => ({ server, order: 'state_events', dir: 'b' as const })}
              className={classes.inline}
            >
              {i18n.t('Most state events:')}
            </Link>
          </p>
          <BarTable
            oneLine
            title={i18n.t('Rooms with most state')}
            of={i18n.t('Room')}
            bars={rooms.map((room) => ({
              key: room.room_id,
              count: room.state_events ?? 0,
              ...(growthOf(room) > 0 && {
                figure: `${number(room.state_events ?? 0)} +${number(growthOf(room))}`,
              }),
              label: <HazardText text={room.name || room.canonical_alias || room.room_id} />,
              onChoose: () =>
                navigate({
                  to: '/rooms/$roomId',
                  params: { roomId: room.room_id },
                  search: ({ server }) => ({ server }),
                }),
            }))}
          />
        </>
      )}
    </>
  );
}

function growthText(total: number, growing: number, earlier: Figures | undefined): string {
  if (!earlier) return i18n.t('Trends available tomorrow');
  const day = shortDay(new Date(earlier.at));
  if (growing > 0) {
    return i18n.t('Large rooms with far more state than on {day}: {swollen}', { swollen: growing, day });
  }
  const more = total - earlier.rooms;
  return more > 0
    ? i18n.t('{more} more since {day}', { more: number(more), day })
    : i18n.t('No growth since {day}', { day });
}

// Earlier figures, saved in this browser: servers don't report growth.

const Figures = Type.Object({
  at: Type.Integer({ description: 'Milliseconds since the Unix epoch' }),
  rooms: Type.Integer(),
  /** State events of the largest rooms, by room ID. */
  state: Dictionary(Type.Integer()),
});
type Figures = Static<typeof Figures>;

/** Minimum age of figures to compare with, in milliseconds. */
const minAge = 20 * 3_600_000;
const maxSaved = 60;

const savedFigures = ({ id, kept }: Server) => kept.open(`gatehouse.figures.${id}`, Type.Array(Figures), []);

/** Returns the newest figures that are old enough to compare with. */
const earlierFigures = (server: Server, now: number): Figures | undefined =>
  savedFigures(server)
    .read()
    .findLast(({ at }) => now - at >= minAge);

/** Saves figures once a day. */
function saveFigures(server: Server, figures: Figures) {
  const saved = savedFigures(server);
  const last = saved.read().at(-1);
  if (last && figures.at - last.at < minAge) return;
  saved.write([...saved.read(), figures].slice(-maxSaved));
}
