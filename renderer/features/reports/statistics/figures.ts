import type { EventReportItem } from '../../../../shared/api/reports.ts';
import type { Mark, TeamEntry } from '../../../../shared/team/entries.ts';
import { subjectsOf } from '../../../../shared/team/fold.ts';
import { reasonKey } from '../report-search.ts';

type Figure = { key: string; count: number; example: EventReportItem };

const maxShown = 12;

/** Numbers of reports by room, the most first; `rest` is the number in omitted rooms. */
export const byRoom = (reports: readonly EventReportItem[]) => most(reports, ({ room_id }) => room_id);

/** By the first line of the reason, ignoring case; the key is empty without a reason. */
export const byReason = (reports: readonly EventReportItem[]) =>
  most(reports, ({ reason }) => reasonKey(reason));

function most(reports: readonly EventReportItem[], keyOf: (report: EventReportItem) => string) {
  const figures = new Map<string, Figure>();
  for (const report of reports) {
    const key = keyOf(report);
    const figure = figures.get(key);
    if (figure) figure.count++;
    else figures.set(key, { key, count: 1, example: report });
  }
  const all = [...figures.values()].sort((one, other) => other.count - one.count);
  const left = all.slice(maxShown);
  return {
    shown: all.slice(0, maxShown),
    others: left.length,
    rest: left.reduce((sum, { count }) => sum + count, 0),
  };
}

const hour = 3_600_000;
/** Each ends before this many milliseconds; the last has no end. */
const resolutionSteps = [hour, 4 * hour, 24 * hour, 3 * 24 * hour, 7 * 24 * hour, Number.POSITIVE_INFINITY];

/**
 * How long reports waited until someone marked them reviewed, in milliseconds; unreviewed ones are counted separately.
 */
export function timesToResolution(
  reports: readonly EventReportItem[],
  marks: ReadonlyMap<number, Mark>,
): { steps: number[]; median: number | undefined; resolved: number; open: number } {
  const waited = reports
    .flatMap(({ id, received_ts }) => {
      const mark = marks.get(id);
      return mark?.state === 'reviewed' ? [Math.max(0, mark.at - received_ts)] : [];
    })
    .sort((one, other) => one - other);
  const steps = resolutionSteps.map(() => 0);
  for (const time of waited) {
    const step = resolutionSteps.findIndex((end) => time < end);
    steps[step] = (steps[step] ?? 0) + 1;
  }
  return {
    steps,
    median: waited[Math.floor(waited.length / 2)],
    resolved: waited.length,
    open: reports.length - waited.length,
  };
}

export type ActionFigure = { action: string; count: number; by: string[] };

/**
 * The team's actions by its log, minus undone ones, the most frequent first. An undo is subtracted from its user. If
 * several deleted the same report, the first one counts.
 *
 * @param entries newest first
 */
export function whatWasDone(entries: readonly TeamEntry[]): ActionFigure[] {
  const done = new Map<string, { counts: Map<string, number>; lastBy: Map<string, string> }>();
  const deleted = new Set<string>();
  for (const entry of entries.toReversed()) {
    if (entry.type !== 'action' || entry.outcome === 'failed') continue;
    const known = done.get(entry.action) ?? { counts: new Map(), lastBy: new Map() };
    done.set(entry.action, known);
    let count = entry.count ?? 1;
    if (entry.action === 'delete-report' && entry.reports.length > 0) {
      const before = deleted.size;
      for (const id of entry.reports) deleted.add(`${entry.of} ${id}`);
      count = deleted.size - before;
    }
    const isUndone = entry.outcome === 'undone';
    const by = (isUndone && known.lastBy.get(JSON.stringify(entry.subject))) || entry.by;
    known.counts.set(by, Math.max(0, (known.counts.get(by) ?? 0) + (isUndone ? -count : count)));
    if (isUndone) continue;
    for (const subject of subjectsOf(entry)) known.lastBy.set(JSON.stringify(subject), by);
  }
  return [...done]
    .map(([action, { counts }]) => {
      const some = [...counts].filter(([, count]) => count > 0);
      const count = some.reduce((sum, [, each]) => sum + each, 0);
      return { action, count, by: some.map(([by]) => by) };
    })
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
}
