import { i18n } from '@lingui/core';
import { type Static, Type } from 'typebox';
import { showNotice } from '../components/notice.tsx';
import { ReportId, type ReportKind, ReportState, reportKinds } from '../team/entries.ts';
import { teamOf } from '../team/team-store.ts';
import type { Server } from '../transport/server.ts';
import { number } from '../words/format.ts';
import { markReviewed } from './action.ts';
import type { Job } from './jobs/job.ts';
import { jobsOf } from './jobs/job-store.ts';
import { undosOf } from './undo-stack.ts';

const markNotice = () => ({ hide: () => {} });

/** Shows what became of marks, in place of the notice before. */
export function noticeOfMarks(server: Server, text: string, undo?: { run: () => void; what: string }) {
  const shown = server.state(markNotice);
  shown.hide();
  shown.hide = showNotice({ text, undo: undo?.run, undoLabel: undo?.what });
}

type TeamChange = {
  of: ReportKind;
  state: ReportState;
  /** The state of each report before. */
  formerly: readonly (readonly [number, ReportState])[];
};

/** Reverts marks, except where somebody else has decided since, and says so. */
export function undoMarks(
  server: Server,
  { of, state, formerly }: TeamChange,
  isGone = (_: number) => false,
) {
  const { marksOf, mark } = teamOf(server).snapshot();
  const isOwn = (id: number) => {
    const now = marksOf[of].get(id);
    return now ? now.state === state && now.by === server.connection.userId : state === 'open';
  };
  const own = formerly.filter(([id]) => isOwn(id));
  for (const [former, those] of Map.groupBy(own, ([, before]) => before)) {
    mark(
      those.map(([id]) => id),
      former,
      of,
    );
  }
  const kept = formerly.filter(([id]) => !isOwn(id) && !isGone(id)).length;
  if (own.length > 0 || kept > 0)
    noticeOfMarks(
      server,
      takenBack(
        own.map(([id]) => id),
        kept,
      ),
    );
  else server.state(markNotice).hide();
}

/** @param kept of how many others somebody else has changed the mark since then */
function takenBack([id, ...others]: readonly number[], kept: number): string {
  if (id === undefined) {
    return i18n.t('Not undone: status changed by another admin', { count: kept });
  }
  const count = number(others.length + 1);
  const done =
    others.length === 0
      ? i18n.t('Status of report {id} restored', { id })
      : i18n.t('Status of {count} reports restored', { count });
  if (kept === 0) return done;
  const left = i18n.t(
    '{count, plural, one {One more} other {{shown} more}} not undone: changed by another admin',
    { count: kept, shown: number(kept) },
  );
  return `${done} · ${left}`;
}

// Marks that can be undone, also after the page was reloaded.

const MarkChange = Type.Object({
  of: Type.Enum([...reportKinds]),
  state: ReportState,
  /** The state of each report before. */
  formerly: Type.Array(Type.Tuple([ReportId, ReportState])),
  at: Type.Integer(),
});
type MarkChange = Static<typeof MarkChange>;

const mostKept = 20;
const changesOf = ({ id, kept }: Server) =>
  kept.open(`gatehouse.undo.${id}`, Type.Array(MarkChange), [], 'session');
const forget = (server: Server, change: MarkChange) =>
  changesOf(server).write(
    changesOf(server)
      .read()
      .filter(({ at, formerly }) => at !== change.at || formerly[0]?.[0] !== change.formerly[0]?.[0]),
  );

/** Offers to undo marks. Returns a function that withdraws the offer. */
export function offerMarkUndo(server: Server, change: MarkChange, undo: () => void): () => void {
  changesOf(server).write([...changesOf(server).read(), change].slice(-mostKept));
  const withdraw = undosOf(server).offer(undo, { at: change.at, scope: markScope(change) });
  return () => {
    withdraw();
    forget(server, change);
  };
}

/** The scope of undoing marks of one kind of reports; reopening is no mark. */
export const markScope = ({ of, state }: Pick<MarkChange, 'of' | 'state'>) =>
  state === 'open' ? undefined : `marks of ${of}`;

/** Offers again what this tab marked before a reload; once. */
export const restoreMarkUndos = (server: Server) => server.state(offerFormerMarks);

function offerFormerMarks(server: Server) {
  for (const change of changesOf(server).read()) {
    const undo = () => {
      forget(server, change);
      undoMarks(server, change);
    };
    undosOf(server).offer(undo, { at: change.at, scope: markScope(change) });
  }
}

/** Returns the reports that running jobs are about to resolve: nobody has to look at them any more. */
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
