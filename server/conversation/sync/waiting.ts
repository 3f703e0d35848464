/**
 * Syncs that wait for news. A waiting request costs a few objects and a timer: the members of a room are looked up when
 * the room wakes, once for all of them.
 */

import type { Notifier } from '../../platform/concurrency/notifier.ts';
import { createWaiter, type Waiter } from '../../platform/concurrency/waiter.ts';
import type { Cache } from '../../platform/core/cache.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import { listJoinedMembers } from '../rooms/membership/membership-store.ts';

type WaitingRequest = Pick<Waiter, 'next'> & {
  readonly isGone: boolean;
  /** Whether the server is shutting down. */
  readonly isOver: boolean;
  /** Call when the client disconnects. */
  leave(): void;
  end(): void;
};

export type Waiting = {
  /** Starts waiting for news of a user and, if given, of a room that the user previews. */
  begin(userId: string, peekedRoom?: string): WaitingRequest;
  /** Counts a request as open, even after its client disconnects. Returns a function that ends it. */
  enter(): () => void;
  /** Wakes all requests; later ones don't wait. */
  stop(): void;
  /** Number of open requests. */
  readonly underWay: number;
  /** Waits until no request is open. */
  idle(): Promise<void>;
};

/** `since` is a time of the monotonic clock. */
type CachedMembers = { since: number; users: ReadonlySet<string> };
type MembersCache = Cache<string, CachedMembers>;

/** A room's size in the cache. */
export const membersSize = ({ users }: CachedMembers): number => users.size + 1;

/** In milliseconds, because the wake for a change may get lost. */
const membersTtl = 60_000;

type Context = { db: Database; clock: Clock; notifier: Notifier };

export function createWaiting({ db, clock, notifier }: Context, members: MembersCache): Waiting {
  const waiters = new Map<string, Set<() => void>>();
  const peekers = new Map<string, Set<() => void>>();
  /** Rooms whose members are being looked up. */
  const lookups = new Map<string, Promise<ReadonlySet<string>>>();
  let isStopped = false;
  let underWay = 0;
  let resolveIdle = () => {};

  const wakeUser = (userId: string) => {
    for (const wake of [...(waiters.get(userId) ?? [])]) wake();
  };
  const wakeAll = () => {
    for (const userId of [...waiters.keys()]) wakeUser(userId);
  };

  function membersOf(roomId: string): ReadonlySet<string> | Promise<ReadonlySet<string>> {
    const known = members.get(roomId);
    if (known && clock.monotonic() - known.since < membersTtl) return known.users;
    const pending = lookups.get(roomId);
    if (pending) return pending;
    const since = clock.monotonic();
    const lookup = listJoinedMembers(db, roomId).then((users) => {
      const found = new Set(users);
      // Unless the members have changed in the meantime.
      if (lookups.get(roomId) === lookup) {
        lookups.delete(roomId);
        members.set(roomId, { since, users: found });
      }
      return found;
    });
    lookup.catch(() => lookups.delete(roomId));
    lookups.set(roomId, lookup);
    return lookup;
  }

  const wakeMembers = (found: ReadonlySet<string>) => {
    const [few, many] = found.size < waiters.size ? [found, waiters] : [waiters, found];
    for (const userId of [...few.keys()]) if (many.has(userId)) wakeUser(userId);
  };

  const ends = [
    notifier.listen('members', (roomId) => {
      if (roomId === undefined) {
        members.clear();
        lookups.clear();
      } else {
        members.delete(roomId);
        lookups.delete(roomId);
      }
    }),
    notifier.listen('rooms', (roomId) => {
      if (roomId === undefined) return wakeAll();
      for (const wake of [...(peekers.get(roomId) ?? [])]) wake();
      if (waiters.size === 0) return;
      const found = membersOf(roomId);
      if (found instanceof Promise) found.then(wakeMembers, wakeAll);
      else wakeMembers(found);
    }),
    notifier.listen('users', (userId) => {
      if (userId === undefined) wakeAll();
      else wakeUser(userId);
    }),
  ];

  return {
    begin(userId, peekedRoom) {
      const { wake, next } = createWaiter(clock);
      let isGone = false;
      const own = waiters.get(userId) ?? new Set();
      waiters.set(userId, own.add(wake));
      const beside = peekedRoom === undefined ? undefined : (peekers.get(peekedRoom) ?? new Set());
      if (peekedRoom !== undefined && beside) peekers.set(peekedRoom, beside.add(wake));
      return {
        async next(milliseconds) {
          if (!isStopped) await next(milliseconds);
        },
        get isGone() {
          return isGone;
        },
        get isOver() {
          return isStopped;
        },
        leave() {
          isGone = true;
          wake();
        },
        end() {
          own.delete(wake);
          if (own.size === 0 && waiters.get(userId) === own) waiters.delete(userId);
          beside?.delete(wake);
          if (peekedRoom !== undefined && beside?.size === 0) peekers.delete(peekedRoom);
        },
      };
    },
    get underWay() {
      return underWay;
    },
    enter() {
      underWay++;
      return () => {
        underWay--;
        if (underWay === 0) resolveIdle();
      };
    },
    async idle() {
      if (underWay === 0) return;
      await new Promise<void>((resolve) => {
        resolveIdle = resolve;
      });
    },
    stop() {
      isStopped = true;
      for (const end of ends) end();
      wakeAll();
    },
  };
}
