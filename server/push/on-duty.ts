/** Work that goes on in one process of all, whenever there is something to do. */
import { type Clock, pause } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Notifier } from '../core/notifier.ts';
import { holdDuty, leaveDuty } from '../database/duty.ts';
import type { Database } from '../database/schema.ts';

/** How long a duty is a process's without its saying so again, in milliseconds. */
const leaseTime = 15_000;
/** How often it says so, and others ask whether they may have it. */
const extension = 4_000;

export type Worker = { start(): void; stop(): Promise<void> };

export type DutyContext = { db: Database; clock: Clock; log: Log; notifier: Notifier };

/**
 * @param work does what there is to do and gives in how many milliseconds to look again without being woken; it is to
 *   end soon where the signal is aborted, as when another process has the duty
 */
export function createWorker(
  context: DutyContext,
  { duty, process }: { duty: string; process: string },
  work: (signal: AbortSignal) => Promise<number>,
): Worker {
  const { clock, log, notifier } = context;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let waking = new AbortController();
  const wake = () => waking.abort();
  const endings = [notifier.listen('rooms', wake), notifier.listen('users', wake)];

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const holds = await holdDuty(context, duty, process, leaseTime).catch(() => false);
      if (!holds) {
        await pause(clock, extension, stopping.signal);
        continue;
      }
      await workWhileHeld();
    }
  }

  async function workWhileHeld(): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([stopping.signal, lost.signal]);
    let heldUntil = clock.monotonic() + leaseTime;
    const extend = async (): Promise<void> => {
      for (;;) {
        await pause(clock, extension, signal);
        if (signal.aborted) return;
        const asked = clock.monotonic();
        // A database that can't be asked for a moment takes nothing away.
        const holds = await holdDuty(context, duty, process, leaseTime).catch(() => undefined);
        if (holds === true) heldUntil = asked + leaseTime;
        if (holds === false || clock.monotonic() > heldUntil) return lost.abort();
      }
    };
    const extending = extend();
    while (!signal.aborted) {
      waking = new AbortController();
      let next = extension;
      try {
        next = await work(signal);
      } catch (err) {
        if (!signal.aborted) log.warn({ err }, `${duty} can't go on for now:`);
      }
      await pause(clock, next, AbortSignal.any([signal, waking.signal]));
    }
    await extending;
  }

  return {
    start() {
      running = run();
    },
    async stop() {
      for (const end of endings) end();
      stopping.abort();
      await running;
      // Where the database is away, the others wait.
      await leaveDuty(context.db, duty, process).catch(() => {});
    },
  };
}
