/**
 * Runs background updates, one after the other and piece by piece, beside the running server. Interface:
 * "Upgrade rules" 2.
 */

import type { Kysely } from 'kysely';
import type { JsonObject } from '../../shared/api/common.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { breathe } from '../core/turn.ts';
import type { Schema } from '../database/schema.ts';
import { readFact, writeFact } from '../database/server-facts.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import {
  addUpdate,
  findCurrentUpdate,
  finishUpdate,
  type PendingUpdate,
  saveProgress,
} from './background-update-store.ts';

/** What one piece of an update did; without `progress` it was the last one. */
export type UpdatePiece = { items: number; progress?: JsonObject };

/**
 * Does one piece of an update, some milliseconds of work, from where the last one ended. The piece and the
 * progress are committed together: none is lost, and none is done twice.
 */
export type BackgroundUpdate = (tx: Tx, progress: JsonObject) => Promise<UpdatePiece>;

/** How long the runner waits after a fault of the database, in milliseconds. */
const retryDelay = 60_000;

export type BackgroundUpdates = {
  status(): Promise<{ enabled: boolean; current: PendingUpdate | undefined }>;
  isEnabled(): Promise<boolean>;
  /** Pauses updates at their next safe point, or lets them go on. */
  setEnabled(enabled: boolean): Promise<void>;
  /** Asks for an update; false where it is waiting already. */
  add(name: string): Promise<boolean>;
  /** Begins to run updates. */
  start(): void;
  /** Waits for the piece that is running; the update goes on after the next start. */
  stop(): Promise<void>;
};

export function createBackgroundUpdates(
  db: Kysely<Schema>,
  clock: Clock,
  updates: ReadonlyMap<string, BackgroundUpdate>,
  log: Log,
): BackgroundUpdates {
  let started = false;
  let stopping = false;
  let cancelRetry = () => {};
  let loop: Promise<void> = Promise.resolve();

  const isEnabled = async () => (await readFact(db, 'background_updates')) !== 'disabled';

  const wake = () => {
    if (!started || stopping) return;
    loop = loop.then(runAll).catch((err: unknown) => {
      log.error({ err }, 'A background update met a fault:');
      cancelRetry = clock.after(retryDelay, wake);
    });
  };

  async function runAll(): Promise<void> {
    while (!stopping && (await isEnabled()) && (await runPiece())) await breathe();
  }

  /** False where nothing is left to do. */
  async function runPiece(): Promise<boolean> {
    return inTransaction(db, async (tx) => {
      const pending = await findCurrentUpdate(tx);
      if (!pending) return false;
      const begun = clock.now();
      const update = updates.get(pending.name);
      // An update that this release no longer knows has nothing left to do.
      const piece = (await update?.(tx, pending.progress)) ?? { items: 0 };
      if (piece.progress) {
        await saveProgress(tx, {
          name: pending.name,
          progress: piece.progress,
          totalItemCount: pending.totalItemCount + piece.items,
          totalDurationMs: pending.totalDurationMs + clock.now() - begun,
        });
      } else await finishUpdate(tx, pending.name);
      return true;
    });
  }

  return {
    status: async () => ({ enabled: await isEnabled(), current: await findCurrentUpdate(db) }),
    isEnabled,
    async setEnabled(enabled) {
      await writeFact(db, 'background_updates', enabled ? 'enabled' : 'disabled');
      wake();
    },
    async add(name) {
      const added = await addUpdate(db, name, 1);
      wake();
      return added;
    },
    start() {
      started = true;
      wake();
    },
    async stop() {
      stopping = true;
      cancelRetry();
      await loop;
    },
  };
}
