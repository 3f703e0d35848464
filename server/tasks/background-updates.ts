/**
 * Runs background updates, one after the other and piece by piece, beside the running server: in whichever of the
 * processes that share a database, in one at a time. Interface: "Upgrade rules" 2.
 */

import type { Kysely } from 'kysely';
import type { JsonObject } from '../../shared/api/common.ts';
import type { Clock } from '../core/clock.ts';
import { breathe } from '../core/event-loop-turns.ts';
import type { Log } from '../core/log.ts';
import type { Notifier } from '../core/notifier.ts';
import { isPostgres } from '../database/engine.ts';
import { lockUntilCommit, tryLockUntilCommit } from '../database/lock-until-commit.ts';
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

/** What one piece of an update did; without `progress` it was the last one. */
type UpdatePiece = { items: number; progress?: JsonObject };

/**
 * Does one piece of an update, some milliseconds of work, from where the last one ended. The piece and the
 * progress are committed together: none is lost, and none is done twice.
 */
export type BackgroundUpdate = (tx: Tx, progress: JsonObject) => Promise<UpdatePiece>;

/** How long the runner waits after a fault of the database, in milliseconds. */
const retryDelay = 60_000;
/** How long it leaves an update alone that another process is at, in milliseconds. */
const deferral = 5_000;
/** How often it looks for what another process has left that died before it could tell, in milliseconds. */
const lookInterval = 10_000;

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
  { db, clock, log, notifier }: { db: Kysely<Schema>; clock: Clock; log: Log; notifier: Notifier },
  updates: ReadonlyMap<string, BackgroundUpdate>,
): BackgroundUpdates {
  let started = false;
  let stopping = false;
  let cancelRetry = () => {};
  let loop: Promise<void> = Promise.resolve();

  const isEnabled = async (within: Database = db) =>
    (await readFact(within, 'background_updates')) !== 'disabled';

  const run = () => {
    if (!started || stopping) return;
    cancelRetry();
    loop = loop
      .then(runAll)
      .then((end) => {
        if (end === 'deferred') runAfter(deferral);
        else if (isPostgres(db)) runAfter(lookInterval);
      })
      .catch((err: unknown) => {
        log.error({ err }, 'background updates: update failed, retrying:');
        runAfter(retryDelay);
      });
  };
  // A piece that is under way while the server begins to stop ends later, and nothing is to come after it.
  const runAfter = (delay: number) => {
    cancelRetry();
    if (!stopping) cancelRetry = clock.after(delay, run);
  };
  notifier.listen('background updates', run);
  const wake = () => notifier.wake('background updates');

  async function runAll(): Promise<'nothing left' | 'deferred'> {
    for (;;) {
      if (stopping) return 'nothing left';
      const end = await runPiece();
      if (end !== 'done') return end;
      await breathe();
    }
  }

  async function runPiece(): Promise<'done' | 'nothing left' | 'deferred'> {
    return inTransaction(db, async (tx) => {
      // Held until the commit: no piece is done twice, and who has switched updates off sees the last one end.
      if (!(await tryLockUntilCommit(tx, 'backgroundUpdate'))) return 'deferred';
      if (!(await isEnabled(tx))) return 'nothing left';
      const pending = await findCurrentUpdate(tx);
      if (!pending) return 'nothing left';
      const update = updates.get(pending.name);
      const begun = clock.now();
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
      return 'done';
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
    start() {
      started = true;
      run();
    },
    async stop() {
      stopping = true;
      cancelRetry();
      await loop;
    },
  };
}
