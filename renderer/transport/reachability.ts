/** How well each server answers, as seen from the requests that the console makes anyway. */
import { ConnectionFailure, type IncomingReply, isProxyAlone } from '../../shared/connection.ts';

export type Reachability = 'unknown' | 'connected' | 'slow' | 'failing' | 'offline' | 'signed-out';

const slowAfterMilliseconds = 1500;
/** One thing that a server can't do is no sign of the others. */
const failingAfterReplies = 4;

export type ReachabilityStore = ReturnType<typeof reachabilityStore>;

export function reachabilityStore() {
  const states = new Map<string, Reachability>();
  const listeners = new Set<() => void>();
  /** How many requests of each connection are still waited for that take long already. */
  const overdue = new Map<string, number>();
  /** How many replies in a row were errors of the server's own. */
  const failures = new Map<string, number>();
  /** How often a server said of each connection that its session has ended. */
  const endings = new Map<string, number>();
  const endingsOf = (connectionId: string) => endings.get(connectionId) ?? 0;
  const countOverdue = (connectionId: string, more: number) =>
    overdue.set(connectionId, (overdue.get(connectionId) ?? 0) + more);

  function set(connectionId: string, state: Reachability) {
    if (states.get(connectionId) === state) return;
    states.set(connectionId, state);
    for (const listener of listeners) listener();
  }

  return {
    of: (connectionId: string): Reachability => states.get(connectionId) ?? 'unknown',

    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /**
     * Watches one request on its way; gives back what it gives.
     *
     * @param isForAll whether it is answered without a session, too
     */
    async watch(
      connectionId: string,
      request: () => Promise<IncomingReply>,
      isForAll = false,
    ): Promise<IncomingReply> {
      const endingsBefore = endingsOf(connectionId);
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        countOverdue(connectionId, 1);
        set(connectionId, 'slow');
      }, slowAfterMilliseconds);
      try {
        const reply = await request();
        // What is answered at once meanwhile doesn't make the one that is waited for any quicker.
        const isSlow = isLate || overdue.get(connectionId);
        const failed = reply.status >= 500 ? (failures.get(connectionId) ?? 0) + 1 : 0;
        failures.set(connectionId, failed);
        // What is answered to everyone, or was asked before, doesn't bring a session back.
        const saysNothing = isForAll || endingsOf(connectionId) !== endingsBefore;
        if (isProxyAlone(reply)) set(connectionId, 'offline');
        else if (reply.status === 401) {
          endings.set(connectionId, endingsOf(connectionId) + 1);
          set(connectionId, 'signed-out');
        } else if (saysNothing && states.get(connectionId) === 'signed-out') return reply;
        else if (failed >= failingAfterReplies) set(connectionId, 'failing');
        else set(connectionId, isSlow ? 'slow' : 'connected');
        return reply;
      } catch (error) {
        // Whoever refuses answers, and a reply that is too large is one.
        if (error instanceof ConnectionFailure && error.code !== 'refused') {
          set(connectionId, error.code === 'no_such_connection' ? 'signed-out' : 'offline');
        }
        throw error;
      } finally {
        clearTimeout(timer);
        if (isLate) countOverdue(connectionId, -1);
      }
    },

    /** After signing in again. */
    forget: (connectionId: string) => set(connectionId, 'connected'),
  };
}
