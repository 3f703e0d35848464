/** Leader-elected work: one of all processes does it, whenever there is something to do. */

import type { Notifier, Topic } from '../concurrency/notifier.ts';
import { createWaiter } from '../concurrency/waiter.ts';
import { type Clock, pause } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../database/schema.ts';
import type { Ownership } from './ownership.ts';

/** How often other processes try to take over, and failed work is retried, in milliseconds. */
const retryInterval = 3_000;
/** How long running calls may take when the work ends, in milliseconds: aborted ones would be repeated. */
const gracePeriod = 2_000;

export type Worker = { start(ownership: Ownership): void; stop(): Promise<void> };

export type WorkerContext = { db: Database; clock: Clock; log: Log; notifier: Notifier };

type Options = {
  name: string;
  /** Topics that wake it. */
  topics: readonly Topic[];
  /** Minimum time between two rounds, in milliseconds: wakes in the meantime share one. */
  gathering?: number;
};

/**
 * @param work runs one round and returns the milliseconds until the next one without a wake. It starts nothing more
 *   once the first signal is aborted, and aborts running calls at the second one, shortly after
 * @param settle waits for calls that rounds have left running
 */
export function createWorker(
  { clock, log, notifier }: Pick<WorkerContext, 'clock' | 'log' | 'notifier'>,
  { name, topics, gathering = 0 }: Options,
  work: (signal: AbortSignal, givingUp: AbortSignal) => Promise<number>,
  settle = async (): Promise<void> => {},
): Worker {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const { wake, next } = createWaiter(clock);
  const endings = topics.map((topic) => notifier.listen(topic, wake));

  async function run(ownership: Ownership): Promise<void> {
    while (!stopping.signal.aborted) {
      const owned = await ownership.tryOwn(name);
      if (!owned) {
        await pause(clock, retryInterval, stopping.signal);
        continue;
      }
      await workUntil(AbortSignal.any([stopping.signal, owned.lost]));
      await owned.release();
    }
  }

  async function workUntil(signal: AbortSignal): Promise<void> {
    const givingUp = new AbortController();
    let cancelGivingUp = () => {};
    signal.addEventListener('abort', () => {
      cancelGivingUp = clock.after(gracePeriod, () => givingUp.abort());
      wake();
    });
    while (!signal.aborted) {
      const begun = clock.monotonic();
      let pauseLength = retryInterval;
      try {
        pauseLength = await work(signal, givingUp.signal);
      } catch (err) {
        if (!signal.aborted) log.warn({ err }, `${name}: failed, retrying:`);
      }
      await next(pauseLength);
      const early = begun + gathering - clock.monotonic();
      if (early > 0) await pause(clock, early, signal);
    }
    await settle();
    cancelGivingUp();
  }

  return {
    start(ownership) {
      running = run(ownership);
    },
    async stop() {
      for (const end of endings) end();
      stopping.abort();
      await running;
    },
  };
}
