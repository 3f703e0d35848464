import { i18n } from '@lingui/core';
import { type Static, Type } from 'typebox';
import {
  ReportId,
  type ReportKind,
  ReportState,
  reportKinds,
  Subject,
  verdicts,
} from '../../shared/team/entries.ts';
import { noticesOf } from '../components/notices.ts';
import { teamOf } from '../team/team-store.ts';
import type { Server } from '../transport/server.ts';
import { number } from '../words/format.ts';
import { markReviewed } from './action.ts';
import type { Job } from './jobs/job.ts';
import { jobsOf } from './jobs/job-store.ts';
import { undosOf } from './undo-stack.ts';

const markNotice = () => ({ hide: () => {} });

/** Shows the result of changing marks, in place of the previous notice. */
export function noticeOfMarks(server: Server, text: string, undo?: { run: () => void; what: string }) {
  const shown = server.state(markNotice);
  shown.hide();
  shown.hide = noticesOf(server).show({ text, undo: undo?.run, undoLabel: undo?.what });
}

/** Reverts marks that another admin hasn't changed since, and shows a notice. */
export function undoMarks(
  server: Server,
  { state, formerly, about }: Omit<MarkChange, 'at'>,
  isGone = (_: MarkedBefore) => false,
) {
  const { marksOf, mark } = teamOf(server).snapshot();
  const isOwn = ({ of, id }: MarkedBefore) => {
    const now = marksOf[of].get(id);
    return now ? now.state === state && now.by === server.connection.userId : state === 'open';
  };
  const own = formerly.filter(isOwn);
  const alike = Map.groupBy(
    own,
    (before) => `${before.of} ${before.state} ${before.verdict ?? ''} ${before.policy ?? ''}`,
  );
  for (const those of alike.values()) {
    const ids = those.map(({ id }) => id);
    const [before] = those;
    if (before) mark(ids, before.state, before.of, { about, verdict: before.verdict, policy: before.policy });
  }
  const kept = formerly.filter((report) => !isOwn(report) && !isGone(report)).length;
  if (own.length > 0 || kept > 0)
    noticeOfMarks(
      server,
      undoMessage(
        own.map(({ id }) => id),
        kept,
      ),
    );
  else server.state(markNotice).hide();
}

/** @param kept number of marks that another admin has changed since */
function undoMessage([id, ...others]: readonly number[], kept: number): string {
  if (id === undefined) {
    return i18n.t('Not undone: status changed by another admin');
  }
  const count = number(others.length + 1);
  const done =
    others.length === 0
      ? i18n.t('Status of report {id} restored', { id })
      : i18n.t('Status of {count} reports restored', { count });
  if (kept === 0) return done;
  const left = i18n.t('{count, plural, one {One more} other {# more}} not undone: changed by another admin', {
    count: kept,
  });
  return `${done} · ${left}`;
}

// Marks that can be undone after a reload. Stored per tab.

const MarkedBefore = Type.Object({
  of: Type.Enum([...reportKinds]),
  id: ReportId,
  state: ReportState,
  verdict: Type.Optional(Type.Enum([...verdicts])),
  policy: Type.Optional(Type.String()),
});
/** A report, and how it was marked before the change. */
type MarkedBefore = Static<typeof MarkedBefore>;

const MarkChange = Type.Object({
  state: ReportState,
  formerly: Type.Array(MarkedBefore),
  /** The subjects of the reports, if the marks contain them. */
  about: Type.Optional(Type.Array(Subject)),
  at: Type.Integer(),
});
export type MarkChange = Static<typeof MarkChange>;

const maxStored = 20;
const storedChanges = ({ id, deviceStorage }: Server) =>
  deviceStorage.open(`gatehouse.undo.${id}`, Type.Array(MarkChange), [], 'session');
const remove = (server: Server, change: MarkChange) =>
  storedChanges(server).write(
    storedChanges(server)
      .read()
      .filter(({ at, formerly }) => at !== change.at || formerly[0]?.id !== change.formerly[0]?.id),
  );

/** Offers to undo marks. Returns a function that withdraws the offer. */
export function offerMarkUndo(server: Server, change: MarkChange, undo: () => void): () => void {
  storedChanges(server).write([...storedChanges(server).read(), change].slice(-maxStored));
  const withdraw = undosOf(server).offer(undo, { at: change.at, scope: scopeOf(change) });
  return () => {
    withdraw();
    remove(server, change);
  };
}

/** Returns the undo scope for marks of one kind of report; none for reopening. */
export const markScope = (of: ReportKind, state: ReportState) =>
  state === 'open' ? undefined : `marks of ${of}`;

function scopeOf({ formerly, state }: MarkChange) {
  const [of, ...others] = new Set(formerly.map((report) => report.of));
  return of && others.length === 0 ? markScope(of, state) : undefined;
}

/** Offers to undo this tab's marks from before a reload; once. */
export const restoreMarkUndos = (server: Server) => server.state(offerStoredMarks);

function offerStoredMarks(server: Server) {
  for (const change of storedChanges(server).read()) {
    const undo = () => {
      remove(server, change);
      undoMarks(server, change);
    };
    undosOf(server).offer(undo, { at: change.at, scope: scopeOf(change) });
  }
}

/** Returns the reports that running jobs are about to resolve. */
export const pendingMarks = (server: Server, of: ReportKind): ReadonlySet<number> =>
  pendingMarksIn(jobsOf(server).snapshot(), of);

export function pendingMarksIn(
  jobs: readonly Pick<Job, 'state' | 'direction' | 'answers' | 'items'>[],
  of: ReportKind,
): ReadonlySet<number> {
  const running = jobs.filter(({ state, direction }) => state === 'running' && direction === 'do');
  return new Set(
    running.flatMap(({ items, answers }) =>
      items.flatMap(({ item }) => {
        const { reports = [], reportKind = 'report', further = [] } = item;
        const own = answers.fields[markReviewed] === true && reportKind === of ? reports : [];
        return [...own, ...further.filter((each) => each.of === of).flatMap(({ reports }) => reports)];
      }),
    ),
  );
}
