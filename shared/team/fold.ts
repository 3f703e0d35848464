/** Folds log entries into the status of reports. The result doesn't depend on the order of arrival. */
import type {
  ActionEntry,
  Body,
  DeletedReport,
  LogEntry,
  Mark,
  MarkedAs,
  ReportKind,
  Subject,
  TeamEntry,
} from './entries.ts';

/** Conflict rule: the later entry wins; at the same time, the greater ID. */
export const isLater = (a: Pick<LogEntry, 'at' | 'id'>, b: Pick<LogEntry, 'at' | 'id'>) =>
  a.at === b.at ? a.id > b.id : a.at > b.at;

export const newestFirst = <Entry extends LogEntry>(entries: Iterable<Entry>): Entry[] =>
  [...entries].sort((a, b) => (isLater(a, b) ? -1 : 1));

/** Splits a combined mark into one per report, each with its own time. Returns other entries unchanged. */
export function splitByReport(entry: LogEntry): LogEntry[] {
  const { body, times, ...rest } = entry;
  if (!times || body.type !== 'mark') return [entry];
  return body.reports.map((reportId, index) => ({
    ...rest,
    at: times[index] ?? rest.at,
    body: { ...body, reports: [reportId] },
  }));
}

/** Marks by report ID, including `open`. `id` is the event's. */
export type Marks = Map<number, Mark & Pick<LogEntry, 'id'>>;

/**
 * The marks of one kind of report. Only a sender who has seen an escalation can end it, so a report's state depends on
 * its latest mark that can override an escalation (`firm`) and its latest other mark (`weak`).
 */
type MarkFold = { marks: Marks; firm: Marks; weak: Marks };
export type MarksByKind = Record<ReportKind, MarkFold>;

const emptyFold = (): MarkFold => ({ marks: new Map(), firm: new Map(), weak: new Map() });

export const emptyMarks = (): MarksByKind => ({
  report: emptyFold(),
  user_report: emptyFold(),
  room_report: emptyFold(),
});

/** Whether a mark wins over an earlier escalation. */
export const overridesEscalation = ({ state, seen = 'escalated' }: Pick<Mark, 'state' | 'seen'>): boolean =>
  state === 'escalated' || seen === 'escalated';

export const isDeletion = ({ action, outcome }: Pick<ActionEntry, 'action' | 'outcome'>): boolean =>
  action === 'delete-report' && outcome === 'done';

type MarkChange = MarkedAs & { reports: readonly number[] };

/** Copies the fields of a mark that apply to each of its reports. */
export const markedAs = ({ of, state, seen, verdict, policy }: MarkedAs): MarkedAs => ({
  ...(of && { of }),
  state,
  ...(seen && { seen }),
  ...(verdict && { verdict }),
  ...(policy && { policy }),
});

/** Returns the mark that an entry sets, if any. Deleting reports reopens them. */
export function markSetBy(body: Body): MarkChange | undefined {
  if (body.type === 'mark') return body;
  const { of, reports } = body.type === 'action' && isDeletion(body) ? body : {};
  return reports && { ...(of && { of }), reports, state: 'open' };
}

export function applyMark(folds: MarksByKind, entry: LogEntry): void {
  for (const { id, by, at, body } of splitByReport(entry)) {
    const set = markSetBy(body);
    if (!set) return;
    const { marks, firm, weak } = folds[set.of ?? 'report'];
    for (const reportId of set.reports) {
      const mark = { ...markedAs(set), reportId, by, at, id };
      const ofKind = overridesEscalation(mark) ? firm : weak;
      const before = ofKind.get(reportId);
      if (before && !isLater(mark, before)) continue;
      ofKind.set(reportId, mark);
      const [firmMark, weakMark] = [firm.get(reportId), weak.get(reportId)];
      const firmWins =
        firmMark && (!weakMark || firmMark.state === 'escalated' || isLater(firmMark, weakMark));
      marks.set(reportId, firmWins ? firmMark : (weakMark ?? mark));
    }
  }
}

/** Returns one entry per report of a mark; with a report as the subject, only that report's. */
export function entriesOf({ by, at, body }: LogEntry, subject?: Subject): TeamEntry[] {
  if (body.type === 'document') return [];
  if (body.type !== 'mark') return [{ ...body, by, at }];
  const { type } = body;
  const reports = subject && 'id' in subject ? [subject.id] : body.reports;
  return reports.map((reportId) => ({ type, ...markedAs(body), reportId, by, at }));
}

/** Returns one entry for all reports of a mark. */
export function wholeEntryOf(logged: LogEntry): TeamEntry[] {
  const { body } = logged;
  const [first] = entriesOf(logged);
  if (body.type !== 'mark' || first?.type !== 'mark') return entriesOf(logged);
  return [body.reports.length > 1 ? { ...first, count: body.reports.length } : first];
}

/** Whether an entry belongs to a subject's history. A report's history includes the actions that it led to. */
export function isAbout(subject: Subject, body: Body): boolean {
  if (body.type === 'document') return false;
  if ('reports' in body && 'id' in subject) {
    if (subject.kind === (body.of ?? 'report') && body.reports.includes(subject.id)) return true;
  }
  return body.type !== 'mark' && subjectsOf(body).some((each) => isSame(subject, each));
}

/** Whether an entry is a note on, or marks, reports that it says are on the subject. */
export const isOnRelatedReport = (subject: Subject, body: Body): boolean =>
  (body.type === 'note' || body.type === 'mark') &&
  body.about?.some((each) => isSame(subject, each)) === true;

/** Returns the first of these reports on events that an entry is a note on or escalates. */
export function findNamedReport(reportIds: ReadonlySet<number>, body: Body): number | undefined {
  if (body.type === 'note') {
    const named = subjectsOf(body).find((each) => each.kind === 'report' && reportIds.has(each.id));
    return named && 'id' in named ? named.id : undefined;
  }
  if (body.type !== 'mark' || body.state !== 'escalated' || (body.of ?? 'report') !== 'report')
    return undefined;
  return body.reports.find((id) => reportIds.has(id));
}

/** Whether a deleted report is the subject or was on it: on the sender, room or event of a reported event. */
export function isAboutDeleted(subject: Subject, report: DeletedReport, of: ReportKind = 'report'): boolean {
  switch (subject.kind) {
    case 'user':
      return report.userId === subject.userId;
    case 'room':
      return report.roomId === subject.roomId;
    case 'event':
      return report.eventId === subject.eventId;
    default:
      return subject.kind === of && report.id === subject.id;
  }
}

/** Returns the first deletion in a report's history; later ones found it already deleted. */
export const findDeletion = (newestFirst: readonly TeamEntry[]): ActionEntry | undefined =>
  newestFirst.findLast((entry) => entry.type === 'action' && isDeletion(entry)) as ActionEntry | undefined;

export const subjectsOf = (body: { subject: Subject; others?: readonly Subject[] }): Subject[] => [
  body.subject,
  ...(body.others ?? []),
];

function isSame(a: Subject, b: Subject): boolean {
  switch (a.kind) {
    case 'report':
    case 'user_report':
    case 'room_report':
      return b.kind === a.kind && a.id === b.id;
    case 'event':
      return b.kind === 'event' && a.eventId === b.eventId && a.roomId === b.roomId;
    case 'user':
      return b.kind === 'user' && a.userId === b.userId;
    case 'room':
      return b.kind === 'room' && a.roomId === b.roomId;
  }
}

/** Returns entries on any of the subjects, newest first. A report's include the actions that it led to. */
export function timelineOf(entries: Iterable<LogEntry>, ...subjects: readonly Subject[]): TeamEntry[] {
  const whose = ({ body }: LogEntry) => subjects.find((subject) => isAbout(subject, body));
  const about = [...entries].filter(whose).flatMap(splitByReport).filter(whose);
  return newestFirst(about).flatMap((logged) => entriesOf(logged, whose(logged)));
}
