import type { ReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Clock } from '../core/clock.ts';
import { whenClosed } from '../http/gone-signal.ts';

/** How often there has to be some progress, in milliseconds: about a kilobyte a second is enough. */
const interval = 60_000;

/** Ends a download that its client doesn't read: until then it holds a file, a connection and memory. */
export function breakOffUnlessRead(response: ServerResponse, content: ReadStream, clock: Clock): void {
  const taken = () => content.bytesRead - response.writableLength;
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
