/** Scans for a policy list's matches. They continue, and their results stay, while other screens are open. */

import type { PolicyRule } from '../../api/policy-lists/policy-rules.ts';
import { subscribers } from '../../subscribers.ts';
import type { Server } from '../../transport/server.ts';
import { findMatches, type ScanState } from './find-matches.ts';

export type Scan = ScanState & { step: 'running' | 'stopped' | 'complete'; error: Error | null };

type Options = { withMembers: boolean; listsServers: boolean };

function matchScans(server: Server) {
  const scans = new Map<string, Scan>();
  const running = new Map<string, AbortController>();
  const { subscribe, notify } = subscribers();
  function set(roomId: string, change: Partial<Scan>) {
    const before = scans.get(roomId) ?? emptyScan;
    scans.set(roomId, { ...before, ...change });
    notify();
  }
  function stop(roomId: string) {
    running.get(roomId)?.abort();
    running.delete(roomId);
  }
  return {
    subscribe,
    of: (roomId: string) => scans.get(roomId),
    async start(roomId: string, rules: readonly PolicyRule[], options: Options) {
      stop(roomId);
      const abort = new AbortController();
      running.set(roomId, abort);
      set(roomId, emptyScan);
      try {
        await findMatches(server, rules, {
          ...options,
          signal: abort.signal,
          onProgress: (state) => set(roomId, state),
        });
        set(roomId, { step: 'complete' });
      } catch (error) {
        if (!abort.signal.aborted) set(roomId, { step: 'stopped', error: error as Error });
      }
    },
    stop(roomId: string) {
      stop(roomId);
      set(roomId, { step: 'stopped' });
    },
    close() {
      for (const roomId of running.keys()) stop(roomId);
    },
  };
}

const emptyScan: Scan = { step: 'running', error: null, matches: [], scanned: {}, skippedRooms: 0 };

export const matchScansOf = (server: Server) => server.state(matchScans);
