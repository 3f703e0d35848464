/** What the log of a team comes to. The order in which its entries arrive makes no difference. */
import type { Body, Logged, Mark, ReportKind, Subject, TeamEntry } from './entries.ts';

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

/** The last mark of each report, taken-back ones (`open`) too. */
export type Marks = Map<number, Mark & Pick<Logged, 'id'>>;
export type MarksByKind = Record<ReportKind, Marks>;

export const noMarks = (): MarksByKind => ({
  report: new Map(),
  user_report: new Map(),
  room_report: new Map(),
});

export function applyMark(marks: MarksByKind, entry: Logged): void {
  for (const { id, by, at, body } of apart(entry)) {
    if (body.type !== 'mark') return;
    const { of, state } = body;
    const those = marks[of ?? 'report'];
    for (const reportId of body.reports) {
      const before = those.get(reportId);
      if (!before || isLater({ at, id }, before))
        those.set(reportId, { ...(of && { of }), reportId, state, by, at, id });
    }
  }
}

/** One for each report of a mark that is about many; with a subject, only what is about it. */
export function entriesOf({ by, at, body }: Logged, subject?: Subject): TeamEntry[] {
  if (body.type !== 'mark') return [{ ...body, by, at }];
  const { type, of, state } = body;
  const reports = subject && 'id' in subject ? [subject.id] : body.reports;
  return reports.map((reportId) => ({ type, ...(of && { of }), reportId, state, by, at }));
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
