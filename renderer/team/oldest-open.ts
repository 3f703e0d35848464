import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Mark } from '../../shared/team/entries.ts';
import { eventReports } from '../api/reports/event-reports.ts';
import { filedReports } from '../api/reports/filed-reports.ts';
import { oldestReportsQuery } from '../api/reports/report-source.ts';
import { useConsole } from '../console-context.ts';
import type { Server } from '../transport/server.ts';
import { useEscalatedCounts, useOpenCount, useOpenFiledCounts } from './open-counts.ts';
import { useTeam } from './use-team.ts';

type Report = { id: number; at: number };

/**
 * Returns when the oldest open report was filed, in milliseconds since the Unix epoch; undefined if there is none, or if
 * it isn't among the oldest reports of its kind, which are mostly resolved on a server that keeps them.
 */
export function useOldestOpen(server: Server): number | undefined {
  const { deletedReports } = useConsole();
  const { marksOf } = useTeam();
  const escalated = useEscalatedCounts(server);
  const onEvents = (useOpenCount(server) ?? 0) + escalated.event;
  const filed = useOpenFiledCounts(server);
  const onUsers = (filed.user ?? 0) + escalated.user;
  const onRooms = (filed.room ?? 0) + escalated.room;
  const deleted = useSyncExternalStore(deletedReports.subscribe, () => deletedReports.of(server.id));
  const events = useQuery({ ...oldestReportsQuery(eventReports(server, {})), enabled: onEvents > 0 });
  const users = useQuery({ ...oldestReportsQuery(filedReports(server, 'user', {})), enabled: onUsers > 0 });
  const rooms = useQuery({ ...oldestReportsQuery(filedReports(server, 'room', {})), enabled: onRooms > 0 });
  const times = [
    onEvents > 0 &&
      firstOpen(
        events.data?.filter(({ id }) => !deleted.has(id)),
        marksOf.report,
      ),
    onUsers > 0 && firstOpen(users.data, marksOf.user_report),
    onRooms > 0 && firstOpen(rooms.data, marksOf.room_report),
  ].filter((time) => time !== false);
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 && known.length === times.length ? Math.min(...known) : undefined;
}

const firstOpen = (oldestFirst: readonly Report[] | undefined, marks: ReadonlyMap<number, Mark>) =>
  oldestFirst?.find(({ id }) => marks.get(id)?.state !== 'reviewed')?.at;
