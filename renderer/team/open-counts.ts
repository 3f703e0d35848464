import { useQuery } from '@tanstack/react-query';
import type { Mark, ReportKind } from '../../shared/team/entries.ts';
import { eventReportTotalQuery } from '../api/reports/event-reports.ts';
import { filedTotalsQuery } from '../api/reports/filed-reports.ts';
import { useConsole } from '../console-context.ts';
import { idleQuery } from '../query-client.ts';
import { useStoreValue } from '../subscribers.ts';
import type { Server } from '../transport/server.ts';
import { teamOf } from './team-store.ts';

function useKnownMarks(server: Server | undefined, of: ReportKind) {
  const store = server && teamOf(server);
  return useStoreValue(store, () => {
    const team = store?.snapshot();
    return team?.areMarksKnown ? team.marksOf[of] : undefined;
  });
}

type Total = { total: number; newestId: number | undefined };
type Counts = {
  /** Undefined while unknown, and for kinds that the server doesn't list. */
  open: number | undefined;
  /** 0 while unknown. */
  escalated: number;
  /** Open and escalated. */
  pending: number | undefined;
};

/** Returns the numbers of open and escalated reports by kind, without event reports that are being deleted. */
export function useReportCounts(server: Server | undefined): Record<ReportKind, Counts> {
  const { deletedReports } = useConsole();
  const { data: events } = useQuery(
    server ? { ...eventReportTotalQuery(server, {}), refetchInterval: 20_000 } : idleQuery,
  );
  const { data: filed } = useQuery(
    server ? { ...filedTotalsQuery(server), refetchInterval: 30_000 } : idleQuery,
  );
  const onEvents = useKnownMarks(server, 'report');
  const onUsers = useKnownMarks(server, 'user_report');
  const onRooms = useKnownMarks(server, 'room_report');
  const serverId = server?.id ?? '';
  const tombstones = useStoreValue(deletedReports, () => deletedReports.of(serverId));
  // Deleted here, but included in the server's total.
  const confirmed = new Set(deletedReports.fromTurn(serverId, 0));
  const waiting = [...tombstones].flatMap(([id, how]) => (how === 'waiting' && !confirmed.has(id) ? id : []));
  const deleted = events ? deletedReports.fromTurn(serverId, events.deletionsBefore) : [];
  const leaving = new Set([...waiting, ...deleted]);
  return {
    report: countsOf(events, onEvents, tombstones, leaving.size),
    user_report: countsOf(filed?.user, onUsers),
    room_report: countsOf(filed?.room, onRooms),
  };
}

function countsOf(
  total: Total | undefined,
  marks: ReadonlyMap<number, Mark> | undefined,
  gone: ReadonlyMap<number, unknown> = new Map(),
  leaving = 0,
): Counts {
  const marked = marks ? marksUpTo(marks, total?.newestId).filter(({ reportId }) => !gone.has(reportId)) : [];
  const open = total && marks && Math.max(0, total.total - marked.length - leaving);
  const escalated = marked.filter(({ state }) => state === 'escalated').length;
  return { open, escalated, pending: open === undefined ? undefined : open + escalated };
}

/** Returns the number of open and escalated reports of all kinds; undefined while unknown. */
export function usePendingCounts(server: Server | undefined) {
  const { report, user_report: onUsers, room_report: onRooms } = useReportCounts(server);
  if (report.open === undefined) return undefined;
  return {
    unreviewed: report.open + (onUsers.open ?? 0) + (onRooms.open ?? 0),
    escalated: report.escalated + onUsers.escalated + onRooms.escalated,
  };
}

/** Drops marks of IDs that don't exist: a team member can mark any number. */
export const marksUpTo = (marks: ReadonlyMap<number, Mark>, newestId: number | undefined): Mark[] =>
  [...marks.values()].filter(({ reportId }) => reportId <= (newestId ?? 0));
