import pLimit from 'p-limit';
import { useCallback, useEffect, useRef } from 'react';
import { Type } from 'typebox';
import { maximumReportsPerPage } from '../../../../shared/api/reports.ts';
import type { AskReports } from '../../../api/event-reports.ts';
import type { Moment } from '../../../api/report-order.ts';
import { walkReports } from '../../../api/report-walk.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import { persisted } from '../../../persisted.ts';
import type { Mark, ReportKind } from '../../../team/entries.ts';
import { teamOf } from '../../../team/team-store.ts';
import { useMarks, useOfTeam } from '../../../team/use-team.ts';
import { NotFound } from '../../../transport/refusal.ts';
import { graveyardOf, useTombstones } from './report-rows.ts';

/** So far back the list is looked through for marked reports, in runs of a thousand. */
const mostRuns = 20;
/** So many that the list lacks are asked for at once, to be sure. */
const mostAsked = 200;
const atOnce = 4;
const againMs = 5_000;
const settleMs = 1_000;

/** How many reports there are, and the number of the newest. */
export type Total = { total: number; newestId: number | undefined };

/** The reports of one kind, as the server is asked for them. */
export type ReportSource = {
  of: ReportKind;
  ask: (signal: AbortSignal) => AskReports<Moment>;
  /** Asks for one anew; fails with `NotFound` where the server has none of that number. */
  askOne: (reportId: number) => Promise<unknown>;
};

/** What was there when the list was looked at last; before the first time, no number of reports is right. */
const lastSeen = (graveyard: string) =>
  persisted(
    `gatehouse.reports.seen.${graveyard}`,
    Type.Object({ total: Type.Integer(), newestId: Type.Integer() }),
    { total: Number.MAX_SAFE_INTEGER, newestId: 0 },
  );

/**
 * Takes the marks of reports that others deleted back: they would be counted as reviewed for ever. Nothing
 * says which were deleted, so when there are fewer reports than there were, here or when the console was open
 * last, the list is looked through. What it lacks is asked for: only what the server says that it doesn't have
 * is gone; a list that lacks it, filtered or late, proves nothing. So is the report that is open, which whoever
 * reads it has to be told.
 *
 * @param source the same for as long as the reports are
 * @param goneByOthers changes when others have deleted some
 */
export function useGoneMarks(
  source: ReportSource,
  now: Total | undefined,
  goneByOthers: number,
  openId: number | undefined,
) {
  const { of } = source;
  const { deletedReports } = useConsole();
  const server = useServer();
  const graveyard = graveyardOf(server.id, of);
  const marks = useMarks(of);
  const latest = useRef(marks);
  latest.current = marks;

  const askFor = useCallback(
    async (reportIds: readonly number[], signal: AbortSignal) => {
      const turn = pLimit(atOnce);
      const gone: number[] = [];
      const ask = async (id: number) => {
        signal.throwIfAborted();
        await source.askOne(id).catch((error: unknown) => {
          if (!(error instanceof NotFound)) throw error;
          gone.push(id);
        });
      };
      await Promise.all(reportIds.map((id) => turn(ask, id)));
      // A report on a purged event can't be opened, and is listed.
      if (gone.length > 0) deletedReports.findGone(graveyard, await unlisted(source.ask(signal), gone));
    },
    [deletedReports, graveyard, source],
  );

  const open = useRef(openId);
  open.current = openId;

  const look = useCallback(
    async (signal: AbortSignal) => {
      if (open.current !== undefined) await askFor([open.current], signal);
      const stones = deletedReports.of(graveyard);
      const marked = [...latest.current.keys()].filter((id) => !stones.has(id));
      await askFor(await lackingOf(source.ask(signal), marked), signal);
    },
    [askFor, deletedReports, graveyard, source],
  );

  const tombstones = useTombstones(of);
  useEffect(() => {
    // What deletes reports here takes their marks back at its end, all at once.
    if ([...tombstones.values()].includes('waiting')) return;
    // Later, too: who has not heard yet that a report is gone can still mark it.
    const gone = [...tombstones].filter(([id, how]) => how === 'gone' && marks.has(id)).map(([id]) => id);
    if (gone.length > 0) teamOf(server).snapshot().mark(gone, 'open', of);
  }, [tombstones, marks, of, server]);

  useEffect(() => {
    if (goneByOthers === 0) return;
    const aborted = new AbortController();
    void untilDone(look, aborted.signal);
    return () => aborted.abort();
  }, [goneByOthers, look]);

  const before = useRef(lastSeen(graveyard).read());
  useEffect(() => {
    if (now) lastSeen(graveyard).write({ total: now.total, newestId: now.newestId ?? 0 });
  }, [now, graveyard]);

  const isComplete = useOfTeam(
    ({ sync: { state, room } }) => state === 'local' || (room.is === 'open' && room.complete),
  );
  const isReady = now !== undefined && isComplete && marks.size > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with what is there then; later the list itself says what others delete
  useEffect(() => {
    if (!isReady || !now) return;
    const aborted = new AbortController();
    const compare = async (signal: AbortSignal) => {
      if (await areFewer(source.ask(signal), before.current, now)) await look(signal);
    };
    void untilDone(compare, aborted.signal);
    return () => aborted.abort();
  }, [isReady]);

  useOthersMarks(isReady, marks, now?.newestId ?? 0, askFor);
}

type AskFor = (reportIds: readonly number[], signal: AbortSignal) => Promise<void>;

/** Asks for reports that others mark from now on: whoever is in the team can mark a number that no report has. */
function useOthersMarks(
  isReady: boolean,
  marks: ReadonlyMap<number, Mark>,
  newestId: number,
  askFor: AskFor,
) {
  const me = useServer().connection.userId;
  const met = useRef<Set<number>>(undefined);
  useEffect(() => {
    if (!isReady) return;
    met.current ??= new Set(marks.keys());
    const { current: seen } = met;
    const fresh = [...marks.values()]
      .filter(({ reportId, by }) => by !== me && reportId <= newestId && !seen.has(reportId))
      .map(({ reportId }) => reportId)
      .slice(0, mostAsked);
    if (fresh.length === 0) return;
    // Many come one after the other, and what is asked for at once needs no haste.
    const timer = setTimeout(() => {
      for (const id of fresh) seen.add(id);
      askFor(fresh, new AbortController().signal).catch(() => {
        for (const id of fresh) seen.delete(id);
      });
    }, settleMs);
    return () => clearTimeout(timer);
  }, [isReady, marks, me, newestId, askFor]);
}

/** Does it again where the server doesn't answer: what nobody looks for now would be counted for ever. */
async function untilDone(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work(signal);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }
}

/** Whether reports were deleted since the list was seen; yes where nobody can tell. */
export async function areFewer(ask: AskReports<Moment>, before: Total, now: Total): Promise<boolean> {
  if (!before.newestId) return true;
  if (before.newestId === now.newestId) return now.total < before.total;
  const { newestId } = before;
  const { event_reports: head } = await ask({ dir: 'b', from: 0, limit: maximumReportsPerPage });
  const arrived = head.findIndex(({ id }) => id <= newestId);
  return arrived === -1 || now.total < before.total + arrived;
}

/** Which of these reports the list doesn't have, as far back as it is searched. */
async function unlisted(ask: AskReports<Moment>, reportIds: readonly number[]): Promise<number[]> {
  const left = new Set(reportIds);
  const oldest = Math.min(...reportIds);
  let runs = 0;
  for await (const { reports } of walkReports(ask, 'b')) {
    for (const { id } of reports) left.delete(id);
    if (++runs === mostRuns || (reports.at(-1)?.id ?? 0) <= oldest) break;
  }
  return [...left];
}

/**
 * Which of these reports the list lacks as far back as it is looked through, the newest first. Those beyond its
 * newest are none that it lacks: they may still come.
 */
async function lackingOf(ask: AskReports<Moment>, marked: readonly number[]): Promise<number[]> {
  const lacking: number[] = [];
  const sought = marked.toSorted((one, other) => other - one);
  let runs = 0;
  for await (const { reports, next } of walkReports(ask, 'b')) {
    if (runs === 0) {
      const newestId = reports[0]?.id ?? 0;
      sought.splice(0, sought.findLastIndex((id) => id > newestId) + 1);
    }
    const there = new Set(reports.map(({ id }) => id));
    const oldest = next ? (reports.at(-1)?.id ?? 0) : 0;
    const within = sought.findIndex((id) => id < oldest);
    const passed = sought.splice(0, within === -1 ? sought.length : within);
    lacking.push(...passed.filter((id) => !there.has(id)));
    runs++;
    if (sought.length === 0 || runs === mostRuns || lacking.length >= mostAsked) break;
  }
  return lacking.slice(0, mostAsked);
}
