/** How well each server answers, as seen from the requests that the console makes anyway. */
import { ConnectionFailure, type IncomingReply } from '../../shared/connection.ts';

export type Reachability = 'connected' | 'slow' | 'offline' | 'signed-out';

const slowAfterMilliseconds = 1500;

export type ReachabilityStore = ReturnType<typeof reachabilityStore>;

export function reachabilityStore() {
  const states = new Map<string, Reachability>();
  const listeners = new Set<() => void>();

  function set(connectionId: string, state: Reachability) {
    if (states.get(connectionId) === state) return;
    states.set(connectionId, state);
    for (const listener of listeners) listener();
  }

  return {
    of: (connectionId: string): Reachability => states.get(connectionId) ?? 'connected',

    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /** Watches one request on its way; gives back what it gives. */
    async watch(connectionId: string, request: () => Promise<IncomingReply>): Promise<IncomingReply> {
      const started = performance.now();
      const timer = setTimeout(() => set(connectionId, 'slow'), slowAfterMilliseconds);
      try {
        const reply = await request();
        const slow = performance.now() - started > slowAfterMilliseconds;
        set(connectionId, reply.status === 401 ? 'signed-out' : slow ? 'slow' : 'connected');
        return reply;
      } catch (error) {
        if (error instanceof ConnectionFailure) {
          set(connectionId, error.code === 'no_such_connection' ? 'signed-out' : 'offline');
        }
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },

    /** After signing in again. */
    forget: (connectionId: string) => set(connectionId, 'connected'),
  };
}
