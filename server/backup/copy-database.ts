import { open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isAnotherRunning } from '../core/running-process.ts';
import { randomSecret } from '../core/secrets.ts';
import { requireOneName } from '../database/one-name.ts';
import { asRefusal } from '../database/sqlite.ts';
import { runStatement } from './run-statement.ts';

const prefix = 'backup-in-progress-';

/**
 * Makes a file beside a SQLite database that holds what it holds at one moment, hands it out, and deletes it.
 *
 * @throws ConfigurationError where it is damaged, has a second name or is mounted alone, or there is no room for it
 */
export async function withCopyOf<Made>(file: string, work: (copy: string) => Promise<Made>): Promise<Made> {
  requireOneName(file);
  const directory = dirname(file);
  const copy = join(directory, `${prefix}${process.pid}-${randomSecret().slice(0, 8)}.db`);
  await removeLeftOvers(directory);
  // Readable by nobody else from its first byte on.
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

/** Of processes that were killed while they made one. */
async function removeLeftOvers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const [, pid] = /^backup-in-progress-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && Number(pid) !== process.pid && !isAnotherRunning(Number(pid)))
      await rm(join(directory, name), { force: true });
  }
}
