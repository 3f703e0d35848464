import type { ServerResponse } from 'node:http';
import type { Faults } from './faults.ts';
import type { TestClock } from './test-clock.ts';

/**
 * Operations on a temporary server beyond its API. `asking` is the reply to the request for a change: it outlives the
 * homeserver.
 */
export type Testing = {
  clock: TestClock;
  faults: Faults;
  /**
   * Restores the state after the start.
   *
   * @throws MatrixError 400 for a server whose data isn't in files
   */
  reset(asking: ServerResponse): Promise<void>;
  snapshots(): { name: string; createdTs: number }[];
  save(name: string, asking: ServerResponse): Promise<{ name: string; createdTs: number }>;
  /** @throws MatrixError 404 */
  restore(name: string, asking: ServerResponse): Promise<void>;
  /** @throws MatrixError 404 */
  forget(name: string, asking: ServerResponse): Promise<void>;
};
