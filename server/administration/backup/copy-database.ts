/** Copies a SQLite database that others may be writing. */
import { once } from 'node:events';
import { open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isAnotherRunning } from '../../platform/core/process.ts';
import { randomSecret } from '../../platform/core/secrets.ts';
import { requireOneName } from '../../platform/database/sqlite/database-files.ts';
import { asRefusal } from '../../platform/database/sqlite/sqlite.ts';

const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './statement-worker.ts' : './statement-worker.js',
  import.meta.url,
);

export type StatementRun = { file: string; statement: string; values: string[] };

/**
 * Runs a statement that reads a whole SQLite file and would block the server, in a worker thread.
 *
 * @returns the first column
 * @throws SQLite's error
 */
export async function runStatement(run: StatementRun): Promise<unknown[]> {
  const worker = new Worker(workerFile, { workerData: run });
  const [[rows]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
  return rows;
}

const prefix = 'backup-in-progress-';

/**
 * Writes a consistent copy beside a SQLite database, and deletes it after the work.
 *
 * @throws ConfigurationError if the database is damaged, has a second name or is mounted alone, or the disk is full
 */
export async function withCopyOf<Result>(
  file: string,
  work: (copy: string) => Promise<Result>,
): Promise<Result> {
  requireOneName(file);
  const directory = dirname(file);
  const copy = join(directory, `${prefix}${process.pid}-${randomSecret().slice(0, 8)}.db`);
  await removeLeftOvers(directory);
  // Private from the first byte.
  await (await open(copy, 'wx', 0o600)).close();
  try {
    await runStatement({ file, statement: 'vacuum into ?', values: [copy] }).catch((error) => {
      throw asRefusal(error, file);
    });
    return await work(copy);
  } finally {
    await rm(copy, { force: true });
    await rm(`${copy}-journal`, { force: true });
  }
}

/** Deletes copies of processes that were killed. */
async function removeLeftOvers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const [, pid] = /^backup-in-progress-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && Number(pid) !== process.pid && !isAnotherRunning(Number(pid)))
      await rm(join(directory, name), { force: true });
  }
}
