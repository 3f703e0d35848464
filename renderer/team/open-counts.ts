import { skipToken, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Mark, ReportKind } from '../../shared/team/entries.ts';
import { eventReportTotalQuery } from '../api/reports/event-reports.ts';
import type { FiledKind } from '../api/reports/filed-reports.ts';
import { filedTotalsQuery } from '../api/reports/filed-reports.ts';
import { useConsole } from '../console-context.ts';
import type { Server } from '../transport/server.ts';
import { teamOf } from './team-store.ts';

const noStore = { subscribe: () => () => {}, snapshot: () => undefined };
const idleQuery = { queryKey: ['no server'], queryFn: skipToken as typeof skipToken };

function useKnownMarks(server: Server | undefined, of: ReportKind) {
  const store = server ? teamOf(server) : noStore;
  return useSyncExternalStore(store.subscribe, () => {
    const team = store.snapshot();
    return team?.areMarksKnown ? team.marksOf[of] : undefined;
  });
}

/** Returns the number of open event reports, without those being deleted; undefined while unknown. */
export function useOpenCount(server: Server | undefined): number | undefined {
  const { deletedReports } = useConsole();
  const { data } = useQuery(
    server ? { ...eventReportTotalQuery(server, {}), refetchInterval: 20_000 } : idleQuery,
  );
  const marks = useKnownMarks(server, 'report');
  const tombstones = useSyncExternalStore(deletedReports.subscribe, () =>
    deletedReports.of(server?.id ?? ''),
  );
  if (!server || !data || !marks) return undefined;
  // Deleted here, but included in the server's total.
  const confirmed = new Set(deletedReports.fromTurn(server.id, 0));
  const waiting = [...tombstones].flatMap(([id, how]) => (how === 'waiting' && !confirmed.has(id) ? id : []));
  const deleted = deletedReports.fromTurn(server.id, data.deletionsBefore);
  const leaving = new Set([...waiting, ...deleted]);
  const marked = marksUpTo(marks, data.newestId).filter(({ reportId }) => !tombstones.has(reportId));
  return Math.max(0, data.total - marked.length - leaving.size);
}

/** Returns the number of open user and room reports. A kind is undefined if the server doesn't list it. */
export function useOpenFiledCounts(server: Server | undefined) {
  const { data } = useQuery(server ? { ...filedTotalsQuery(server), refetchInterval: 30_000 } : idleQuery);
  const onUsers = useKnownMarks(server, 'user_report');
  const onRooms = useKnownMarks(server, 'room_report');
  if (!data || !onUsers || !onRooms) return {};
  return {
    user: data.user && unmarked(data.user, onUsers),
    room: data.room && unmarked(data.room, onRooms),
  };
}

/** Returns the number of escalated reports of each kind; 0 while unknown. */
export function useEscalatedCounts(server: Server | undefined): Record<'event' | FiledKind, number> {
  const { deletedReports } = useConsole();
  const { data: events } = useQuery(
    server ? { ...eventReportTotalQuery(server, {}), enabled: false } : idleQuery,
  );
  const { data: filed } = useQuery(server ? { ...filedTotalsQuery(server), enabled: false } : idleQuery);
  const onEvents = useKnownMarks(server, 'report');
  const onUsers = useKnownMarks(server, 'user_report');
  const onRooms = useKnownMarks(server, 'room_report');
  const tombstones = useSyncExternalStore(deletedReports.subscribe, () =>
    deletedReports.of(server?.id ?? ''),
  );
  const escalated = (marks: ReadonlyMap<number, Mark> | undefined, newestId: number | undefined) =>
    marks ? marksUpTo(marks, newestId).filter(({ state }) => state === 'escalated') : [];
  return {
    event: escalated(onEvents, events?.newestId).filter(({ reportId }) => !tombstones.has(reportId)).length,
    user: escalated(onUsers, filed?.user?.newestId).length,
    room: escalated(onRooms, filed?.room?.newestId).length,
  };
}

/** Returns the number of open and escalated reports of all kinds; undefined while unknown. */
export function usePendingCounts(server: Server | undefined) {
  const onEvents = useOpenCount(server);
  const { user = 0, room = 0 } = useOpenFiledCounts(server);
  const escalated = Object.values(useEscalatedCounts(server)).reduce((sum, count) => sum + count, 0);
  return onEvents === undefined ? undefined : { unreviewed: onEvents + user + room, escalated };
}

type Total = { total: number; newestId: number | undefined };
const unmarked = ({ total, newestId }: Total, marks: ReadonlyMap<number, Mark>) =>
  Math.max(0, total - marksUpTo(marks, newestId).length);

/** Drops marks of IDs that don't exist: a team member can mark any number. */
export const marksUpTo = (marks: ReadonlyMap<number, Mark>, newestId: number | undefined): Mark[] =>
  [...marks.values()].filter(({ reportId }) => reportId <= (newestId ?? 0));
