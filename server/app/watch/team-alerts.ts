/** Alerts about events in the team room: escalations, reopened reports, scheduled actions. */
import type { LogEntry, ReportKind, Subject } from '../../../shared/team/entries.ts';
import { subjectsOf } from '../../../shared/team/fold.ts';
import type { TeamLog } from '../../../shared/team/log.ts';
import { isLate, type ScheduledAction } from '../../../shared/team/scheduled.ts';
import { type Alert, counted, oneLine, shortened } from './alerts.ts';
import type { TeamBacklog } from './watch-state.ts';

/** Keeps the account data small. */
const maxBacklog = 200;

const kinds: Record<ReportKind, { name: string; place: string }> = {
  report: { name: 'report', place: '?report=' },
  user_report: { name: 'user report', place: '/users/' },
  room_report: { name: 'room report', place: '/rooms/' },
};

type Mark = Extract<LogEntry['body'], { type: 'mark' }>;
type Note = Extract<LogEntry['body'], { type: 'note' }>;

const isEscalation = ({ body }: LogEntry): boolean => body.type === 'mark' && body.state === 'escalated';

/** Returns an alert about reports that were escalated and still are; undefined without any. */
export function escalationAlert(
  news: readonly LogEntry[],
  log: TeamLog,
  console?: string,
): Alert | undefined {
  const still = news.filter(isEscalation).flatMap(({ id, by, at, body }) => {
    const { of = 'report', reports, about } = body as Mark;
    const marks = log.marks(of);
    const ids = reports.filter((report) => marks.get(report)?.state === 'escalated');
    return ids.length > 0 ? [{ id, by, at, of, ids, about }] : [];
  });
  const last = still.at(-1);
  if (!last) return undefined;
  const mentions = new Set<string>();
  const lines = still.map(({ by, at, of, ids, about: marked }) => {
    const note = reasonFor(log, { by, at, of, ids });
    for (const userId of note?.mentions ?? []) mentions.add(userId);
    const { name, place } = kinds[of];
    const [first] = ids;
    const what = ids.length > 1 ? `${ids.length} ${name}s` : `${name} ${first}`;
    const about = nameOf(marked ?? note?.about);
    const text = `${by} escalated ${what}${about && ` on ${about}`}: ${note?.text ?? 'no reason given'}`;
    return oneLine(text) + (console === undefined ? '' : ` ${console}reports${place}${first}`);
  });
  const count = still.reduce((sum, { ids }) => sum + ids.length, 0);
  return {
    id: `escalated-${last.id}`,
    isUrgent: true,
    title: counted(count, 'escalated report'),
    lines: shortened(lines),
    ...(mentions.size > 0 && { mentions: [...mentions] }),
  };
}

/** Whether the reason of a new escalation may still arrive: consoles send it as a note after the mark. */
export const mayLackReason = (news: readonly LogEntry[], log: TeamLog): boolean =>
  news.filter(isEscalation).some(({ by, at, body }) => {
    const { of = 'report', reports: ids } = body as Mark;
    return !reasonFor(log, { by, at, of, ids });
  });

/** Returns the first note that gives a reason for an escalation. */
function reasonFor(
  log: TeamLog,
  { by, at, of, ids }: { by: string; at: number; of: ReportKind; ids: readonly number[] },
): Note | undefined {
  let first: (LogEntry & { body: Note }) | undefined;
  for (const entry of log.entries()) {
    const { body } = entry;
    if (body.type !== 'note' || !body.escalation || entry.by !== by || entry.at < at) continue;
    if (!subjectsOf(body).some((each) => each.kind === of && ids.includes(each.id))) continue;
    if (!first || entry.at < first.at) first = { ...entry, body };
  }
  return first?.body;
}

/** Returns the user, else the room, else the event. */
function nameOf(about: readonly Subject[] = []): string {
  const find = (kind: Subject['kind']) => about.find((each) => each.kind === kind);
  const subject = find('user') ?? find('room') ?? find('event');
  if (subject?.kind === 'user') return subject.userId;
  if (subject?.kind === 'room') return subject.roomId;
  return subject?.kind === 'event' ? subject.eventId : '';
}

/** A decision that its author reverts within this time was a mistake. */
const undoMs = 10 * 60_000;

/** Adds news to the backlog. */
export function withNews(backlog: TeamBacklog, news: readonly LogEntry[], log: TeamLog): TeamBacklog {
  const marks = news.flatMap(({ id: entry, by, at, body }) =>
    // `seen` is `escalated` if only the escalation was removed.
    body.type === 'mark' && body.state === 'open' && (body.seen ?? 'reviewed') === 'reviewed'
      ? body.reports.map((id) => ({ of: body.of ?? ('report' as const), id, by, at, entry }))
      : [],
  );
  const isCorrection = marks.length > 0 ? corrections(log) : () => false;
  const reopened = marks
    .filter((mark) => !isCorrection(mark))
    .map(({ of, id, by, entry }) => ({ of, id, by, entry }));
  const failed = news.flatMap(({ id: entry, by, body }) => {
    const isScheduled =
      body.type === 'action' && body.outcome === 'failed' && /^Scheduled by @/.test(body.reason ?? '');
    if (!isScheduled || body.detail?.startsWith('dropped:')) return [];
    const line = oneLine(
      `${body.action} on ${nameOf([body.subject])}: ${body.detail ?? `not done by ${by}`}`,
    );
    return [{ line, entry }];
  });
  return {
    reopened: [...backlog.reopened, ...reopened].slice(-maxBacklog),
    failed: [...backlog.failed, ...failed].slice(-maxBacklog),
    late: backlog.late,
  };
}

type ReopenedBy = { of: ReportKind; id: number; by: string; at: number };

/** Returns whether a report was reopened by the user who had resolved it. Reads the log once for any number of reports. */
function corrections(log: TeamLog): (mark: ReopenedBy) => boolean {
  const times = new Map<string, number[]>();
  for (const { by, at, body } of log.entries()) {
    if (body.type !== 'mark' || body.state !== 'reviewed') continue;
    for (const id of body.reports) {
      const key = `${by} ${body.of ?? 'report'} ${id}`;
      times.set(key, [...(times.get(key) ?? []), at]);
    }
  }
  return ({ of, id, by, at: until }) =>
    times.get(`${by} ${of} ${id}`)?.some((at) => at <= until && at > until - undoMs) ?? false;
}

/** Returns alerts that aren't urgent, and the remaining backlog. */
export function backlogAlerts(
  { reopened, failed, late: reported }: TeamBacklog,
  log: TeamLog,
  scheduled: readonly ScheduledAction[],
  { now, console }: { now: number; console?: string | undefined },
): { alerts: Alert[]; left: TeamBacklog } {
  const open = new Map(
    reopened
      .filter(({ of, id }) => (log.marks(of).get(id)?.state ?? 'open') === 'open')
      .map((report) => [`${report.of} ${report.id}`, report]),
  );
  const late = scheduled.filter((each) => isLate(each, now));
  const newlyLate = late.filter(({ key }) => !reported.includes(key));
  const link = (place: string) => (console === undefined ? '' : ` ${console}${place}`);
  const reopenedLines = [...open.values()].map(({ of, id, by }) => {
    const { name, place } = kinds[of];
    return oneLine(`${name} ${id}, reopened by ${by}`) + link(`reports${place}${id}`);
  });
  const lateLines = newlyLate.map(({ action, subject, by }) =>
    oneLine(
      `${action} on ${subject.kind === 'user' ? subject.user_id : subject.room_id}, scheduled by ${by}`,
    ),
  );
  const alerts = [
    alertOf('reopened report', reopenedLines, `reopened-${[...open.values()].at(-1)?.entry}`),
    alertOf(
      'failed scheduled action',
      failed.map(({ line }) => line),
      `failed-${failed.at(-1)?.entry}`,
    ),
    alertOf('late scheduled action', lateLines, `late-${newlyLate.at(-1)?.key}`),
  ].filter((alert) => alert !== undefined);
  return { alerts, left: { reopened: [], failed: [], late: late.map(({ key }) => key).slice(-maxBacklog) } };
}

const alertOf = (name: string, lines: readonly string[], id: string): Alert | undefined =>
  lines.length === 0
    ? undefined
    : { id, isUrgent: false, title: counted(lines.length, name), lines: shortened(lines) };
