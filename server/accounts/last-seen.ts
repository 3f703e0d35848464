/**
 * From where users call, kept behind their requests: no request waits until that is written, or fails
 * because it can't be. What was noted last is lost only if the process is killed.
 */
import ipaddr from 'ipaddr.js';
import type { Cache } from '../core/cache.ts';
import { type Clock, waitAtMost } from '../core/clock.ts';
import { breathe } from '../core/event-loop-turns.ts';
import type { Log } from '../core/log.ts';
import type { Requester } from '../core/requester.ts';
import { DatabaseFault } from '../database/fault.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { insertConnections, type NewConnection } from './connection-store.ts';

/** A connection is noted again only after this time, in milliseconds: most requests are spared it. */
const granularity = 120_000;
/** How long notes are gathered before they are written, in milliseconds. */
const gathering = 1_000;
/** How long it takes until writing is tried again after it has failed, in milliseconds. */
const pause = 10_000;
/** How long a read of what was noted waits for what is not written yet, in milliseconds. */
const patience = 1_000;
/** As many as are written without holding other work up. */
const batchSize = 50;
/** While the database takes nothing, this many wait for it; more are not noted. */
const maximumPending = 10_000;
/** Older browsers and robots send anything. */
const maximumUserAgent = 500;
/** The longest an address is, in characters: one of IPv6 with the name of a network interface. */
const maximumAddress = 64;

export type LastSeen = {
  /** Notes that a user has called, from an address, with a program that calls itself something. */
  note(requester: Requester, ip: string | undefined, userAgent: string | undefined): void;
  /** Waits until what was noted can be read, or for as long as that is worth waiting for. */
  settle(): Promise<void>;
  /** Writes what is left, where that can be done soon. */
  stop(): Promise<void>;
};

/** What is noted, and by which key. */
type Note = [string, NewConnection];
type Context = { db: Database; clock: Clock; log: Log };

/** When connections were noted last, by the monotonic clock. */
export type NotedConnections = Cache<string, number>;

export function createLastSeen({ db, clock, log }: Context, noted: NotedConnections): LastSeen {
  const pending = new Map<string, NewConnection>();
  let writing: Promise<void> | undefined;
  let cancelWriting: (() => void) | undefined;
  let hasFailed = false;
  let stopped = false;

  function writeIn(milliseconds: number): void {
    if (stopped) return;
    cancelWriting ??= clock.after(milliseconds, () => void write());
  }

  /** Writes everything, one run at a time. */
  function write(): Promise<void> {
    cancelWriting?.();
    cancelWriting = undefined;
    writing ??= writeBatches().finally(() => {
      writing = undefined;
      if (pending.size > 0) writeIn(hasFailed ? pause : gathering);
    });
    return writing;
  }

  async function writeBatches(): Promise<void> {
    while (pending.size > 0) {
      try {
        await writeBatch([...pending].slice(0, batchSize));
      } catch (err) {
        say(err, "accounts: couldn't save user IP addresses, retrying:");
        return;
      }
      await breathe();
    }
  }

  /** @throws DatabaseFault where the database takes nothing now; what it will never take is dropped */
  async function writeBatch(batch: Note[]): Promise<void> {
    try {
      await inTransaction(db, (tx) =>
        insertConnections(
          tx,
          batch.map(([, connection]) => connection),
        ),
      );
      hasFailed = false;
    } catch (err) {
      if (err instanceof DatabaseFault) throw err;
      // One that can't be written must not keep the others from it, now or later.
      if (batch.length > 1) {
        for (const note of batch) await writeBatch([note]);
        return;
      }
      say(err, "accounts: couldn't save a user IP address, dropping it:");
    }
    for (const [key, connection] of batch) {
      if (pending.get(key) === connection) pending.delete(key);
    }
  }

  /** Nobody waits for the answer, so it is said where an operator looks; once, until writing goes on. */
  function say(err: unknown, sentence: string): void {
    if (!hasFailed) log.error({ err }, sentence);
    hasFailed = true;
  }

  async function settle(): Promise<void> {
    if (pending.size > 0) await waitAtMost(clock, patience, write());
  }

  return {
    note({ userId, deviceId, actsFor }, ip, userAgent = '') {
      // What an administrator does as a user says nothing of where the user is.
      if (actsFor !== undefined) return;
      const now = clock.monotonic();
      const program = userAgent.slice(0, maximumUserAgent);
      const key = `${userId} ${deviceId} ${ip} ${program}`;
      const last = noted.get(key);
      if (last !== undefined && now - last < granularity) return;
      // A socket that is gone already has no address; what a proxy passes on may be anything.
      if (!ip || !isAddress(ip) || pending.size >= maximumPending) return;
      noted.set(key, now);
      pending.set(key, { userId, deviceId, ip, userAgent: program.toWellFormed(), lastSeenTs: clock.now() });
      writeIn(gathering);
    },
    settle,
    async stop() {
      stopped = true;
      await settle();
      cancelWriting?.();
    },
  };
}

const isAddress = (text: string) => text.length <= maximumAddress && ipaddr.isValid(text);
