import { once } from 'node:events';
import { open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isAnotherRunning } from '../core/running-process.ts';
import { randomSecret } from '../core/secrets.ts';

const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './copy-database-worker.ts' : './copy-database-worker.js',
  import.meta.url,
);

const prefix = 'backup-in-progress-';

/**
 * Makes a file beside a SQLite database that holds what it holds at one moment, hands it out, and deletes it.
 *
 * @throws Error where there is no room for it
 */
export async function withCopyOf<Made>(file: string, work: (copy: string) => Promise<Made>): Promise<Made> {
  const directory = dirname(file);
  const copy = join(directory, `${prefix}${process.pid}-${randomSecret().slice(0, 8)}.db`);
  await removeLeftOvers(directory);
  // Readable by nobody else from its first byte on.
  await (await open(copy, 'wx', 0o600)).close();
  try {
    const worker = new Worker(workerFile, { workerData: { from: file, to: copy } });
    const [code] = await once(worker, 'exit');
    if (code !== 0) throw new Error('The database could not be copied');
    return await work(copy);
  } finally {
    await rm(copy, { force: true });
    await rm(`${copy}-journal`, { force: true });
  }
}

/** Of processes that were killed while they made one. */
async function removeLeftOvers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const [, pid] = /^backup-in-progress-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && Number(pid) !== process.pid && !isAnotherRunning(Number(pid)))
      await rm(join(directory, name), { force: true });
  }
}
