import { useQuery } from '@tanstack/react-query';
import { eventReports } from '../api/reports/event-reports.ts';
import { filedReports } from '../api/reports/filed-reports.ts';
import { type OldReport, oldestReportsQuery, reportsPerPage } from '../api/reports/report-source.ts';
import { useConsole } from '../console-context.ts';
import { useStoreValue } from '../subscribers.ts';
import type { Server } from '../transport/server.ts';
import { useReportCounts } from './open-counts.ts';
import { useTeam } from './use-team.ts';

/** Returns the oldest open reports of all kinds, oldest first. */
export function useOldestOpen(server: Server): OldReport[] {
  const { deletedReports } = useConsole();
  const { marksOf } = useTeam();
  const counts = useReportCounts(server);
  const { pending: onEvents = 0 } = counts.report;
  const { pending: onUsers = 0 } = counts.user_report;
  const { pending: onRooms = 0 } = counts.room_report;
  const deleted = useStoreValue(deletedReports, () => deletedReports.of(server.id));
  const events = useQuery({ ...oldestReportsQuery(eventReports(server, {})), enabled: onEvents > 0 });
  const users = useQuery({ ...oldestReportsQuery(filedReports(server, 'user', {})), enabled: onUsers > 0 });
  const rooms = useQuery({ ...oldestReportsQuery(filedReports(server, 'room', {})), enabled: onRooms > 0 });
  const known = [
    ...(onEvents > 0 ? [events.data?.filter(({ id }) => !deleted.has(id)) ?? []] : []),
    ...(onUsers > 0 ? [users.data ?? []] : []),
    ...(onRooms > 0 ? [rooms.data ?? []] : []),
  ];
  return oldestOpen(known, ({ of, id }) => marksOf[of].get(id)?.state !== 'reviewed');
}

/**
 * Merges the oldest reports of each kind that are open: none if those of a kind aren't among its oldest reports, which
 * are mostly resolved on a server that keeps them.
 *
 * @param known up to a page of each kind that has open ones, oldest first
 */
export function oldestOpen(
  known: readonly (readonly OldReport[])[],
  isOpen: (report: OldReport) => boolean,
): OldReport[] {
  const open = known.map((reports) => reports.filter(isOpen));
  if (open.some((reports) => reports.length === 0)) return [];
  // Later ones may come before those of a kind that has more.
  const end = Math.min(
    ...known.map((reports) => (reports.length < reportsPerPage ? Infinity : (reports.at(-1)?.at ?? 0))),
  );
  return open
    .flat()
    .filter(({ at }) => at <= end)
    .sort((one, other) => one.at - other.at);
}
