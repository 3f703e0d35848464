/** Lets a number in at once, in the order in which they came. Nobody waits in line for longer than agreed. */
import { DatabaseFault } from './fault.ts';

export type Gate = {
  /**
   * Waits for its turn and gives the function that leaves the place to the next.
   *
   * @throws DatabaseFault `unavailable` where the turn doesn't come in time
   */
  enter(): Promise<() => void>;
  /** Lets nobody in until `open`; those who are in are not put out. */
  close(): void;
  open(): void;
  /** Refuses everyone from now on, those in line as well. */
  end(): void;
};

/**
 * @param patience how long one waits at the most, in milliseconds
 * @param isSaid whether the database has said why nobody gets in
 */
export function createGate(width: number, patience: number, isSaid: () => boolean = () => false): Gate {
  const line: { admit(): void; refuse(reason: string): void }[] = [];
  let inside = 0;
  let closed = false;
  let ended = false;

  const admit = () => {
    while (!closed && inside < width) {
      const next = line.shift();
      if (!next) return;
      inside++;
      next.admit();
    }
  };

  const leave = () => {
    inside--;
    admit();
  };

  return {
    enter() {
      if (!closed && inside < width && line.length === 0) {
        inside++;
        return Promise.resolve(leave);
      }
      if (ended) return Promise.reject(new DatabaseFault('unavailable', over));
      return new Promise((resolve, reject) => {
        const refuse = (reason: string) => {
          clearTimeout(timer);
          reject(new DatabaseFault('unavailable', reason, { isSaid: isSaid() }));
        };
        const turn = {
          admit() {
            clearTimeout(timer);
            resolve(leave);
          },
          refuse,
        };
        const timer = setTimeout(() => {
          line.splice(line.indexOf(turn), 1);
          refuse(`no free connection for ${patience / 1000} s`);
        }, patience);
        line.push(turn);
        admit();
      });
    },
    close() {
      closed = true;
    },
    open() {
      closed = ended;
      admit();
    },
    end() {
      closed = true;
      ended = true;
      for (const { refuse } of line.splice(0)) refuse(over);
    },
  };
}

const over = 'the server is shutting down';
