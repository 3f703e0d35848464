/** The server's totals by day, kept with the team: servers don't report growth. */
import { useMediaQuery } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { type Static, Type } from 'typebox';
import { Dictionary } from '../../../shared/api/common.ts';
import { fits } from '../../../shared/fits.ts';
import { isExpected } from '../../api/lenient.ts';
import { mediaStatistics } from '../../api/media.ts';
import { eventReportTotalQuery } from '../../api/reports/event-reports.ts';
import { largestRoomsQuery } from '../../api/room-list.ts';
import { taskCountsQuery } from '../../api/scheduled-tasks.ts';
import { countsAtOnce, serverSoftwareQuery } from '../../api/server.ts';
import { userList, userTotalQuery } from '../../api/user-list.ts';
import { useIsSpacious } from '../../components/use-spacious.ts';
import { useServer } from '../../console-context.ts';
import { teamOf } from '../../team/team-store.ts';
import { useAreMarksKnown, useTeamValue } from '../../team/use-team.ts';
import type { Server } from '../../transport/server.ts';

/** Loaded: as many as a large window shows. */
export const loadedCount = 32;
const spaciousCount = 20;
const tallCount = 9;
const usualCount = 5;

/** Returns how many of the largest rooms and uploaders to list. */
export function useListedCount() {
  const isSpacious = useIsSpacious();
  const isTall = useMediaQuery('(min-width: 64rem) and (min-height: 50rem)', undefined, {
    getInitialValueInEffect: false,
  });
  const isVeryTall = useMediaQuery('(min-height: 78rem)', undefined, { getInitialValueInEffect: false });
  if (isSpacious) return isVeryTall ? loadedCount : spaciousCount;
  return isTall ? tallCount : usualCount;
}

/** Returns how many rows to list in a card that shares a large window's column with another list or a plot. */
export function useHalfListedCount() {
  const count = useListedCount();
  return useIsSpacious() ? Math.ceil(count / 2) : count;
}

export const accountsQuery = (server: Server) => userTotalQuery(server, { order: 'name', dir: 'f' });
export const roomsQuery = (server: Server) => largestRoomsQuery(server, loadedCount);

const Figures = Type.Object({
  at: Type.Integer({ description: 'Milliseconds since the Unix epoch' }),
  rooms: Type.Integer(),
  /** Missing if the server doesn't report it. */
  users: Type.Optional(Type.Integer()),
  /** Event reports, deleted ones left out. */
  reports: Type.Optional(Type.Integer()),
  failed_tasks: Type.Optional(Type.Integer()),
  /** Users seen in the 24 hours before. */
  active_users: Type.Optional(Type.Integer()),
  /** Size of all local media, in bytes. */
  media_bytes: Type.Optional(Type.Integer()),
  /** State events of the largest rooms, by room ID. */
  state: Dictionary(Type.Integer()),
});
export type Figures = Static<typeof Figures>;

/** Kind of the team's documents. Their keys are dates such as `2026-03-01`. */
const kind = 'figures';

const dayOf = (time: number) => new Date(time).toLocaleDateString('sv');

/** Returns the figures of earlier days, oldest first. */
export function useEarlierFigures(): readonly Figures[] {
  const documents = useTeamValue((team) => team.documents(kind));
  return useMemo(() => {
    const today = dayOf(Date.now());
    return [...documents]
      .filter(([day]) => day < today)
      .flatMap(([, { content }]) => (fits(Figures, content) ? [content] : []))
      .sort((one, other) => one.at - other.at);
  }, [documents]);
}

/** For the same cost, a server's largest page. */
const pageSize = 1000;
/** With more users to count, the figure is left out. */
const maxActivePages = 10;

/** Returns the number of users seen in the last 24 hours, and the size of all media: null if they take many requests. */
const dailyFiguresQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'daily figures'],
    queryFn: async ({ signal }) => {
      const [active, media] = await Promise.all([
        activeUsers(server, signal).catch(() => null),
        mediaBytes(server, signal).catch(() => null),
      ]);
      return { active, media };
    },
    staleTime: 60 * 60_000,
    retry: false,
  });

async function activeUsers(server: Server, signal: AbortSignal): Promise<number | null> {
  const since = Date.now() - 24 * 3_600_000;
  const latest = userList(server, { locked: true, order: 'last_seen_ts', dir: 'b' });
  for (let page = 0; page < maxActivePages; page++) {
    const { rows } = await latest.fetch(page * pageSize, pageSize, signal);
    const active = rows.filter((row) => isExpected(row) && (row.last_seen_ts ?? 0) >= since).length;
    if (active < pageSize) return page * pageSize + active;
  }
  return null;
}

async function mediaBytes(server: Server, signal: AbortSignal): Promise<number | null> {
  const bySize = mediaStatistics(server, { order: 'media_length', dir: 'b' });
  const { rows, total } = await bySize.fetch(0, pageSize, signal);
  if (total > rows.length) return null;
  return rows.filter(isExpected).reduce((sum, { media_length: bytes }) => sum + bytes, 0);
}

/** Saves figures once a day, in the first of the team's consoles. */
export function useSavedFigures() {
  const server = useServer();
  const isSaved = useTeamValue((team) => team.documents(kind)).has(dayOf(Date.now()));
  const rooms = useQuery(roomsQuery(server));
  const accounts = useQuery(accountsQuery(server));
  const reports = useQuery(eventReportTotalQuery(server, {}));
  const tasks = useQuery(taskCountsQuery(server));
  const isTeamKnown = useAreMarksKnown();
  const software = useQuery(serverSoftwareQuery(server));
  // Both scan tables: left out on a large server.
  const isDailyWanted = !isSaved && isTeamKnown && countsAtOnce(software.data, accounts.data);
  const daily = useQuery({ ...dailyFiguresQuery(server), enabled: isDailyWanted });
  const areSettled =
    [rooms, accounts, reports, tasks, software].every(({ isPending }) => !isPending) &&
    !(isDailyWanted && daily.isPending);
  const figures: Omit<Figures, 'at'> | undefined =
    rooms.data && areSettled && isTeamKnown
      ? {
          rooms: rooms.data.total,
          ...(accounts.data !== undefined && { users: accounts.data }),
          ...(reports.data && { reports: reports.data.total }),
          ...(tasks.data && { failed_tasks: tasks.data.failed }),
          ...(typeof daily.data?.active === 'number' && { active_users: daily.data.active }),
          ...(typeof daily.data?.media === 'number' && { media_bytes: daily.data.media }),
          state: Object.fromEntries(rooms.data.rows.map((room) => [room.room_id, room.state_events ?? 0])),
        }
      : undefined;
  useEffect(() => {
    if (!figures) return;
    const team = teamOf(server).snapshot();
    const at = Date.now();
    if (!team.documents(kind).has(dayOf(at))) team.putDocument(kind, dayOf(at), { at, ...figures });
  });
}

type DayChange = { from: number; to: number; count: number };

/**
 * Returns daily increases as bins. A gap is spread over its days; decreases count as zero.
 *
 * @param days totals of days, oldest first
 */
export function addedPerDay(days: readonly { at: number; total: number }[]): DayChange[] {
  return days.slice(1).flatMap(({ at, total }, index) => {
    const before = days[index];
    if (!before) return [];
    const starts = startsOfDays(before.at, at);
    const added = Math.max(0, total - before.total);
    return starts.map((from, nth) => ({
      from,
      to: nextDay(from),
      // Whole numbers whose sum is the increase.
      count: Math.floor((added * (nth + 1)) / starts.length) - Math.floor((added * nth) / starts.length),
    }));
  });
}

const startOfDay = (time: number) => new Date(time).setHours(0, 0, 0, 0);
const nextDay = (start: number) => startOfDay(start + 36 * 3_600_000);

/** The starts of the days after that of one time, up to that of another. */
function startsOfDays(after: number, upTo: number): number[] {
  const starts: number[] = [];
  for (let start = nextDay(startOfDay(after)); start <= startOfDay(upTo); start = nextDay(start)) {
    starts.push(start);
  }
  return starts;
}
