/** Who serves a data directory and its database: one process at a time, or on PostgreSQL any number of them. */
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { Config } from '../config/config.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import type { DatabaseConfig } from '../config/database.ts';
import type { Claim } from './claim-type.ts';
import { controlOf } from './control.ts';
import { makePrivateDirectory, makePrivateFile } from './private-files.ts';
import { asRefusal } from './sqlite.ts';

/** How often the files of a claim are looked at, in milliseconds. */
const interval = 2_000;

/**
 * Makes this process one that serves a data directory and its database, and runs tasks: the only one on SQLite. The
 * claim is locks that go with the process, however that ends, so none is ever left behind.
 *
 * @returns undefined where another process has the data for itself
 * @throws ConfigurationError where directory or database can't be used
 */
export async function claimData({
  dataDir,
  database,
}: Pick<Config, 'dataDir' | 'database'>): Promise<Claim | undefined> {
  makePrivateDirectory(dataDir, '--data-dir');
  // Those who share a database may share a directory, and nobody else with them.
  const mode = database.name === 'psycopg2' ? 'shared' : 'whole';
  const directory = claimFile(dataDir, claimName, '--data-dir', mode);
  if (!directory) return undefined;
  try {
    // The database, too: another data directory may name the same one.
    const rest = await claimDatabase(database);
    if (rest) return together(directory, rest);
  } catch (error) {
    await directory.release();
    throw error;
  }
  await directory.release();
  return undefined;
}

const claimName = 'serving.lock';
const useName = 'in-use.lock';
/** What is in a data directory of claims on it. */
export const claimNames = [claimName, useName].flatMap((name) => [name, `${name}-journal`]);

/**
 * Keeps every server from a data directory that is there, whoever works on its data without serving it, and whoever else
 * does the same.
 *
 * @returns undefined where somebody uses it
 * @throws ConfigurationError where the locks can't be made
 */
export async function claimDirectory(dataDir: string): Promise<Claim | undefined> {
  const serving = claimFile(dataDir, claimName, '--data-dir', 'whole');
  if (!serving) return undefined;
  const use = claimFile(dataDir, useName, '--data-dir', 'whole');
  if (use) return together(serving, use);
  await serving.release();
  return undefined;
}

/**
 * Keeps a data directory as it is for somebody who works on its data without serving it, with any number of others and
 * beside a server.
 *
 * @throws ConfigurationError where somebody has it for themselves, or the lock can't be made
 */
export function shareDirectory(dataDir: string): Claim {
  makePrivateDirectory(dataDir, '--data-dir');
  const claim = claimFile(dataDir, useName, '--data-dir', 'shared');
  if (claim) return claim;
  throw new ConfigurationError(
    '--data-dir',
    `another program is replacing the data in ${dataDir}`,
    'start again when it has finished',
  );
}

async function claimDatabase(database: DatabaseConfig): Promise<Claim | undefined> {
  if (database.name === 'psycopg2') {
    const { joinPostgres } = await import('./postgres-membership.ts');
    return joinPostgres(database);
  }
  const { file } = database;
  if (file === ':memory:') return nobodyElses;
  makePrivateDirectory(dirname(file), 'database.args.database');
  makePrivateFile(file, 'database.args.database');
  // The lock stands beside the file: one on the file itself would keep `users add` out.
  const real = realpathSync(file);
  const lock = `${basename(real)}-serving.lock`;
  return claimFile(dirname(real), lock, 'database.args.database', 'whole', [
    real,
    `${real}-wal`,
    // Without it whoever opens the file beside this server knows nothing of it, and each writes over the other's changes.
    `${real}-shm`,
  ]);
}

const agreeOnKey = async () => {};
const nobodyElses: Claim = { agreeOnKey, guard: () => {}, hurry: () => {}, release: async () => {} };

const together = (one: Claim, other: Claim): Claim => ({
  async agreeOnKey(publicKey) {
    await one.agreeOnKey(publicKey);
    await other.agreeOnKey(publicKey);
  },
  guard(db, watch) {
    let isTold = false;
    const whenLost = (reason: string) => {
      if (!isTold) watch.whenLost(reason);
      isTold = true;
    };
    one.guard(db, { ...watch, whenLost });
    other.guard(db, { ...watch, whenLost });
  },
  hurry() {
    one.hurry();
    other.hurry();
  },
  async release() {
    await other.release();
    await one.release();
  },
});

/** A copy of one that is kept somewhere would help no more. */
const noLock = (file: string, setting: string) =>
  new ConfigurationError(
    setting,
    `${file} isn't a homeserver lock file`,
    'delete the file; it contains no data',
  );

const inodeOf = (file: string) => statSync(file, { throwIfNoEntry: false, bigint: true })?.ino;

/** What has become of a file that was there; undefined where it still is. */
function lossOf(file: string, inode: bigint | undefined): string | undefined {
  try {
    return inodeOf(file) === inode ? undefined : `${file} was removed or replaced`;
  } catch (error) {
    // Its disk has gone, say, or this user may not look there any more.
    return `can't read ${file} (${(error as NodeJS.ErrnoException).code})`;
  }
}

/**
 * @param data files that are there from when the claim is guarded: what is written to one that was removed would seem to
 *   be kept, and go when the server ends
 * @throws ConfigurationError where the lock can't be made
 */
function claimFile(
  directory: string,
  name: string,
  setting: string,
  mode: 'shared' | 'whole',
  data: readonly string[] = [],
): Claim | undefined {
  const file = join(directory, name);
  makePrivateFile(file, setting);
  const ino = inodeOf(file);
  let lock: SqliteDatabase.Database | undefined;
  try {
    lock = new SqliteDatabase(file, { timeout: 0 });
    // Whoever reads shares the file until the transaction ends.
    lock.exec(mode === 'whole' ? 'begin exclusive' : 'begin; select * from sqlite_schema');
  } catch (error) {
    lock?.close();
    const { code = '' } = error as { code?: string };
    if (code.startsWith('SQLITE_BUSY')) return undefined;
    throw /^SQLITE_(NOTADB|CORRUPT)/.test(code) ? noLock(file, setting) : asRefusal(error, file, setting);
  }
  const held = lock;
  // Whoever had it before may have taken the file away, or the directory: what is locked keeps nobody out then.
  if (ino === undefined || inodeOf(file) !== ino) {
    held.close();
    return undefined;
  }
  let timer: NodeJS.Timeout | undefined;
  let hurryDatabase = () => {};
  return {
    agreeOnKey,
    guard(db, { log, whenLost }) {
      const control = controlOf(db);
      hurryDatabase = () => control.hurry?.();
      control.logLocks?.(log);
      const guarded = [[file, ino] as const, ...data.map((each) => [each, inodeOf(each)] as const)];
      timer = setInterval(() => {
        const [reason] = guarded.flatMap(([each, before]) => lossOf(each, before) ?? []);
        if (reason === undefined) return;
        clearInterval(timer);
        control.suspend();
        whenLost(reason);
      }, interval);
    },
    hurry() {
      hurryDatabase();
    },
    async release() {
      clearInterval(timer);
      held.close();
    },
  };
}
