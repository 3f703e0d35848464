import { skipToken, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { eventReportTotalQuery } from '../api/event-reports.ts';
import type { FiledKind } from '../api/filed-reports.ts';
import { filedTotalsQuery } from '../api/filed-reports.ts';
import { useConsole } from '../console-context.ts';
import type { Server } from '../transport/server.ts';
import type { Mark, ReportKind } from './entries.ts';
import { teamOf } from './team-store.ts';

const nothing = { subscribe: () => () => {}, snapshot: () => undefined };
const unasked = { queryKey: ['no server'], queryFn: skipToken as typeof skipToken };

/** The marks of a server's reports, once they are known. */
function useKnownMarks(server: Server | undefined, of: ReportKind) {
  const store = server ? teamOf(server) : nothing;
  return useSyncExternalStore(store.subscribe, () => {
    const team = store.snapshot();
    return team?.areMarksKnown ? team.marksOf[of] : undefined;
  });
}

/** How many reports on events have no mark, without those that are being deleted; undefined while that isn't known. */
export function useUnreviewed(server: Server | undefined): number | undefined {
  const { deletedReports } = useConsole();
  const { data } = useQuery(
    server ? { ...eventReportTotalQuery(server, {}), refetchInterval: 20_000 } : unasked,
  );
  const marks = useKnownMarks(server, 'report');
  const tombstones = useSyncExternalStore(deletedReports.subscribe, () =>
    deletedReports.of(server?.id ?? ''),
  );
  if (!server || !data || !marks) return undefined;
  // The server counts these still, or did when it was asked.
  const confirmed = new Set(deletedReports.fromTurn(server.id, 0));
  const waiting = [...tombstones].flatMap(([id, how]) => (how === 'waiting' && !confirmed.has(id) ? id : []));
  const deleted = deletedReports.fromTurn(server.id, data.deletionsBefore);
  const leaving = new Set([...waiting, ...deleted]);
  const marked = marksUpTo(marks, data.newestId).filter(({ reportId }) => !tombstones.has(reportId));
  return Math.max(0, data.total - marked.length - leaving.size);
}

/** Returns how many user and room reports have no mark. A kind is undefined where the server doesn't list it. */
export function useUnreviewedFiled(server: Server | undefined) {
  const { data } = useQuery(server ? { ...filedTotalsQuery(server), refetchInterval: 30_000 } : unasked);
  const onUsers = useKnownMarks(server, 'user_report');
  const onRooms = useKnownMarks(server, 'room_report');
  if (!data || !onUsers || !onRooms) return {};
  return {
    user: data.user && without(data.user, onUsers),
    room: data.room && without(data.room, onRooms),
  };
}

/** Returns how many reports of each kind are escalated; 0 while that isn't known. */
export function useEscalated(server: Server | undefined): Record<'event' | FiledKind, number> {
  const { deletedReports } = useConsole();
  const { data: events } = useQuery(
    server ? { ...eventReportTotalQuery(server, {}), enabled: false } : unasked,
  );
  const { data: filed } = useQuery(server ? { ...filedTotalsQuery(server), enabled: false } : unasked);
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

/** Returns how many reports of all kinds are open or escalated; undefined while that isn't known. */
export function useWaiting(server: Server | undefined) {
  const onEvents = useUnreviewed(server);
  const { user = 0, room = 0 } = useUnreviewedFiled(server);
  const escalated = Object.values(useEscalated(server)).reduce((sum, count) => sum + count, 0);
  return onEvents === undefined ? undefined : { unreviewed: onEvents + user + room, escalated };
}

type Total = { total: number; newestId: number | undefined };
const without = ({ total, newestId }: Total, marks: ReadonlyMap<number, Mark>) =>
  Math.max(0, total - marksUpTo(marks, newestId).length);

/** The marks of reports that a server can have whose newest is this one: anyone of the team may mark any number. */
export const marksUpTo = (marks: ReadonlyMap<number, Mark>, newestId: number | undefined): Mark[] =>
  [...marks.values()].filter(({ reportId }) => reportId <= (newestId ?? 0));
