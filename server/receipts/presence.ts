/**
 * Whether people are there: who syncs is, and for a short while after; who does nothing for some minutes is away.
 * Only changes are written, behind the requests, a few times for each person and day. Matrix specification,
 * client-server API, "Presence".
 */
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Notifier } from '../core/notifier.ts';
import { inPieces } from '../core/pieces.ts';
import { isPostgres } from '../database/engine.ts';
import type { Database } from '../database/schema.ts';
import { afterCommit, inTransaction } from '../database/transaction.ts';
import { createPacedWakes } from './paced-wakes.ts';
import {
  deleteConnections,
  listDisconnected,
  listForsaken,
  noteConnections,
  type PresenceChange,
  type PresenceState,
  roomsToTell,
  setPresence,
} from './presence-store.ts';
import { createWriteBehind } from './write-behind.ts';

/** How long somebody is there after their last sync, in milliseconds. */
const grace = 30_000;
/** Who does nothing for so long is away, in milliseconds. */
const idleAfter = 5 * 60_000;
/** What somebody does is noted again only after this time, in milliseconds. */
const granularity = 60_000;
const sweepInterval = 10_000;
/** How long a process is believed that a user is connected to it, in milliseconds. */
const believed = 45_000;
const rowsAtOnce = 200;
/** Larger rooms are woken at a pace. */
const wokenAtOnce = 100;

export type Presence = {
  /** Notes a sync that begins, and what it wants to be shown; what it gives notes the end. */
  connect(userId: string, wanted: PresenceState): () => void;
  /** Resolves when what was noted so far is written. */
  settle(): Promise<void>;
  /** Notes that somebody did something: wrote, read, sent. */
  noteActive(userId: string): void;
  /** Sets what others are shown; when it returns they are. */
  set(userId: string, presence: PresenceState, statusMsg: string | null): Promise<void>;
  start(): void;
  stop(): Promise<void>;
};

type Connection = {
  /** How many syncs are under way. */
  open: number;
  shown: PresenceState;
  /** Until when they are there though no sync is under way, by the monotonic clock. */
  until: number;
  activeTs: number;
};

type Context = { db: Database; clock: Clock; log: Log; notifier: Notifier };

/** @param process tells this process from others */
export function createPresence(
  { db, clock, log, notifier }: Context,
  { enabled }: { enabled: boolean },
  process: string,
): Presence {
  if (!enabled) return nobodyThere;
  const connections = new Map<string, Connection>();
  const wakes = createPacedWakes(clock, (roomId) => notifier.wake('rooms', roomId));
  // A SQLite file has one process, which knows by itself who is connected.
  const others = isPostgres(db);
  let cancel = () => {};
  let sweeping: Promise<void> = Promise.resolve();
  let nextNote = 0;

  async function write(changes: readonly PresenceChange[]): Promise<void> {
    await inTransaction(db, async (tx) => {
      const told = await setPresence(tx, changes);
      const rooms = await roomsToTell(tx, told);
      afterCommit(tx, () => {
        for (const userId of told) notifier.wake('users', userId);
        for (const { roomId, members } of rooms) {
          if (members <= wokenAtOnce) notifier.wake('rooms', roomId);
          else wakes.put(roomId, members);
        }
      });
    });
  }

  const behind = createWriteBehind<PresenceChange>(log, 'presence', async (batch) => {
    const changes = batch.map(([, change]) => change);
    const here = changes.filter(({ presence }) => presence !== 'offline').map(({ userId }) => userId);
    if (others) await noteConnections(db, process, here, clock.now() + believed);
    await write(changes);
  });

  function show(userId: string, connection: Connection, shown: PresenceState): void {
    connection.shown = shown;
    behind.put(userId, { userId, presence: shown, lastActiveTs: connection.activeTs });
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
    const gone: string[] = [];
    for (const [userId, connection] of connections) {
      if (connection.open === 0 && connection.until <= clock.monotonic()) {
        connections.delete(userId);
        gone.push(userId);
      } else if (connection.shown === 'online' && connection.activeTs + idleAfter <= now) {
        show(userId, connection, 'unavailable');
      }
    }
    if (others && now >= nextNote) {
      nextNote = now + believed / 3;
      for (const piece of inPieces([...connections.keys()], rowsAtOnce)) {
        await noteConnections(db, process, piece, now + believed);
      }
    }
    for (const userIds of others ? await leftBehind(gone, now) : inPieces(gone, rowsAtOnce)) {
      await write(userIds.map((userId) => ({ userId, presence: 'offline' })));
    }
  }

  async function leftBehind(gone: string[], now: number): Promise<string[][]> {
    const left: string[][] = [];
    for (const piece of gone.length === 0 ? [[]] : inPieces(gone, rowsAtOnce)) {
      left.push(await listDisconnected(db, await deleteConnections(db, process, piece, now)));
    }
    return left.filter((piece) => piece.length > 0);
  }

  /** After a crash nobody says of those who were there that they are not. */
  async function clearUp(): Promise<void> {
    for (;;) {
      const forsaken = await listForsaken(db, rowsAtOnce);
      if (forsaken.length === 0) return;
      await write(forsaken.map((userId) => ({ userId, presence: 'offline' })));
    }
  }

  const sayFault = (err: unknown) => log.warn({ err }, 'presence: update failed:');

  function sweepRegularly(): void {
    cancel = clock.after(sweepInterval, () => {
      sweeping = sweep().catch(sayFault).finally(sweepRegularly);
    });
  }

  return {
    connect(userId, wanted) {
      if (wanted === 'offline') return () => {};
      const connection = connectionOf(userId);
      connection.open++;
      const isBack = connection.shown === 'offline';
      // A client that goes on asking to be shown as there doesn't make somebody active who is away.
      if (isBack || (wanted === 'unavailable' && connection.shown === 'online')) {
        if (isBack) connection.activeTs = clock.now();
        show(userId, connection, wanted);
      }
      return () => {
        connection.open--;
        connection.until = clock.monotonic() + grace;
      };
    },
    settle: () => behind.settle(),
    noteActive(userId) {
      const connection = connections.get(userId);
      // Who is shown nothing of, or has said to be away, stays so.
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
      await behind.settle();
      if (others) await noteConnections(db, process, [userId], clock.now() + believed);
      const isActive = presence === 'online' && { lastActiveTs: connection.activeTs };
      await write([{ userId, presence, statusMsg, ...isActive }]);
    },
    start() {
      sweeping = clearUp().catch(sayFault).finally(sweepRegularly);
    },
    async stop() {
      await sweeping;
      cancel();
      await behind.settle();
      wakes.stop();
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
