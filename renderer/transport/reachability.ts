/** Tracks each server's health from the console's own requests. */

import { ConnectionFailure, type IncomingReply, isProxyAlone } from '../../shared/connection.ts';
import { subscribers } from '../subscribers.ts';

export type Reachability = 'unknown' | 'connected' | 'slow' | 'failing' | 'offline' | 'signed-out';

const slowAfterMs = 1500;
/** Replies in a row. A single failing endpoint doesn't count. */
const failingAfter = 4;

export type ReachabilityStore = ReturnType<typeof reachabilityStore>;

export function reachabilityStore() {
  const states = new Map<string, Reachability>();
  const { subscribe, notify } = subscribers();
  /** Number of slow requests in flight, by connection. */
  const overdue = new Map<string, number>();
  /** Number of 5xx replies in a row, by connection. */
  const failures = new Map<string, number>();
  /** Number of 401 replies, by connection. */
  const signOuts = new Map<string, number>();
  const signOutsOf = (connectionId: string) => signOuts.get(connectionId) ?? 0;
  const countOverdue = (connectionId: string, more: number) =>
    overdue.set(connectionId, (overdue.get(connectionId) ?? 0) + more);

  function set(connectionId: string, state: Reachability) {
    if (states.get(connectionId) === state) return;
    states.set(connectionId, state);
    notify();
  }

  return {
    of: (connectionId: string): Reachability => states.get(connectionId) ?? 'unknown',

    subscribe,

    /**
     * Sends a request and updates the state from its outcome.
     *
     * @param isPublic doesn't need a session
     */
    async track(
      connectionId: string,
      request: () => Promise<IncomingReply>,
      isPublic = false,
    ): Promise<IncomingReply> {
      const signOutsBefore = signOutsOf(connectionId);
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        countOverdue(connectionId, 1);
        set(connectionId, 'slow');
      }, slowAfterMs);
      try {
        const reply = await request();
        // Another request may still be slow.
        const isSlow = isLate || overdue.get(connectionId);
        const failed = reply.status >= 500 ? (failures.get(connectionId) ?? 0) + 1 : 0;
        failures.set(connectionId, failed);
        // Neither proves that there is a session again.
        const isInconclusive = isPublic || signOutsOf(connectionId) !== signOutsBefore;
        if (isProxyAlone(reply)) set(connectionId, 'offline');
        else if (reply.status === 401) {
          signOuts.set(connectionId, signOutsOf(connectionId) + 1);
          set(connectionId, 'signed-out');
        } else if (isInconclusive && states.get(connectionId) === 'signed-out') return reply;
        else if (failed >= failingAfter) set(connectionId, 'failing');
        else set(connectionId, isSlow ? 'slow' : 'connected');
        return reply;
      } catch (error) {
        // A refusal is a reply.
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
    reset: (connectionId: string) => set(connectionId, 'connected'),
  };
}
