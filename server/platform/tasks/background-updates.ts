/** Background updates: one after the other, in small pieces, while the server runs, in one process at a time. */
import type { Kysely } from 'kysely';
import type { JsonObject } from '../../../shared/api/common.ts';
import { lockUntilCommit } from '../cluster/lock-until-commit.ts';
import { createWorker, type Worker } from '../cluster/worker.ts';
import type { Notifier } from '../concurrency/notifier.ts';
import { yieldToEventLoop } from '../concurrency/yield.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Database, Schema } from '../database/schema.ts';
import { readFact, writeFact } from '../database/server-facts.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import {
  addUpdate,
  findCurrentUpdate,
  finishUpdate,
  type PendingUpdate,
  saveProgress,
} from './background-update-store.ts';

/** Work of one piece; the last one has no `progress`. */
type UpdatePiece = { items: number; progress?: JsonObject };

/**
 * Does one piece of an update, some milliseconds of work, and continues after the last one. It is committed together
 * with its progress, so no piece is lost or repeated.
 */
export type BackgroundUpdate = (tx: Tx, progress: JsonObject) => Promise<UpdatePiece>;

/** How long to wait after a failure, in milliseconds. */
const retryDelay = 60_000;
/** Polling interval without a wake, in milliseconds: a process that died may not have sent it. */
const lookInterval = 10_000;

export type BackgroundUpdates = Worker & {
  status(): Promise<{ enabled: boolean; current: PendingUpdate | undefined }>;
  isEnabled(): Promise<boolean>;
  /** Pauses updates at their next safe point, or resumes them. */
  setEnabled(enabled: boolean): Promise<void>;
  /** Adds an update. Returns false if it is pending already. */
  add(name: string): Promise<boolean>;
};

export function createBackgroundUpdates(
  { db, clock, log, notifier }: { db: Kysely<Schema>; clock: Clock; log: Log; notifier: Notifier },
  updates: ReadonlyMap<string, BackgroundUpdate>,
): BackgroundUpdates {
  const isEnabled = async (within: Database = db) =>
    (await readFact(within, 'background_updates')) !== 'disabled';

  const wake = () => notifier.wake('background updates');

  const worker = createWorker(
    { clock, log, notifier },
    { name: 'background updates', topics: ['background updates'] },
    async (signal) => {
      try {
        while (!signal.aborted && (await runPiece())) await yieldToEventLoop();
        return lookInterval;
      } catch (err) {
        if (!signal.aborted) log.error({ err }, 'background updates: update failed, retrying:');
        return retryDelay;
      }
    },
  );

  /** Returns false if there is nothing to do. */
  async function runPiece(): Promise<boolean> {
    if (!(await findCurrentUpdate(db))) return false;
    return inTransaction(db, async (tx) => {
      // Until the commit: a former owner's last piece ends before the next one begins, and before `setEnabled` returns.
      await lockUntilCommit(tx, 'backgroundUpdate');
      if (!(await isEnabled(tx))) return false;
      const pending = await findCurrentUpdate(tx);
      if (!pending) return false;
      const update = updates.get(pending.name);
      const begun = clock.now();
      // An unknown update, of another version, is dropped.
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
    isEnabled: () => isEnabled(),
    async setEnabled(enabled) {
      await inTransaction(db, async (tx) => {
        await lockUntilCommit(tx, 'backgroundUpdate');
        await writeFact(tx, 'background_updates', enabled ? 'enabled' : 'disabled');
      });
      wake();
    },
    async add(name) {
      const added = await addUpdate(db, name, 1);
      wake();
      return added;
    },
    start: worker.start,
    stop: worker.stop,
  };
}
