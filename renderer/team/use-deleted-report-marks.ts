import { useQuery } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Type } from 'typebox';
import { maximumReportsPerPage } from '../../shared/api/reports.ts';
import { eventReports } from '../api/reports/event-reports.ts';
import type { Moment } from '../api/reports/report-order.ts';
import {
  type AnyReport,
  type AskReports,
  type ReportSource,
  type ReportTotal,
  reportTotalQuery,
} from '../api/reports/report-source.ts';
import { walkReports } from '../api/reports/report-walk.ts';
import { useConsole } from '../console-context.ts';
import type { DeviceStorage } from '../persisted.ts';
import { useStoreValue } from '../subscribers.ts';
import { NotFound } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';
import { teamOf } from './team-store.ts';
import { useMarks, useTeamValue } from './use-team.ts';

/** The list is compared this far back, in runs of a thousand. */
const maxPages = 20;
/** Number of missing reports that are checked at once. */
const maxChecked = 200;
const atOnce = 4;
const retryMs = 5_000;
const settleMs = 1_000;

type Total = Pick<ReportTotal, 'total' | 'newestId'>;

/** The list as it was seen last. The default finds reports missing. */
const lastSeen = (deviceStorage: DeviceStorage, deletionsKey: string) =>
  deviceStorage.open(
    `gatehouse.reports.seen.${deletionsKey}`,
    Type.Object({ total: Type.Integer(), newestId: Type.Integer() }),
    { total: Number.MAX_SAFE_INTEGER, newestId: 0 },
  );

/**
 * Removes the marks of reports that others deleted, which would otherwise be counted forever. The server doesn't say which
 * were deleted: if there are fewer reports than before, marked reports that aren't in the list are loaded, and those that
 * return 404 are gone. The open report is checked in the same way.
 *
 * @param goneByOthers changes when others have deleted some
 */
export function useGoneMarks<Report extends AnyReport>(
  filtered: ReportSource<Report>,
  goneByOthers: number,
  openId: number | undefined,
) {
  const { of, server, deletionsKey } = filtered;
  // biome-ignore lint/correctness/useExhaustiveDependencies: filters don't matter
  const source = useMemo(() => filtered.unfiltered(), [server, of]);
  const { deviceStorage, queryClient, deletedReports } = useConsole();
  const { data: now } = useQuery(reportTotalQuery(source));
  const marks = useMarks(of);
  const newestId = now?.newestId ?? 0;
  const latest = useRef({ marks, newestId, openId });
  useEffect(() => {
    latest.current = { marks, newestId, openId };
  });

  const check = useCallback(
    async (reportIds: readonly number[], signal: AbortSignal) => {
      const turn = pLimit(atOnce);
      const isFound = async (id: number) => {
        signal.throwIfAborted();
        const report = queryClient.fetchQuery({ ...source.detail(id), staleTime: 0, retry: false });
        return report.then(() => true, falseIfNotFound);
      };
      const found = await Promise.all(reportIds.map((id) => turn(isFound, id)));
      const notFound = reportIds.filter((_, index) => !found[index]);
      // A report on a purged event can't be loaded, but is listed.
      if (notFound.length > 0) {
        deletedReports.findGone(deletionsKey, await lackingOf(source.ask(signal), notFound));
      }
    },
    [queryClient, deletedReports, deletionsKey, source],
  );

  const checkAll = useCallback(
    async (signal: AbortSignal) => {
      const { marks, newestId, openId: open } = latest.current;
      if (open !== undefined) await check([open], signal);
      const stones = deletedReports.of(deletionsKey);
      // Reports of later ids can still arrive.
      const marked = [...marks.keys()].filter((id) => id <= newestId && !stones.has(id));
      await check(await lackingOf(source.ask(signal), marked), signal);
    },
    [check, deletedReports, deletionsKey, source],
  );

  const tombstones = useStoreValue(deletedReports, () => deletedReports.of(deletionsKey));
  useEffect(() => {
    // A deletion from here removes its marks when it has ended, all at once.
    if ([...tombstones.values()].includes('waiting')) return;
    // Also later: others can still mark a report before they learn that it is gone.
    const gone = [...tombstones].filter(([id, how]) => how === 'gone' && marks.has(id)).map(([id]) => id);
    if (gone.length > 0) teamOf(server).snapshot().mark(gone, 'open', of);
  }, [tombstones, marks, of, server]);

  useEffect(() => {
    if (goneByOthers === 0) return;
    const aborted = new AbortController();
    void untilDone(checkAll, aborted.signal);
    return () => aborted.abort();
  }, [goneByOthers, checkAll]);

  const before = useRef(lastSeen(deviceStorage, deletionsKey).read());
  useEffect(() => {
    if (now) lastSeen(deviceStorage, deletionsKey).write({ total: now.total, newestId: now.newestId ?? 0 });
  }, [deviceStorage, now, deletionsKey]);

  const isComplete = useTeamValue(
    ({ sync: { state, room } }) => state === 'local' || (room.is === 'open' && room.complete),
  );
  const isReady = now !== undefined && isComplete && marks.size > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; later the list itself finds deletions by others
  useEffect(() => {
    if (!isReady || !now) return;
    const aborted = new AbortController();
    const compare = async (signal: AbortSignal) => {
      if (await areFewer(source.ask(signal), before.current, now)) await checkAll(signal);
    };
    void untilDone(compare, aborted.signal);
    return () => aborted.abort();
  }, [isReady]);

  // Others can mark ids that no report has.
  const met = useRef<Set<number>>(undefined);
  const me = server.connection.userId;
  useEffect(() => {
    if (!isReady) return;
    met.current ??= new Set(marks.keys());
    const { current: seen } = met;
    const fresh = [...marks.values()]
      .filter(({ reportId, by }) => by !== me && reportId <= newestId && !seen.has(reportId))
      .map(({ reportId }) => reportId)
      .slice(0, maxChecked);
    if (fresh.length === 0) return;
    // Marks arrive one after the other.
    const timer = setTimeout(() => {
      for (const id of fresh) seen.add(id);
      check(fresh, new AbortController().signal).catch(() => {
        for (const id of fresh) seen.delete(id);
      });
    }, settleMs);
    return () => clearTimeout(timer);
  }, [isReady, marks, me, newestId, check]);
}

/** Removes the marks of event reports that are deleted while another screen is open, for example with their room. */
export function useDeletedReportMarks(server: Server): void {
  const source = useMemo(() => eventReports(server, {}), [server]);
  const { data } = useQuery({ ...reportTotalQuery(source), enabled: false });
  const before = useRef(data);
  const [gone, setGone] = useState(0);
  useEffect(() => {
    const { current: last = data } = before;
    before.current = data;
    if (!last || !data) return;
    const deletedHere = data.deletionsBefore - last.deletionsBefore;
    const others = last.total - data.total - deletedHere;
    if (others > 0) setGone((known) => known + others);
  }, [data]);
  useGoneMarks(source, gone, undefined);
}

function falseIfNotFound(error: unknown): false {
  if (!(error instanceof NotFound)) throw error;
  return false;
}

async function untilDone(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work(signal);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

/** Returns whether reports were deleted since the list was seen; true if that can't be known. */
async function areFewer(ask: AskReports<Moment>, before: Total, now: Total): Promise<boolean> {
  if (!before.newestId) return true;
  if (before.newestId === now.newestId) return now.total < before.total;
  const { newestId } = before;
  const { event_reports: head } = await ask({ dir: 'b', from: 0, limit: maximumReportsPerPage });
  const arrived = head.findIndex(({ id }) => id <= newestId);
  return arrived === -1 || now.total < before.total + arrived;
}

/** Returns the IDs that aren't in the part of the list that was read, newest first. */
async function lackingOf(ask: AskReports<Moment>, reportIds: readonly number[]): Promise<number[]> {
  const lacking: number[] = [];
  const missing = reportIds.toSorted((one, other) => other - one);
  let runs = 0;
  for await (const { reports, next } of walkReports(ask, 'b')) {
    const there = new Set(reports.map(({ id }) => id));
    const oldest = next ? (reports.at(-1)?.id ?? 0) : 0;
    const within = missing.findIndex((id) => id < oldest);
    const passed = missing.splice(0, within === -1 ? missing.length : within);
    lacking.push(...passed.filter((id) => !there.has(id)));
    if (missing.length === 0 || ++runs === maxPages || lacking.length >= maxChecked) break;
  }
  return lacking.slice(0, maxChecked);
}
