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
import { AskFirst } from './LoadOnClick.tsx';

const shown = 6;
/** A room whose state grew by more than this is worth a look. */
const muchGrown = 1000;

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
      <AskFirst what="rooms" why={i18n.t('Loading scans all rooms.')}>
        <LargestRooms />
      </AskFirst>
    </HomeCard>
  );
}

function LargestRooms() {
  const server = useServer();
  const query = useQuery(largestRoomsQuery(server, shown));
  const [before] = useState(() => figuresBefore(server, Date.now()));
  const { data } = query;
  useEffect(() => {
    if (!data) return;
    const state = Object.fromEntries(data.rows.map((room) => [room.room_id, room.state_events ?? 0]));
    keepFigures(server, { at: Date.now(), rooms: data.total, state });
  }, [data, server]);
  return (
    <Loaded
      query={query}
      loading={i18n.t('Loading largest rooms…')}
      notFound={i18n.t('Room list not available')}
      lines={6}
    >
      {({ total, rows }) => <RoomFigures total={total} rooms={rows} before={before} />}
    </Loaded>
  );
}

type Props = { total: number; rooms: RoomListItem[]; before: Figures | undefined };

function RoomFigures({ total, rooms, before }: Props) {
  const navigate = useNavigate();
  const grown = ({ room_id, state_events: now }: RoomListItem) =>
    (now ?? 0) - (before?.state[room_id] ?? now ?? 0);
  const swollen = rooms.filter((room) => grown(room) >= muchGrown);
  return (
    <>
      <p className={classes.figure}>
        {number(total)}{' '}
        <span className={classes.unit}>{i18n.t('{total, plural, one {room} other {rooms}}', { total })}</span>
      </p>
      <Verdict tone={swollen.length > 0 ? 'grave' : 'plain'}>
        {sinceThen(total, swollen.length, before)}
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
              ...(grown(room) > 0 && {
                figure: `${number(room.state_events ?? 0)} +${number(grown(room))}`,
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

function sinceThen(total: number, swollen: number, before: Figures | undefined): string {
  if (!before) return i18n.t('Trends available tomorrow');
  const day = shortDay(new Date(before.at));
  if (swollen > 0) {
    return i18n.t('Large rooms with far more state than on {day}: {swollen}', { swollen, day });
  }
  const more = total - before.rooms;
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
const leastAge = 20 * 3_600_000;
const mostKept = 60;

const keptOf = ({ id, kept }: Server) => kept.open(`gatehouse.figures.${id}`, Type.Array(Figures), []);

/** Returns the newest figures that are old enough to compare with. */
const figuresBefore = (server: Server, now: number): Figures | undefined =>
  keptOf(server)
    .read()
    .findLast(({ at }) => now - at >= leastAge);

/** Saves figures once a day. */
function keepFigures(server: Server, figures: Figures) {
  const kept = keptOf(server);
  const last = kept.read().at(-1);
  if (last && figures.at - last.at < leastAge) return;
  kept.write([...kept.read(), figures].slice(-mostKept));
}
