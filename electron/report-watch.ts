/**
 * Looks at connected servers for new reports, also while there is no window: one small request at a time, the less
 * often the longer a server has not answered. Which reports were told is kept, so that none is told twice.
 */
import { type Static, Type } from 'typebox';
import type { Kept } from './kept-json.ts';

/** The newest report that was told, or was there when telling began, by connection. */
export const ToldReports = Type.Object({ newest: Type.Record(Type.String(), Type.Integer()) });
export type ToldReports = Static<typeof ToldReports>;

/** The newest reports of a server, newest first, and how many there are; or why that isn't known. */
export type ReportsSeen = { ids: number[]; total: number } | 'signed-out' | 'unreachable';

export type ServerState = 'unknown' | 'reachable' | 'signed-out' | 'unreachable';

export type ReportWatchOptions = {
  told: Kept<ToldReports>;
  ask(connectionId: string, limit: number): Promise<ReportsSeen>;
  /** Whether what is new of it may be told now; later it is told together with what came until then. */
  mayTell(connectionId: string): boolean;
  tell(connectionId: string, news: { count: number; newestId: number }): void;
  onChange(): void;
};

export type ReportWatch = ReturnType<typeof watchReports>;

const usuallyEveryMs = 30_000;
const atLeastEveryMs = 15 * 60_000;
/** More than that are not counted one by one. */
const mostCounted = 50;

type Watched = {
  state: ServerState;
  /** How many reports there were at the first look, and are now. */
  totals: { first: number; now: number } | undefined;
  failures: number;
  timer: NodeJS.Timeout | undefined;
  isLooking: boolean;
};

export function watchReports({ told, ask, mayTell, tell, onChange }: ReportWatchOptions) {
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
    const seen = await ask(id, 1);
    // Nobody wants it any more, or it was asked for anew meanwhile.
    if (watched.get(id) !== server) return;
    if (typeof seen === 'string') {
      server.state = seen;
      server.failures += 1;
    } else {
      server.state = 'reachable';
      server.failures = 0;
      server.totals = { first: server.totals?.first ?? seen.total, now: seen.total };
      await tellNews(id, server, seen.ids[0] ?? 0);
    }
    onChange();
  }

  async function tellNews(id: string, server: Watched, newestId: number): Promise<void> {
    const before = told.read().newest[id];
    if (before === newestId) return;
    if (before !== undefined && newestId > before) {
      if (!mayTell(id)) return;
      const seen = await ask(id, mostCounted);
      if (watched.get(id) !== server || typeof seen === 'string') return;
      const news = seen.ids.filter((reportId) => reportId > before);
      // One more may have come since the first look.
      const latest = Math.max(before, ...news);
      remember(id, latest);
      if (news.length > 0) tell(id, { count: news.length, newestId: latest });
      return;
    }
    remember(id, newestId);
  }

  /** Before it is told, so that it is not told again whatever happens then. */
  function remember(id: string, newestId: number | undefined) {
    const { [id]: _before, ...others } = told.read().newest;
    told.write({ newest: newestId === undefined ? others : { ...others, [id]: newestId } });
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
          totals: undefined,
          failures: 0,
          timer: undefined,
          isLooking: false,
        });
        void look(id);
      }
    },

    /** Tells from now on only of what comes after this. */
    forget: (id: string): void => remember(id, undefined),

    /** Somebody else has seen how many there are now. */
    learn(id: string, total: number): void {
      const server = watched.get(id);
      if (server) server.totals = { first: server.totals?.first ?? total, now: total };
    },

    /** The machine has slept, or a server has come back. */
    lookNow(): void {
      for (const id of watched.keys()) void look(id);
    },

    stateOf: (id: string): ServerState => watched.get(id)?.state ?? 'unknown',

    /** How many reports there are, and how many more than at the first look; undefined while that isn't known. */
    totalsOf: (id: string) => watched.get(id)?.totals,
  };
}
