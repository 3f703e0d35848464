import { i18n } from '@lingui/core';
import { caseFieldNames, caseKey } from '../../shared/team/cases.ts';
import type { CaseChange, CaseSubject } from '../../shared/team/entries.ts';
import { teamOf } from '../team/team-store.ts';
import type { Server } from '../transport/server.ts';
import { noticeOfMarks } from './undo-marks.ts';
import { undosOf } from './undo-stack.ts';

/** Sets fields of a case, with an undo. @param text describes the change */
export function changeCase(server: Server, subject: CaseSubject, changes: CaseChange, text: string) {
  const { cases, setCase } = teamOf(server).snapshot();
  const now = cases.get(caseKey(subject));
  const names = caseFieldNames.filter((name) => changes[name] !== undefined);
  const before = Object.fromEntries(names.map((name) => [name, now?.[name] ?? null]));
  setCase(subject, changes);
  const undo = () => {
    withdraw();
    setCase(subject, before);
    noticeOfMarks(server, i18n.t('Change to case undone'));
  };
  const withdraw = undosOf(server).offer(undo);
  noticeOfMarks(server, text, { run: undo, what: text });
}
