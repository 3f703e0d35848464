import { i18n } from '@lingui/core';
import { showNotice } from '../components/notice.tsx';
import type { ReportKind, ReportState } from '../team/entries.ts';
import { teamOf } from '../team/team-store.ts';
import type { Server } from '../transport/server.ts';
import { number } from '../words/format.ts';

let hideLast = () => {};

/** Shows what became of marks, in place of the notice before. Returns a function that hides it. */
export function noticeOfMarks(text: string, undo?: { run: () => void; what: string }): () => void {
  hideLast();
  hideLast = showNotice({ text, undo: undo?.run, undoes: undo?.what });
  return hideLast;
}

type MarkChange = {
  of: ReportKind;
  state: ReportState;
  /** The state of each report before. */
  formerly: readonly (readonly [number, ReportState])[];
};

/** Reverts marks, except where somebody else has decided since, and says so. */
export function undoMarks(
  server: Server,
  { of, state, formerly }: MarkChange,
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
      takenBack(
        own.map(([id]) => id),
        kept,
      ),
    );
  else hideLast();
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
