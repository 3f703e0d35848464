import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { DatabaseFault } from './fault.ts';

/**
 * Gives the function that takes a connection of a pool. Where PostgreSQL gives no new one for want of something (on a
 * full disk, or when others have all that it allows), one that this server has already is waited for.
 *
 * @param patience how long one waits at the most, in milliseconds
 */
export function connectionsOf(pool: Pool, patience: number): () => Promise<PoolClient> {
  const line: (() => void)[] = [];
  let connected = 0;
  const next = () => line.shift()?.();
  pool.on('release', next);
  pool.on('connect', () => connected++);
  pool.on('remove', () => {
    connected--;
    do next();
    while (connected === 0 && line.length > 0);
  });

  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        line.splice(line.indexOf(admit), 1);
        reject(new DatabaseFault('unavailable', `no free connection for ${patience / 1000} s`));
      }, patience);
      line.push(admit);
    });

  return async () => {
    for (;;) {
      try {
        return await pool.connect();
      } catch (error) {
        if (connected === 0 || !isWanting(error)) throw error;
        // While it was refused one, another may have come back.
        if (pool.idleCount === 0) await turn();
      }
    }
  };
}

/** Insufficient resources: the disk, memory, connections. */
const isWanting = (error: unknown) => error instanceof DatabaseError && error.code?.startsWith('53') === true;
