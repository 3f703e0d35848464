/** Reads events on a server since the last round: new reports and failed tasks. */
import { type Static, Type } from 'typebox';
import { expectReply } from '../../../shared/connection.ts';
import { caseKey } from '../../../shared/team/cases.ts';
import type { Cursor, WatchState } from './watch-state.ts';
import type { WatchedServer } from './watched-server.ts';

const NullableText = Type.Optional(Type.Union([Type.String(), Type.Null()]));

/** Reads deployed servers of any release, so the schemas only have fields that are used. */
const Report = Type.Object({
  id: Type.Integer(),
  received_ts: Type.Optional(Type.Integer()),
  event_id: NullableText,
  user_id: NullableText,
  reason: NullableText,
  sender: NullableText,
  target_user_id: NullableText,
  room_id: NullableText,
  name: NullableText,
});
export type Report = Static<typeof Report>;

/** Returns the key of the report's case. */
export function caseOf({ sender, target_user_id, room_id: roomId }: Report): string {
  const userId = sender ?? target_user_id;
  return caseKey(userId ? { kind: 'user', userId } : { kind: 'room', roomId: roomId ?? '' });
}

const Task = Type.Object({
  id: Type.String(),
  action: Type.String(),
  timestamp_ms: Type.Integer(),
  error: NullableText,
});
type Task = Static<typeof Task>;

const reportLists = { event: 'event_reports', user: 'user_reports', room: 'room_reports' } as const;
export type ReportKind = keyof typeof reportLists;
export const reportKinds = Object.keys(reportLists) as ReportKind[];

const pages = {
  event: Type.Object({ event_reports: Type.Array(Report) }),
  user: Type.Object({ user_reports: Type.Array(Report) }),
  room: Type.Object({ room_reports: Type.Array(Report) }),
};

/** Further new reports are only counted. */
const mostRead = 1000;
const pageSize = 100;

export type NewReports = {
  kind: ReportKind;
  /** Both newest first, up to `mostRead` together. No report is in both. */
  urgent: Report[];
  others: Report[];
  newestId: number;
  /** There are more than were read. */
  isMore: boolean;
};

/** Returns a page of reports, newest first; undefined if the server has no such list. @throws ConnectionFailure */
export async function readPage(
  server: WatchedServer,
  kind: ReportKind,
  { from, limit }: { from: number; limit: number },
): Promise<Report[] | undefined> {
  const list = reportLists[kind];
  const path = `${server.dialect.administration}/admin/v1/${list}?dir=b&limit=${limit}&from=${from}`;
  const reply = await server.request('GET', path);
  if ([400, 404, 405].includes(reply.status)) return undefined;
  const page = expectReply(pages[kind], reply) as Record<string, Report[]>;
  return page[list] ?? [];
}

type Judgment = { isUrgent(report: Report): boolean; isMuted(userId: string): boolean };

/**
 * Returns reports after a cursor, without those by muted reporters; undefined if the server has no list of this kind.
 *
 * @throws ConnectionFailure
 */
export async function newReports(
  server: WatchedServer,
  kind: ReportKind,
  cursor: Cursor,
  { isUrgent, isMuted }: Judgment,
): Promise<NewReports | undefined> {
  const read: Report[] = [];
  for (let from = 0; from < mostRead; from += pageSize) {
    const page = await readPage(server, kind, { from, limit: pageSize });
    if (!page) return undefined;
    read.push(...page);
    if (page.length < pageSize || page.some(({ id }) => id <= cursor.all)) break;
  }
  const unread = read.filter(({ id }) => id > cursor.all);
  const counted = unread.filter(({ user_id: by }) => !(by && isMuted(by)));
  return {
    kind,
    urgent: counted.filter((report) => report.id > cursor.urgent && isUrgent(report)),
    others: counted.filter((report) => !isUrgent(report)),
    newestId: Math.max(cursor.all, read[0]?.id ?? 0),
    isMore: unread.length >= mostRead,
  };
}

/** Maximum number of failed tasks per round; older ones cause no alert. */
const maxTasks = 500;

/** Returns failed tasks, oldest first; none if the server doesn't list tasks. @throws ConnectionFailure */
export async function failedTasks(server: WatchedServer): Promise<Task[]> {
  const path = `${server.dialect.administration}/admin/v1/scheduled_tasks?status=failed`;
  const reply = await server.request('GET', path);
  if ([400, 404, 405].includes(reply.status)) return [];
  const { scheduled_tasks: tasks } = expectReply(Type.Object({ scheduled_tasks: Type.Array(Task) }), reply);
  return tasks.sort((one, other) => one.timestamp_ms - other.timestamp_ms).slice(-maxTasks);
}

/** Returns the state of a first round, which causes no alerts. @throws ConnectionFailure */
export async function initialState(server: WatchedServer): Promise<Omit<WatchState, 'watcher' | 'until'>> {
  const cursorOf = async (kind: ReportKind): Promise<Cursor> => {
    const [newest] = (await readPage(server, kind, { from: 0, limit: 1 })) ?? [];
    return { all: newest?.id ?? 0, urgent: newest?.id ?? 0 };
  };
  const [event, user, room, tasks] = await Promise.all([
    cursorOf('event'),
    cursorOf('user'),
    cursorOf('room'),
    failedTasks(server),
  ]);
  return { event, user, room, failedTasks: tasks.map(({ id }) => id), toldAt: 0 };
}
