/** The team's queues of cases: saved views with members and a target time. */
import type { DocumentsOfKind } from '../../../../shared/team/documents.ts';
import { viewsOf } from '../../../team/saved-views.ts';
import { wordsOf } from '../list/filter.ts';
import { type CaseFilters, readCaseFilters, type TeamQueue } from './case-search.ts';
import { type Case, type CaseRow, decidable, hasWords, type Marks, severityLevels } from './cases.ts';

export const casesList = 'cases';

const minuteMs = 60_000;

/** Returns the team's queues, in the order in which cases are assigned to them. */
export const teamQueues = (documents: DocumentsOfKind): TeamQueue[] =>
  viewsOf(documents, casesList)
    .flatMap((view) => (view.queue ? [{ ...view, queue: view.queue }] : []))
    .sort((one, other) => one.queue.position - other.queue.position)
    .map(({ key, name, search, queue }) => ({
      key,
      name,
      filters: readCaseFilters(search),
      people: queue.people,
      targetMs: queue.target === undefined ? undefined : queue.target * minuteMs,
    }));

type Filtered = Case & Pick<CaseRow, 'unresolved' | 'level' | 'ruled' | 'script'>;

/** Whether a case meets all filters. Of an unresolved case, the unresolved reports count. */
export function meets(row: Filtered, { text, rooms, kind, severity, script, rule }: CaseFilters): boolean {
  const { subject, reports, unresolved, level, ruled } = row;
  const counted = unresolved.length > 0 ? unresolved : reports;
  return (
    (!kind || subject.kind === kind) &&
    (!severity || level >= severityLevels[severity]) &&
    (!script || row.script === script) &&
    (!rule || ruled?.rule.key === rule) &&
    (!rooms ||
      (subject.kind === 'room' && rooms.includes(subject.roomId)) ||
      counted.some(({ event }) => event !== undefined && rooms.includes(event.room_id))) &&
    hasWords(row, wordsOf(text))
  );
}

/** Returns the first queue whose filters a case meets. */
export const queueOf = (row: Filtered, queues: readonly TeamQueue[]): TeamQueue | undefined =>
  queues.find(({ filters }) => meets(row, filters));

/** Whether a case waits for a decision: it's in its team's queue. */
export const isPending = ({ state }: Pick<CaseRow, 'state'>): boolean =>
  state === 'open' || state === 'escalated';

/** Returns when the target time of a pending case ends, in milliseconds since the Unix epoch. */
export function dueAt(row: Pick<CaseRow, 'state' | 'unresolved' | 'teamQueue'>): number | undefined {
  const oldest = row.unresolved.at(-1);
  const target = row.teamQueue?.targetMs;
  return isPending(row) && oldest && target !== undefined ? oldest.at + target : undefined;
}

export const isOverdue = (row: Parameters<typeof dueAt>[0], now: number): boolean =>
  (dueAt(row) ?? Number.POSITIVE_INFINITY) < now;

type QueueFigures = {
  open: number;
  overdue: number;
  /** When the oldest unresolved report arrived. */
  oldestAt: number | undefined;
  decided: number;
  /** From the oldest report that was decided to the decision, in milliseconds. */
  medianMs: number | undefined;
};

export function queueFigures(rows: readonly CaseRow[], marks: Marks, now: number): QueueFigures {
  const pending = rows.filter(isPending);
  const resolved = rows.filter(({ state, decidedAt }) => state === 'resolved' && decidedAt > 0);
  const times = resolved
    .map((row) => row.decidedAt - Math.min(...decidable(row, marks).map(({ at }) => at)))
    .sort((one, other) => one - other);
  const starts = pending.flatMap(({ unresolved }) => unresolved.at(-1)?.at ?? []);
  return {
    open: pending.length,
    overdue: pending.filter((row) => isOverdue(row, now)).length,
    oldestAt: starts.length > 0 ? Math.min(...starts) : undefined,
    decided: resolved.length,
    medianMs: times[Math.floor(times.length / 2)],
  };
}
