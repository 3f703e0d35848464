/**
 * Polls connected servers for new reports, also without a window: one small request at a time, with backoff for
 * unresponsive servers. Remembers announced reports, so that none is announced twice.
 */
import { type Static, Type } from 'typebox';
import type { JsonFile } from '../json-file.ts';

/** The reported subject: an event, a user or a room. Each kind has its own IDs. */
export type ReportKind = 'event' | 'user' | 'room';

const Newest = Type.Record(Type.String(), Type.Integer());
/** By connection: the newest report that was announced, or existed when notifications were enabled. */
export const NotifiedReports = Type.Object({
  newest: Newest,
  newestOnUsers: Type.Optional(Newest),
  newestOnRooms: Type.Optional(Newest),
});
export type NotifiedReports = Static<typeof NotifiedReports>;

const newestOf = { event: 'newest', user: 'newestOnUsers', room: 'newestOnRooms' } as const;

/** The newest reports of a server, newest first, and their number; or why they are unknown. */
export type ReportsSeen =
  | { ids: number[]; total: number }
  | 'signed-out'
  | 'unreachable'
  /** The server doesn't support this kind of report. */
  | 'not-offered';

export type News = {
  kind: ReportKind;
  count: number;
  /** There are more than counted. */
  isMore: boolean;
  newestId: number;
};

export type ServerState = 'unknown' | 'reachable' | 'signed-out' | 'unreachable';

type ReportWatchOptions = {
  notified: JsonFile<NotifiedReports>;
  ask(connectionId: string, kind: ReportKind, limit: number): Promise<ReportsSeen>;
  /** Whether new reports should be announced, now or later. */
  isEnabled(connectionId: string): boolean;
  /** Whether they may be announced now; otherwise they are combined later. */
  mayNotify(connectionId: string): boolean;
  notify(connectionId: string, news: News): void;
  onChange(): void;
};

const usuallyEveryMs = 30_000;
const atLeastEveryMs = 15 * 60_000;
/** Larger numbers aren't counted exactly. */
const mostCounted = 50;

type Watched = {
  state: ServerState;
  /** Kinds of reports the server doesn't support. */
  lacks: Set<ReportKind>;
  /** Number of event reports at the first poll, and now. */
  totals: { first: number; now: number } | undefined;
  failures: number;
  timer: NodeJS.Timeout | undefined;
  isLooking: boolean;
};

export function watchReports({ notified, ask, isEnabled, mayNotify, notify, onChange }: ReportWatchOptions) {
  const watched = new Map<string, Watched>();

  async function look(id: string): Promise<void> {
    const server = watched.get(id);
    if (!server || server.isLooking) return;
    clearTimeout(server.timer);
    server.isLooking = true;
    try {
      await see(id, server);
    } finally {
      server.isLooking = false;
      // Paused until the next sign-in, because the session has ended.
      if (watched.get(id) === server && server.state !== 'signed-out') {
        const delay = Math.min(usuallyEveryMs * 2 ** server.failures, atLeastEveryMs);
        server.timer = setTimeout(() => void look(id), delay);
      }
    }
  }

  async function see(id: string, server: Watched): Promise<void> {
    const seen = await ask(id, 'event', 1);
    // Disabled, or polled again in the meantime.
    if (watched.get(id) !== server) return;
    if (typeof seen === 'string') {
      server.state = seen === 'not-offered' ? 'unreachable' : seen;
      server.failures += 1;
    } else {
      server.state = 'reachable';
      server.failures = 0;
      server.totals = { first: server.totals?.first ?? seen.total, now: seen.total };
      await notifyNew(id, server, 'event', seen.ids[0] ?? 0);
      for (const kind of ['user', 'room'] as const) await seeOthers(id, server, kind);
    }
    onChange();
  }

  /** User and room reports only matter for notifications, and some servers don't support them. */
  async function seeOthers(id: string, server: Watched, kind: ReportKind): Promise<void> {
    if (watched.get(id) !== server || !isEnabled(id) || server.lacks.has(kind)) return;
    const seen = await ask(id, kind, 1);
    if (watched.get(id) !== server) return;
    if (seen === 'not-offered') server.lacks.add(kind);
    if (typeof seen !== 'string') await notifyNew(id, server, kind, seen.ids[0] ?? 0);
  }

  async function notifyNew(id: string, server: Watched, kind: ReportKind, newestId: number): Promise<void> {
    const before = notified.read()[newestOf[kind]]?.[id];
    if (before === newestId) return;
    if (before !== undefined && newestId > before) {
      if (!mayNotify(id)) return;
      const seen = await ask(id, kind, mostCounted + 1);
      if (watched.get(id) !== server || typeof seen === 'string') return;
      const news = seen.ids.filter((reportId) => reportId > before);
      // A report may have arrived since the first request.
      const latest = Math.max(before, ...news);
      remember(id, kind, latest);
      const count = Math.min(news.length, mostCounted);
      if (count > 0) notify(id, { kind, count, isMore: news.length > mostCounted, newestId: latest });
      return;
    }
    remember(id, kind, newestId);
  }

  /** Saved before announcing, so that a failure can't repeat it. */
  function remember(id: string, kind: ReportKind, newestId: number | undefined) {
    const known = notified.read();
    const { [id]: _before, ...others } = known[newestOf[kind]] ?? {};
    notified.write({
      ...known,
      [newestOf[kind]]: newestId === undefined ? others : { ...others, [id]: newestId },
    });
  }

  function drop(id: string) {
    clearTimeout(watched.get(id)?.timer);
    watched.delete(id);
  }

  return {
    /** Polls exactly these from now on, including those whose session had ended. */
    follow(ids: readonly string[]): void {
      for (const id of [...watched.keys()]) {
        if (!ids.includes(id) || watched.get(id)?.state === 'signed-out') drop(id);
      }
      for (const id of ids) {
        if (watched.has(id)) continue;
        watched.set(id, {
          state: 'unknown',
          lacks: new Set(),
          totals: undefined,
          failures: 0,
          timer: undefined,
          isLooking: false,
        });
        void look(id);
      }
    },

    /** Announces only reports after this. */
    forget(id: string): void {
      for (const kind of ['event', 'user', 'room'] as const) remember(id, kind, undefined);
    },

    /** The console has the current count. */
    learn(id: string, total: number): void {
      const server = watched.get(id);
      if (server) server.totals = { first: server.totals?.first ?? total, now: total };
    },

    /** After the computer slept, or a server is reachable again. */
    lookNow(): void {
      for (const [id, { lacks }] of watched) {
        // It may have been upgraded.
        lacks.clear();
        void look(id);
      }
    },

    stateOf: (id: string): ServerState => watched.get(id)?.state ?? 'unknown',

    /** Number of reports, and how many more than at the first poll; undefined while unknown. */
    totalsOf: (id: string) => watched.get(id)?.totals,
  };
}
