/** Who looks into the server with which program: what else that asks is a console's work, and no client's under test. */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Seen } from './watch-request.ts';

/** So many programs are known at a time, those that looked last. */
const mostPrograms = 100;

export type Lookers = {
  /** Told of each request for a part of the workbench. */
  note(request: IncomingMessage, userId: string): void;
  /** Who looks with the program that sent this request; undefined where nobody does. */
  of(request: IncomingMessage): ReadonlySet<string> | undefined;
};

export function createLookers(): Lookers {
  const programs = new LRUCache<string, Set<string>>({ max: mostPrograms });
  return {
    note(request, userId) {
      const program = programOf(request);
      const users = programs.get(program) ?? new Set();
      programs.set(program, users.add(userId));
    },
    of: (request) => programs.get(programOf(request)),
  };
}

/** A page's reading of its own server says no origin, and its changes do; the desktop app never says any. */
function programOf({ headers }: IncomingMessage): string {
  const place = headers['sec-fetch-site'] === 'same-origin' ? 'here' : headers.origin;
  return `${place ?? ''} ${headers['user-agent'] ?? ''}`;
}

/** A console's own work: by the session of whoever looks, or without any; or one of its files. */
export function isLookers({ url, method, userId, lookers }: Seen): boolean {
  if (url.startsWith('/console/')) return true;
  if (!lookers) return false;
  return userId === null ? method === 'GET' : lookers.has(userId);
}
