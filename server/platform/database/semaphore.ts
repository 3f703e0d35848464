/** FIFO semaphore with an acquisition timeout. */
import { DatabaseFault } from './fault.ts';

export type Semaphore = {
  /**
   * Waits for a permit and returns the function that releases it.
   *
   * @throws DatabaseFault `unavailable` after the timeout
   */
  acquire(): Promise<() => void>;
  /** Pauses permits until `open`; held ones stay valid. */
  close(): void;
  open(): void;
  /** Rejects all current and later callers. */
  end(): void;
};

/**
 * @param timeout in milliseconds
 * @param alreadyLogged whether the log has the reason for the missing permits
 */
export function createSemaphore(
  permits: number,
  timeout: number,
  alreadyLogged: () => boolean = () => false,
): Semaphore {
  const queue: { start(): void; reject(reason: string): void }[] = [];
  let held = 0;
  let closed = false;
  let ended = false;

  const startWaiting = () => {
    while (!closed && held < permits) {
      const next = queue.shift();
      if (!next) return;
      held++;
      next.start();
    }
  };

  const release = () => {
    held--;
    startWaiting();
  };

  return {
    acquire() {
      if (!closed && held < permits && queue.length === 0) {
        held++;
        return Promise.resolve(release);
      }
      if (ended) return Promise.reject(new DatabaseFault('unavailable', shuttingDown));
      return new Promise((resolve, reject) => {
        const waiter = {
          start() {
            clearTimeout(timer);
            resolve(release);
          },
          reject(reason: string) {
            clearTimeout(timer);
            reject(new DatabaseFault('unavailable', reason, { alreadyLogged: alreadyLogged() }));
          },
        };
        const timer = setTimeout(() => {
          queue.splice(queue.indexOf(waiter), 1);
          waiter.reject(`no free connection for ${timeout / 1000} s`);
        }, timeout);
        queue.push(waiter);
        startWaiting();
      });
    },
    close() {
      closed = true;
    },
    open() {
      closed = ended;
      startWaiting();
    },
    end() {
      closed = true;
      ended = true;
      for (const { reject } of queue.splice(0)) reject(shuttingDown);
    },
  };
}

const shuttingDown = 'the server is shutting down';
