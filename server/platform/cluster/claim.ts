/** Locks on a data directory and its database: one process serves them, or any number on PostgreSQL. */
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { Config } from '../config/config.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import type { DatabaseConfig } from '../config/database.ts';
import { controlOf } from '../database/control.ts';
import { createPrivateDirectory, createPrivateFile } from '../database/sqlite/database-files.ts';
import { asRefusal } from '../database/sqlite/sqlite.ts';
import { type Claim, soleOwner } from './ownership.ts';
import { servingUrlName } from './serving-url.ts';

/** How often the locked files are checked, in milliseconds. */
const interval = 2_000;

/**
 * Makes this process serve a data directory and its database, exclusively on SQLite. The locks end with the process, so
 * a crash leaves none behind.
 *
 * @returns undefined if another process has exclusive access to the data
 * @throws ConfigurationError if the directory or database can't be used
 */
export async function claimData({
  dataDir,
  database,
}: Pick<Config, 'dataDir' | 'database'>): Promise<Claim | undefined> {
  createPrivateDirectory(dataDir, '--data-dir');
  // Processes that share a database may share a directory.
  const mode = database.name === 'psycopg2' ? 'shared' : 'whole';
  const directory = claimFile(dataDir, claimName, '--data-dir', mode);
  if (!directory) return undefined;
  try {
    // Another data directory may use the same database.
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
/** Files in a data directory that hold no data: locks, and the note of the server's URL. */
export const claimNames = [
  ...[claimName, useName].flatMap((name) => [name, `${name}-journal`]),
  servingUrlName,
];

/**
 * Locks an existing data directory against servers and all other programs that use its data.
 *
 * @returns undefined if it is in use
 * @throws ConfigurationError if it can't be locked
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
 * Locks a data directory against replacement, for a program that uses its data beside others and a server.
 *
 * @throws ConfigurationError if it is being replaced or can't be locked
 */
export function shareDirectory(dataDir: string): Claim {
  createPrivateDirectory(dataDir, '--data-dir');
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
    const { joinPostgres } = await import('./postgres-claim.ts');
    return joinPostgres(database);
  }
  const { file } = database;
  if (file === ':memory:') return ofMemory;
  createPrivateDirectory(dirname(file), 'database.args.database');
  createPrivateFile(file, 'database.args.database');
  // The lock is a separate file: a lock on the database would block `users add`.
  const real = realpathSync(file);
  const lock = `${basename(real)}-serving.lock`;
  return claimFile(dirname(real), lock, 'database.args.database', 'whole', [
    real,
    `${real}-wal`,
    // Without the lock another program wouldn't notice this server, and both would overwrite each other's changes.
    `${real}-shm`,
  ]);
}

const agreeOnKey = async () => {};
const ofMemory: Claim = {
  ...soleOwner,
  agreeOnKey,
  guard: () => {},
  hurry: () => {},
  release: async () => {},
};

const together = (one: Claim, other: Claim): Claim => ({
  tryOwn: other.tryOwn,
  async agreeOnKey(publicKey) {
    await one.agreeOnKey(publicKey);
    await other.agreeOnKey(publicKey);
  },
  guard(db, watch) {
    let isReported = false;
    const whenLost = (reason: string) => {
      if (!isReported) watch.whenLost(reason);
      isReported = true;
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

const noLock = (file: string, setting: string) =>
  new ConfigurationError(
    setting,
    `${file} isn't a homeserver lock file`,
    'delete the file; it contains no data',
  );

const inodeOf = (file: string) => statSync(file, { throwIfNoEntry: false, bigint: true })?.ino;

/** Returns why a file has been replaced or removed; undefined if it hasn't. */
function lossOf(file: string, inode: bigint | undefined): string | undefined {
  try {
    return inodeOf(file) === inode ? undefined : `${file} was removed or replaced`;
  } catch (error) {
    // For example, its disk is gone, or its permissions have changed.
    return `can't read ${file} (${(error as NodeJS.ErrnoException).code})`;
  }
}

/**
 * @param data files that must stay in place while the claim is guarded: writes to a removed file would be lost when the
 *   server exits
 * @throws ConfigurationError if the file can't be locked
 */
function claimFile(
  directory: string,
  name: string,
  setting: string,
  mode: 'shared' | 'whole',
  data: readonly string[] = [],
): Claim | undefined {
  const file = join(directory, name);
  createPrivateFile(file, setting);
  const ino = inodeOf(file);
  let lock: SqliteDatabase.Database | undefined;
  try {
    lock = new SqliteDatabase(file, { timeout: 0 });
    // A read lock is shared, and held until the transaction ends.
    lock.exec(mode === 'whole' ? 'begin exclusive' : 'begin; select * from sqlite_schema');
  } catch (error) {
    lock?.close();
    const { code = '' } = error as { code?: string };
    if (code.startsWith('SQLITE_BUSY')) return undefined;
    throw /^SQLITE_(NOTADB|CORRUPT)/.test(code) ? noLock(file, setting) : asRefusal(error, file, setting);
  }
  const held = lock;
  // Its former holder may have deleted it or the directory, and a lock on a deleted file doesn't exclude other
  // processes.
  if (ino === undefined || inodeOf(file) !== ino) {
    held.close();
    return undefined;
  }
  let timer: NodeJS.Timeout | undefined;
  let hurryDatabase = () => {};
  return {
    ...soleOwner,
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
