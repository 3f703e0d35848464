/** What the log of a team comes to. The order in which its entries arrive makes no difference. */
import type {
  ActionEntry,
  Body,
  DeletedReport,
  Logged,
  Mark,
  ReportKind,
  Subject,
  TeamEntry,
} from './entries.ts';

/** The rule for two entries that say different things: the later one holds, and at the same time the greater id. */
export const isLater = (a: Pick<Logged, 'at' | 'id'>, b: Pick<Logged, 'at' | 'id'>) =>
  a.at === b.at ? a.id > b.id : a.at > b.at;

export const newestFirst = <Entry extends Logged>(entries: Iterable<Entry>): Entry[] =>
  [...entries].sort((a, b) => (isLater(a, b) ? -1 : 1));

/** A mark whose reports were marked one after another, as one for each of them; everything else as it is. */
export function apart(logged: Logged): Logged[] {
  const { body, times, ...rest } = logged;
  if (!times || body.type !== 'mark') return [logged];
  return body.reports.map((reportId, index) => ({
    ...rest,
    at: times[index] ?? rest.at,
    body: { ...body, reports: [reportId] },
  }));
}

/** A report's mark, `open` ones included, with the id of its event. */
export type Marks = Map<number, Mark & Pick<Logged, 'id'>>;

/**
 * The marks of one kind of report. An escalation is ended only by someone who has seen it, so two latest marks of each
 * report decide its state: of those that end an escalation or are one, and of those that don't.
 */
type MarkFold = { marks: Marks; firm: Marks; weak: Marks };
export type MarksByKind = Record<ReportKind, MarkFold>;

const emptyFold = (): MarkFold => ({ marks: new Map(), firm: new Map(), weak: new Map() });

export const noMarks = (): MarksByKind => ({
  report: emptyFold(),
  user_report: emptyFold(),
  room_report: emptyFold(),
});

/** Whether a mark holds over an escalation that was there before it. */
export const isFirm = ({ state, seen = 'escalated' }: Pick<Mark, 'state' | 'seen'>): boolean =>
  state === 'escalated' || seen === 'escalated';

/** Whether an entry says that reports were deleted. */
export const isDeletion = ({ action, outcome }: Pick<ActionEntry, 'action' | 'outcome'>): boolean =>
  action === 'delete-report' && outcome === 'done';

type Setting = Pick<Mark, 'of' | 'state' | 'seen'> & { reports: readonly number[] };

/** The mark that an entry sets, if any: deleting reports ends theirs. */
export function markIn(body: Body): Setting | undefined {
  if (body.type === 'mark') return body;
  const { of, reports } = body.type === 'action' && isDeletion(body) ? body : {};
  return reports && { ...(of && { of }), reports, state: 'open' };
}

export function applyMark(folds: MarksByKind, entry: Logged): void {
  for (const { id, by, at, body } of apart(entry)) {
    const set = markIn(body);
    if (!set) return;
    const { of, state, seen } = set;
    const { marks, firm, weak } = folds[of ?? 'report'];
    for (const reportId of set.reports) {
      const mark = { ...(of && { of }), reportId, state, ...(seen && { seen }), by, at, id };
      const alike = isFirm(mark) ? firm : weak;
      const before = alike.get(reportId);
      if (before && !isLater(mark, before)) continue;
      alike.set(reportId, mark);
      const [held, other] = [firm.get(reportId), weak.get(reportId)];
      const isHeld = held && (!other || held.state === 'escalated' || isLater(held, other));
      marks.set(reportId, isHeld ? held : (other ?? mark));
    }
  }
}

/** One for each report of a mark that is about many; with a subject, only what is about it. */
export function entriesOf({ by, at, body }: Logged, subject?: Subject): TeamEntry[] {
  if (body.type !== 'mark') return [{ ...body, by, at }];
  const { type, of, state, seen } = body;
  const reports = subject && 'id' in subject ? [subject.id] : body.reports;
  return reports.map((reportId) => ({
    type,
    ...(of && { of }),
    reportId,
    state,
    ...(seen && { seen }),
    by,
    at,
  }));
}

/** Whether an entry belongs to a subject's history; a report's holds what was done because of it, too. */
export function isAbout(subject: Subject, body: Body): boolean {
  if (body.type !== 'note' && 'id' in subject) {
    if (subject.kind === (body.of ?? 'report') && body.reports.includes(subject.id)) return true;
  }
  return body.type !== 'mark' && subjectsOf(body).some((each) => isSame(subject, each));
}

/** Whether an entry is a note on a report, or the escalation of one, that is on the subject. */
export const isOnReportAbout = (subject: Subject, body: Body): boolean =>
  body.type !== 'action' &&
  (body.type === 'note' || body.state === 'escalated') &&
  body.about?.some((each) => isSame(subject, each)) === true;

/** Returns the first of these reports on events that an entry is a note on or escalates. */
export function reportNamed(reportIds: ReadonlySet<number>, body: Body): number | undefined {
  if (body.type === 'action') return undefined;
  if (body.type === 'note') {
    const named = subjectsOf(body).find((each) => each.kind === 'report' && reportIds.has(each.id));
    return named && 'id' in named ? named.id : undefined;
  }
  if (body.state !== 'escalated' || (body.of ?? 'report') !== 'report') return undefined;
  return body.reports.find((id) => reportIds.has(id));
}

/** Whether a deleted report was about a subject, or is it. Those of a report on an event are its sender, room and event. */
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

/** The entry that says who deleted a report, in its history. Whoever came later found it gone. */
export const deletionIn = (newestFirst: readonly TeamEntry[]): ActionEntry | undefined =>
  newestFirst.findLast((entry) => entry.type === 'action' && isDeletion(entry)) as ActionEntry | undefined;

/** Whom or what an entry names. */
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
