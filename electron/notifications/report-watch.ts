/**
 * Looks at connected servers for new reports, also while there is no window: one small request at a time, the less
 * often the longer a server has not answered. Which reports were told is kept, so that none is told twice.
 */
import { type Static, Type } from 'typebox';
import type { Kept } from '../kept-json.ts';

/** What a report is on: an event, or a whole user or room. Each kind is numbered by itself. */
export type ReportKind = 'event' | 'user' | 'room';

const Newest = Type.Record(Type.String(), Type.Integer());
/** The newest report that was told, or was there when telling began, by connection. */
export const ToldReports = Type.Object({
  newest: Newest,
  newestOnUsers: Type.Optional(Newest),
  newestOnRooms: Type.Optional(Newest),
});
export type ToldReports = Static<typeof ToldReports>;

const newestOf = { event: 'newest', user: 'newestOnUsers', room: 'newestOnRooms' } as const;

/** The newest reports of a server, newest first, and how many there are; or why that isn't known. */
export type ReportsSeen =
  | { ids: number[]; total: number }
  | 'signed-out'
  | 'unreachable'
  /** It has no reports of this kind. */
  | 'not-offered';

export type News = {
  kind: ReportKind;
  count: number;
  /** There are more than were counted. */
  isMore: boolean;
  newestId: number;
};

export type ServerState = 'unknown' | 'reachable' | 'signed-out' | 'unreachable';

type ReportWatchOptions = {
  told: Kept<ToldReports>;
  ask(connectionId: string, kind: ReportKind, limit: number): Promise<ReportsSeen>;
  /** Whether somebody wants to be told of what is new of it, now or later. */
  isTold(connectionId: string): boolean;
  /** Whether what is new of it may be told now; later it is told together with what came until then. */
  mayTell(connectionId: string): boolean;
  tell(connectionId: string, news: News): void;
  onChange(): void;
};

const usuallyEveryMs = 30_000;
const atLeastEveryMs = 15 * 60_000;
/** More than that are not counted one by one. */
const mostCounted = 50;

type Watched = {
  state: ServerState;
  /** Which reports it is known not to have. */
  lacks: Set<ReportKind>;
  /** How many reports on events there were at the first look, and are now. */
  totals: { first: number; now: number } | undefined;
  failures: number;
  timer: NodeJS.Timeout | undefined;
  isLooking: boolean;
};

export function watchReports({ told, ask, isTold, mayTell, tell, onChange }: ReportWatchOptions) {
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
      // Whose session has ended has to sign in first, and is looked at again then.
      if (watched.get(id) === server && server.state !== 'signed-out') {
        const delay = Math.min(usuallyEveryMs * 2 ** server.failures, atLeastEveryMs);
        server.timer = setTimeout(() => void look(id), delay);
      }
    }
  }

  async function see(id: string, server: Watched): Promise<void> {
    const seen = await ask(id, 'event', 1);
    // Nobody wants it any more, or it was asked for anew meanwhile.
    if (watched.get(id) !== server) return;
    if (typeof seen === 'string') {
      server.state = seen === 'not-offered' ? 'unreachable' : seen;
      server.failures += 1;
    } else {
      server.state = 'reachable';
      server.failures = 0;
      server.totals = { first: server.totals?.first ?? seen.total, now: seen.total };
      await tellNews(id, server, 'event', seen.ids[0] ?? 0);
      for (const kind of ['user', 'room'] as const) await seeOthers(id, server, kind);
    }
    onChange();
  }

  /** Reports that only who is told of them wants to know of, and that not every server has. */
  async function seeOthers(id: string, server: Watched, kind: ReportKind): Promise<void> {
    if (watched.get(id) !== server || !isTold(id) || server.lacks.has(kind)) return;
    const seen = await ask(id, kind, 1);
    if (watched.get(id) !== server) return;
    if (seen === 'not-offered') server.lacks.add(kind);
    if (typeof seen !== 'string') await tellNews(id, server, kind, seen.ids[0] ?? 0);
  }

  async function tellNews(id: string, server: Watched, kind: ReportKind, newestId: number): Promise<void> {
    const before = told.read()[newestOf[kind]]?.[id];
    if (before === newestId) return;
    if (before !== undefined && newestId > before) {
      if (!mayTell(id)) return;
      const seen = await ask(id, kind, mostCounted + 1);
      if (watched.get(id) !== server || typeof seen === 'string') return;
      const news = seen.ids.filter((reportId) => reportId > before);
      // One more may have come since the first look.
      const latest = Math.max(before, ...news);
      remember(id, kind, latest);
      const count = Math.min(news.length, mostCounted);
      if (count > 0) tell(id, { kind, count, isMore: news.length > mostCounted, newestId: latest });
      return;
    }
    remember(id, kind, newestId);
  }

  /** Before it is told, so that it is not told again whatever happens then. */
  function remember(id: string, kind: ReportKind, newestId: number | undefined) {
    const known = told.read();
    const { [id]: _before, ...others } = known[newestOf[kind]] ?? {};
    told.write({
      ...known,
      [newestOf[kind]]: newestId === undefined ? others : { ...others, [id]: newestId },
    });
  }

  function drop(id: string) {
    clearTimeout(watched.get(id)?.timer);
    watched.delete(id);
  }

  return {
    /** Looks at these and no others from now on; at those whose session had ended, again. */
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

    /** Tells from now on only of what comes after this. */
    forget(id: string): void {
      for (const kind of ['event', 'user', 'room'] as const) remember(id, kind, undefined);
    },

    /** Somebody else has seen how many there are now. */
    learn(id: string, total: number): void {
      const server = watched.get(id);
      if (server) server.totals = { first: server.totals?.first ?? total, now: total };
    },

    /** The machine has slept, or a server has come back. */
    lookNow(): void {
      for (const [id, { lacks }] of watched) {
        // It may be a newer one by now.
        lacks.clear();
        void look(id);
      }
    },

    stateOf: (id: string): ServerState => watched.get(id)?.state ?? 'unknown',

    /** How many reports there are, and how many more than at the first look; undefined while that isn't known. */
    totalsOf: (id: string) => watched.get(id)?.totals,
  };
}
