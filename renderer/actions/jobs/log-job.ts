/** Logs a large job in the team's log, with as many items per entry as fit. */
import {
  type ActionEntry,
  type DeletedReport,
  maxReasonLength,
  maxReportsPerEntry,
  type ReportKind,
  type Subject,
} from '../../../shared/team/entries.ts';
import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';
import { truncate } from '../../words/clip.ts';
import { markReports } from '../catalogue/reports.ts';
import { type Item, reportKindOf as kindOfReport, reasonFor, subjectOf } from '../items.ts';
import { countsOf, type Job, type JobItem, policyOf, strikeOf } from './job.ts';

type Outcome = NonNullable<JobItem['logged']>;
type UnloggedOutcome = {
  action: string;
  item: Item;
  subject: Subject;
  outcome: Outcome;
  unchanged: boolean;
  detail: string;
};
/** Detail for a report that no longer existed. Log entries are in English. */
const alreadyGone = 'was gone already';

type Entry = Omit<ActionEntry, 'by' | 'at'>;

/** In bytes: an event is limited to 64 KB, including reports and reason. */
const maxEntryBytes = 24_000;
/** In bytes per job: unsent entries must fit into localStorage. Further subjects are only counted. */
const maxJobBytes = 1_000_000;

/**
 * Logs a job's outcomes that aren't logged yet.
 *
 * @param isOver false if failed items may still be retried: they aren't logged
 */
export function logAll(server: Server, job: Job, isOver = true) {
  const { done, failed, task } = countsOf(job);
  const sum = `one of ${count(job.items.length)}: ${count(done + task)} done, ${count(failed)} failed`;
  const fresh: UnloggedOutcome[] = [];
  for (const [index, entry] of job.items.entries()) {
    const { item, logged, unchanged } = entry;
    const action = entry.step ?? job.action;
    const subject = entry.step === markReports.id ? undefined : subjectOf(item);
    const outcome = outcomeOf(job, entry);
    if (!subject || !outcome || outcome === logged || (outcome === 'failed' && !isOver)) continue;
    const isUnchanged = outcome === 'done' && unchanged === true;
    const detail = item.kind !== 'filed' ? sum : isUnchanged ? alreadyGone : '';
    fresh.push({ action, item, subject, outcome, unchanged: isUnchanged, detail });
    job.items[index] = { ...entry, logged: outcome };
  }
  if (fresh.length > 0)
    teamOf(server)
      .snapshot()
      .record(...entriesOf(job, fresh));
}

const count = (value: number) => value.toLocaleString('en');

/** Returns an item's outcome. Tasks count as done. */
function outcomeOf({ direction }: Job, { state }: JobItem): Outcome | undefined {
  if (state === 'failed') return state;
  if (state !== 'done' && state !== 'task') return undefined;
  return direction === 'undo' ? 'undone' : 'done';
}

const reportKindOf = (item: Item): ReportKind =>
  item.kind === 'filed' ? kindOfReport(item) : (item.reportKind ?? 'report');

const reportsOf = (item: Item): readonly number[] =>
  item.kind === 'filed' ? [item.reportId] : (item.reports ?? []);

/** The items of one entry. */
type EntryDraft = {
  alike: UnloggedOutcome;
  items: number;
  subjects: Map<string, Subject>;
  reports: Set<number>;
  deleted: DeletedReport[];
};

/** Returns the data of a deleted report for the log; undefined if its reporter is unknown. */
function deletedReport(item: Item): DeletedReport | undefined {
  if (item.kind !== 'filed' || item.by === undefined || item.at === undefined) return undefined;
  const { of, reportId: id, about, by, at, reason, roomId, sender } = item;
  return {
    id,
    by,
    at,
    ...(reason && { reason: truncate(reason, maxReasonLength).toWellFormed() }),
    ...(of === 'user' && { userId: about }),
    ...(of === 'room' && { roomId: about }),
    ...(of === 'event' && { eventId: about, ...(roomId && { roomId }), ...(sender && { userId: sender }) }),
  };
}

const encoder = new TextEncoder();
const bytesOf = (value: unknown) => encoder.encode(JSON.stringify(value)).length;

/** Packs outcomes into as few entries as possible. */
function entriesOf(job: Job, fresh: readonly UnloggedOutcome[]): Entry[] {
  const portions: EntryDraft[] = [];
  const sorted = Map.groupBy(fresh, ({ action, item, outcome, unchanged, detail }) =>
    JSON.stringify([action, outcome, unchanged, reportKindOf(item), item.listRule, detail]),
  );
  let names = 0;
  for (const all of sorted.values()) {
    let last: EntryDraft | undefined;
    let namesOfLast = 0;
    for (const each of all) {
      const reports = reportsOf(each.item);
      const name = JSON.stringify(each.subject);
      const deleted = each.outcome === 'done' ? deletedReport(each.item) : undefined;
      const size = name.length + (deleted ? bytesOf(deleted) : 0);
      const isFull =
        last &&
        (last.items === maxReportsPerEntry ||
          last.reports.size + reports.length > maxReportsPerEntry ||
          namesOfLast + size > maxEntryBytes);
      if (!last || isFull) {
        last = { alike: each, items: 0, subjects: new Map(), reports: new Set(), deleted: [] };
        namesOfLast = 0;
        portions.push(last);
      }
      last.items += 1;
      for (const id of reports) last.reports.add(id);
      if (names > maxJobBytes) continue;
      if (deleted) last.deleted.push(deleted);
      else if (last.subjects.has(name)) continue;
      last.subjects.set(name, each.subject);
      namesOfLast += size;
      names += size;
    }
  }
  return portions.map((portion) => entryOf(job, portion));
}

function entryOf(job: Job, { alike, items, subjects, reports, deleted }: EntryDraft): Entry {
  const [subject = alike.subject, ...others] = subjects.values();
  const of = reportKindOf(alike.item);
  const reason = reasonFor(job.answers, alike.item);
  const policy = policyOf(job);
  const isStruck = alike.outcome !== 'failed' && subject.kind === 'user';
  const strike = isStruck ? strikeOf(job) : undefined;
  return {
    action: alike.action,
    subject,
    ...(others.length > 0 && { others }),
    ...(of !== 'report' && { of }),
    // Readers reject a count above the number of reports or subjects.
    reports: items <= Math.max(reports.size, subjects.size) ? [...reports] : [],
    ...(reason !== '' && { reason }),
    outcome: alike.outcome,
    ...(alike.unchanged && { unchanged: true }),
    count: items,
    ...(deleted.length > 0 && { deleted }),
    ...(alike.detail !== '' && { detail: alike.detail }),
    ...(policy !== undefined && { policy }),
    ...(strike && { strike }),
  };
}
