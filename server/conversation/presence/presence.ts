/**
 * Presence: users are online while they sync and shortly after, and unavailable after some idle minutes. Only changes
 * are saved, a few per user and day. Client-server API, "Presence".
 */
import type { PresenceStatus } from '../../../shared/api/presence.ts';
import type { Notifier } from '../../platform/concurrency/notifier.ts';
import { createWriteBehind, type WriteBehind } from '../../platform/concurrency/write-behind.ts';
import { chunks } from '../../platform/concurrency/yield.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Log } from '../../platform/core/log.ts';
import { isPostgres } from '../../platform/database/engine.ts';
import type { Database } from '../../platform/database/schema.ts';
import { afterCommit, inTransaction, type Tx } from '../../platform/database/transaction.ts';
import {
  deleteConnections,
  listForsaken,
  listOffline,
  listSharedRooms,
  noteConnections,
  type PresenceChange,
  type PresenceRecord,
  type PresenceState,
  setPresence,
} from './presence-store.ts';

/** How long users stay online after their last sync, in milliseconds. */
const grace = 30_000;
/** Idle time after which users are unavailable, in milliseconds. */
const idleAfter = 5 * 60_000;
/** Accuracy of the last activity, in milliseconds. */
const granularity = 60_000;
const sweepInterval = 10_000;
/** How long a connection to a process counts without an update, in milliseconds. */
const connectionTtl = 45_000;
const rowsAtOnce = 200;

export type Presence = Pick<WriteBehind<object>, 'settle'> & {
  /** Records the start of a sync with this `set_presence`. Returns the function that records its end. */
  connect(userId: string, wanted: PresenceState): () => void;
  /** Records activity of a user: writing, reading, sending. */
  noteActive(userId: string): void;
  /** Sets the presence that others see, and saves it. */
  set(userId: string, presence: PresenceState, statusMsg: string | null): Promise<void>;
  start(): void;
  stop(): Promise<void>;
};

type Connection = {
  /** Number of open syncs. */
  open: number;
  shown: PresenceState;
  /** When the user goes offline unless they sync, by the monotonic clock. */
  until: number;
  activeTs: number;
};

type Change = PresenceChange & {
  /** The user is no longer connected to this process, but may be to another. */
  hasLeft?: boolean;
};

type Context = { db: Database; clock: Clock; log: Log; notifier: Notifier };

/** @param process name of this process */
export function createPresence(
  { db, clock, log, notifier }: Context,
  { enabled }: { enabled: boolean },
  process: string,
): Presence {
  if (!enabled) return nobodyThere;
  const connections = new Map<string, Connection>();
  // A SQLite file has one process, whose memory knows who is connected.
  const others = isPostgres(db);
  let cancel = () => {};
  let sweeping: Promise<void> = Promise.resolve();
  let nextNote = 0;

  async function save(tx: Tx, changes: readonly PresenceChange[]): Promise<void> {
    const shown = await setPresence(tx, changes);
    const rooms = await listSharedRooms(tx, shown);
    afterCommit(tx, () => {
      for (const userId of shown) notifier.wake('users', userId);
      for (const roomId of rooms) notifier.wake('rooms', roomId);
    });
  }

  const asOffline = (userId: string): PresenceChange => ({ userId, presence: 'offline' });

  async function saveBatch(batch: readonly Change[]): Promise<void> {
    const left = batch.filter(({ hasLeft }) => hasLeft).map(({ userId }) => userId);
    const here = batch.filter(({ presence }) => presence !== 'offline').map(({ userId }) => userId);
    const now = clock.now();
    await inTransaction(db, async (tx) => {
      if (others) await noteConnections(tx, process, here, now + connectionTtl);
      const gone = others ? await deleteConnections(tx, process, left, now) : left;
      await save(tx, [...batch.filter(({ hasLeft }) => !hasLeft), ...gone.map(asOffline)]);
    });
  }

  const changes = createWriteBehind({ clock, log }, "presence: couldn't save changes", saveBatch);

  function show(userId: string, connection: Connection, shown: PresenceState): void {
    const change = { userId, presence: shown, lastActiveTs: connection.activeTs, hasLeft: false };
    if (changes.put(userId, change)) connection.shown = shown;
  }

  function connectionOf(userId: string): Connection {
    const activeTs = clock.now();
    const connection = connections.get(userId) ?? { open: 0, shown: 'offline', until: 0, activeTs };
    connections.set(userId, connection);
    connection.until = clock.monotonic() + grace;
    return connection;
  }

  async function sweep(): Promise<void> {
    const now = clock.now();
    for (const [userId, connection] of connections) {
      if (connection.open === 0 && connection.until <= clock.monotonic()) {
        if (changes.put(userId, { ...asOffline(userId), hasLeft: true })) connections.delete(userId);
      } else if (connection.shown === 'online' && connection.activeTs + idleAfter <= now) {
        show(userId, connection, 'unavailable');
      }
    }
    if (!others) return;
    if (now >= nextNote) {
      for (const userIds of chunks([...connections.keys()], rowsAtOnce)) await noteAgain(userIds, now);
      nextNote = now + connectionTtl / 3;
    }
    // Users of processes that have died.
    await saveBatch([]);
  }

  /** Notes connections for longer. Another process may have found them expired during a fault of the database. */
  async function noteAgain(userIds: string[], now: number): Promise<void> {
    await noteConnections(db, process, userIds, now + connectionTtl);
    for (const userId of await listOffline(db, userIds)) {
      const connection = connections.get(userId);
      if (connection && connection.shown !== 'offline') show(userId, connection, connection.shown);
    }
  }

  /** After a crash users are still shown as online. */
  async function clearUp(): Promise<void> {
    for (;;) {
      const userIds = await listForsaken(db, rowsAtOnce);
      if (userIds.length === 0) return;
      await inTransaction(db, (tx) => save(tx, userIds.map(asOffline)));
    }
  }

  const logFault = (err: unknown) => log.warn({ err }, 'presence: update failed:');

  function sweepRegularly(): void {
    cancel = clock.after(sweepInterval, () => {
      sweeping = sweep().catch(logFault).finally(sweepRegularly);
    });
  }

  return {
    connect(userId, wanted) {
      if (wanted === 'offline') return () => {};
      const connection = connectionOf(userId);
      connection.open++;
      const isBack = connection.shown === 'offline';
      // Syncing doesn't make an unavailable user active.
      if (isBack || (wanted === 'unavailable' && connection.shown === 'online')) {
        if (isBack) connection.activeTs = clock.now();
        show(userId, connection, wanted);
      }
      return () => {
        connection.open--;
        connection.until = clock.monotonic() + grace;
      };
    },
    settle: changes.settle,
    noteActive(userId) {
      const connection = connections.get(userId);
      // Users who asked to be offline stay offline.
      if (!connection || connection.shown === 'offline') return;
      const now = clock.now();
      if (connection.shown === 'online' && Math.abs(now - connection.activeTs) < granularity) return;
      connection.activeTs = now;
      show(userId, connection, 'online');
    },
    async set(userId, presence, statusMsg) {
      const connection = connectionOf(userId);
      if (presence === 'online') connection.activeTs = clock.now();
      connection.shown = presence;
      const isActive = presence === 'online' && { lastActiveTs: connection.activeTs };
      changes.put(userId, { userId, presence, statusMsg, ...isActive, hasLeft: false });
      await changes.flush();
    },
    start() {
      sweeping = clearUp().catch(logFault).finally(sweepRegularly);
    },
    async stop() {
      await sweeping;
      cancel();
      await changes.stop();
    },
  };
}

const nobodyThere: Presence = {
  connect: () => () => {},
  settle: async () => {},
  noteActive: () => {},
  set: async () => {},
  start: () => {},
  stop: async () => {},
};

/** Users active within this time are `currently_active`, in milliseconds. */
const activePeriod = 60_000;

/** Returns the status as in replies and in the content of `m.presence`. */
export function asStatus({ presence, statusMsg, lastActiveTs }: PresenceRecord, now: number): PresenceStatus {
  const ago = Math.max(0, now - lastActiveTs);
  return {
    presence,
    ...(lastActiveTs > 0 && { last_active_ago: ago }),
    ...(statusMsg !== null && { status_msg: statusMsg }),
    ...(presence === 'online' && { currently_active: ago < activePeriod }),
  };
}
