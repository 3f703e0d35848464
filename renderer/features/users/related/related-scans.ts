/** Scans for related accounts. They continue, and their results stay, while other screens are open. */

import type { QueryClient } from '@tanstack/react-query';
import { ConnectionFailure } from '../../../../shared/connection.ts';
import type { UserListItem } from '../../../api/user-list.ts';
import { subscribers } from '../../../subscribers.ts';
import type { Server } from '../../../transport/server.ts';
import { type Loaded, loadCandidates, loadStates, loadTraits } from './find-related.ts';
import type { Scope } from './scopes.ts';
import { type Match, sharedSigns, type Traits } from './signs.ts';

export type Scan = {
  step: 'running' | 'stopped' | 'complete';
  error: Error | null;
  scope: Scope;
  /** Values of the account itself; undefined until loaded. */
  own: Traits | undefined;
  /** Number of accounts to compare; undefined until known. */
  total: number | undefined;
  compared: number;
  /** Number of accounts that couldn't be loaded. */
  failed: number;
  found: readonly Match<UserListItem>[];
};

type Options = { queryClient: QueryClient; scope: Scope; acted: readonly string[] };

/** A scan's progress, to continue from. */
type Course = Options & { own?: Loaded; left?: UserListItem[] };

const atOnce = 4;

/** Whether an account failed to load for its own reason, so that others may succeed. */
const isOfAccount = (error: unknown) =>
  error instanceof ConnectionFailure && ['refused', 'unexpected_reply'].includes(error.code);

function relatedScans(server: Server) {
  const scans = new Map<string, Scan>();
  const courses = new Map<string, Course>();
  const running = new Map<string, AbortController>();
  const { subscribe, notify } = subscribers();
  function change(userId: string, changes: Partial<Scan>) {
    const scan = scans.get(userId);
    if (scan) scans.set(userId, { ...scan, ...changes });
    notify();
  }
  function stop(userId: string) {
    running.get(userId)?.abort();
    if (running.delete(userId)) change(userId, { step: 'stopped' });
  }
  async function run(userId: string) {
    const course = courses.get(userId);
    if (!course) return;
    const abort = new AbortController();
    running.set(userId, abort);
    change(userId, { step: 'running', error: null });
    try {
      await compareAll(userId, course, abort.signal);
      abort.signal.throwIfAborted();
      running.delete(userId);
      change(userId, { step: 'complete' });
    } catch (error) {
      if (abort.signal.aborted) return;
      running.delete(userId);
      change(userId, { step: 'stopped', error: error as Error });
    }
  }
  async function compareAll(userId: string, course: Course, signal: AbortSignal) {
    const context = { server, queryClient: course.queryClient, signal };
    course.own ??= await loadTraits(context, userId);
    signal.throwIfAborted();
    const { traits: own, sizes } = course.own;
    change(userId, { own });
    const wanted = {
      sessions: [own.device, own.ip, own.agent].some(({ length }) => length > 0),
      emails: own.email.length > 0,
      sizes,
    };
    const hasTraits = Object.values(own).some(({ length }) => length > 0);
    if (!course.left) {
      const all = hasTraits ? await loadCandidates(context, userId, course.scope, course.acted) : [];
      signal.throwIfAborted();
      course.left = all;
      change(userId, { total: all.length });
    }
    while (course.left.length > 0) {
      const batch = course.left.slice(0, atOnce);
      const results = await Promise.all(
        batch.map(async (user): Promise<Match<UserListItem> | 'failed'> => {
          try {
            const { traits } = await loadTraits(context, user.name, wanted);
            const signs = sharedSigns(own, traits);
            return { user: signs.length > 0 ? await loadStates(context, user) : user, signs };
          } catch (error) {
            if (isOfAccount(error)) return 'failed';
            throw error;
          }
        }),
      );
      signal.throwIfAborted();
      course.left = course.left.slice(batch.length);
      const { compared = 0, failed = 0, found = [] } = scans.get(userId) ?? {};
      const loaded = results.filter((result) => result !== 'failed');
      change(userId, {
        compared: compared + loaded.length,
        failed: failed + results.length - loaded.length,
        found: [...found, ...loaded.filter(({ signs }) => signs.length > 0)],
      });
    }
  }
  return {
    subscribe,
    of: (userId: string) => scans.get(userId),
    /** Restarts the scan, and stops those for other accounts. */
    async start(userId: string, options: Options) {
      for (const other of [...running.keys()]) stop(other);
      courses.set(userId, { ...options });
      const { scope } = options;
      const nothing = { own: undefined, total: undefined, compared: 0, failed: 0, found: [] };
      scans.set(userId, { step: 'running', error: null, scope, ...nothing });
      await run(userId);
    },
    resume: run,
    stop,
    close() {
      for (const abort of running.values()) abort.abort();
      running.clear();
    },
  };
}

export const relatedScansOf = (server: Server) => server.state(relatedScans);
