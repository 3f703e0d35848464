import type { ServerResponse } from 'node:http';
import type { Clock } from '../core/clock.ts';
import { whenClosed } from './gone-signal.ts';

/**
 * Ends a reply that its client doesn't read: until then it holds memory and a connection.
 *
 * @param interval how often there has to be some progress, in milliseconds
 * @param taken how many bytes the system has taken so far
 */
export function breakOffUnlessRead(
  response: ServerResponse,
  clock: Clock,
  interval: number,
  taken: () => number,
): void {
  let cancel = () => {};
  const watch = (before: number) => {
    cancel = clock.after(interval, () => {
      const now = taken();
      // What it took all of waits for this machine.
      if (now > before || response.writableLength === 0) watch(now);
      else response.destroy();
    });
  };
  watch(taken());
  whenClosed(response, () => cancel());
}
