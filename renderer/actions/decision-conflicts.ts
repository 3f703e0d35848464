import { i18n } from '@lingui/core';
import type { Conflict } from '../../shared/team/decisions.ts';
import type { ReportKind, ReportState } from '../../shared/team/entries.ts';
import { noticesOf } from '../components/notices.ts';
import { teamOf } from '../team/team-store.ts';
import { verdictName } from '../team/verdicts.ts';
import type { Server } from '../transport/server.ts';
import { serverName } from '../transport/server-name.ts';
import { shortId } from '../words/clip.ts';
import { list } from '../words/format.ts';
import { actionLabel } from './action-words.ts';

type Report = { of: ReportKind; id: number };

const nameOf = ({ of, id }: Report) => `${of} ${id}`;

/** Reports whose decision waits for the team room. */
const openChecks = () => new Set<string>();

/** Whether a decision about a report waits for the team room. */
export const isBeingDecided = (server: Server, report: Report): boolean =>
  server.state(openChecks).has(nameOf(report));

/**
 * Carries out a decision except where a colleague has just decided, and reports the conflicts; immediately if no
 * colleague is active.
 *
 * @param parts the reports of each case, of which a colleague decides all or none
 */
export function decideUnlessConflicting<Part>(
  server: Server,
  state: ReportState,
  parts: readonly Part[],
  reportsOf: (part: Part) => readonly Report[],
  run: (left: readonly Part[]) => void,
): void {
  // Reopening reverses a decision that the user has seen.
  if (state === 'open') {
    run(parts);
    return;
  }
  const reports = parts.flatMap(reportsOf);
  const subjects = reports.map(({ of, id }) => ({ kind: of, id }));
  const check = teamOf(server).snapshot().announce({ action: state, subjects });
  if (!check) {
    run(parts);
    return;
  }
  const checks = server.state(openChecks);
  for (const report of reports) checks.add(nameOf(report));
  void check.then((conflicts) => {
    for (const report of reports) checks.delete(nameOf(report));
    const decided = new Set(
      conflicts.flatMap(({ subjects }) =>
        subjects.flatMap((subject) => ('id' in subject ? nameOf({ of: subject.kind, id: subject.id }) : [])),
      ),
    );
    const left = parts.filter((part) => !reportsOf(part).some((report) => decided.has(nameOf(report))));
    if (left.length > 0) run(left);
    if (conflicts.length > 0)
      noticesOf(server).show({ text: conflictNotice(server, conflicts, left.length > 0) });
  });
}

function conflictNotice({ connection }: Server, conflicts: readonly Conflict[], isSomeLeft: boolean): string {
  const values = {
    names: list([...new Set(conflicts.map(({ by }) => shortId(by, serverName(connection))))]),
    what: list([...new Set(conflicts.map(conflictText))]),
  };
  return isSomeLeft
    ? i18n.t('{names} just decided some of these ({what}). You decided the others.', values)
    : i18n.t('{names} just decided this ({what}). You changed nothing.', values);
}

/** Returns a colleague's decision as text, such as `Resolved · Upheld`. */
export function conflictText({ action, verdict }: Pick<Conflict, 'action' | 'verdict'>): string {
  switch (action) {
    case 'reviewed':
      return [i18n.t('Resolved'), verdict && verdictName(verdict)].filter(Boolean).join(' · ');
    case 'escalated':
      return i18n.t('Escalated');
  }
  return actionLabel({ action });
}
