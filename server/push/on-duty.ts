/** Work that goes on in one process of all, whenever there is something to do. */
import { type Clock, pause } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Notifier } from '../core/notifier.ts';
import { createWaiter } from '../core/waiter.ts';
import { holdDuty, leaveDuty } from '../database/duty.ts';
import type { Database } from '../database/schema.ts';

/** How long a duty is a process's without its saying so again, in milliseconds. */
const leaseTime = 12_000;
/** How often it says so, and others ask whether they may have it. */
const extension = 3_000;
/** How long what is being called when this ends may still answer, in milliseconds: it would be told again. */
const lastPatience = 2_000;

export type Worker = { start(): void; stop(): Promise<void> };

export type DutyContext = { db: Database; clock: Clock; log: Log; notifier: Notifier };

type Duty = {
  duty: string;
  /** Tells this process from others. */
  process: string;
  /** The shortest time from one look to the next, in milliseconds: what comes meanwhile is looked at together. */
  gathering?: number;
};

/**
 * @param work does what there is to do and gives in how many milliseconds to look again without being woken; it is to
 *   begin nothing more where the first signal is aborted, as when another process has the duty, and to give up what it
 *   has begun where the second one is, shortly after
 * @param settle waits for what the work has left under way
 */
export function createWorker(
  context: DutyContext,
  { duty, process, gathering = 0 }: Duty,
  work: (signal: AbortSignal, givingUp: AbortSignal) => Promise<number>,
  settle = async (): Promise<void> => {},
): Worker {
  const { clock, log, notifier } = context;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const { wake, next } = createWaiter(clock);
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
    const givingUp = new AbortController();
    let cancelGivingUp = () => {};
    signal.addEventListener('abort', () => {
      cancelGivingUp = clock.after(lastPatience, () => givingUp.abort());
    });
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
    signal.addEventListener('abort', wake);
    while (!signal.aborted) {
      const begun = clock.monotonic();
      let pauseLength = extension;
      try {
        pauseLength = await work(signal, givingUp.signal);
      } catch (err) {
        if (!signal.aborted) log.warn({ err }, `${duty}: delivery failed, retrying:`);
      }
      await next(pauseLength);
      const early = begun + gathering - clock.monotonic();
      if (early > 0) await pause(clock, early, signal);
    }
    await settle();
    cancelGivingUp();
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
