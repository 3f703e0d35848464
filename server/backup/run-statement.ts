import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './statement-worker.ts' : './statement-worker.js',
  import.meta.url,
);

export type StatementRun = { file: string; statement: string; values: string[] };

/**
 * Runs a statement that reads all of a SQLite file, which others may write: in a thread, because it takes a while.
 *
 * @returns the first column of what it gives
 * @throws what SQLite says, by its code
 */
export async function runStatement(run: StatementRun): Promise<unknown[]> {
  const worker = new Worker(workerFile, { workerData: run });
  const [[rows]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
  return rows;
}
