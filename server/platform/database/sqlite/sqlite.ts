import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import {
  type Dialect,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  Transaction,
} from 'kysely';
import { ConfigurationError } from '../../config/configuration-error.ts';
import type { Synchronous } from '../../config/database.ts';
import { setControl } from '../control.ts';
import { requireVersion } from '../engine.ts';
import { DatabaseFault } from '../fault.ts';
import { migrationList, requireOwnTables } from '../migrate.ts';
import { setDirectExecutor } from '../query/built-once.ts';
import type { Schema } from '../schema.ts';
import { createSemaphore } from '../semaphore.ts';
import { createPrivateDirectory, createPrivateFile, requireOneName } from './database-files.ts';
import { createSqliteDriver } from './sqlite-driver.ts';
import { isBusy } from './sqlite-fault.ts';

/** How long opening waits for another process that is writing, in milliseconds. */
const openTimeout = 10_000;
/** Pause between two attempts, in milliseconds. */
const openPause = 20;

/**
 * Page caches in KiB. Small, because reading a page from the system's cache takes a microsecond, and every commit
 * clears the reader's.
 */
const cacheSizes = { writer: 8_000, reader: 4_000 };

/**
 * Number of pages, of 4 KiB each, after which the write-ahead log is copied into the file. A checkpoint waits for the
 * disk, which with SQLite's default of 1,000 takes longer than all the commits before it.
 */
const checkpointAfter = 4_000;

const minimumVersion = '3.40.0';

/**
 * Opens a SQLite file, creating it if it doesn't exist, or `:memory:`.
 *
 * @throws ConfigurationError if SQLite is too old or the file can't be used
 */
export async function openSqlite(file: string, synchronous: Synchronous = 'normal'): Promise<Kysely<Schema>> {
  if (file !== ':memory:') {
    createPrivateDirectory(dirname(file), fileSetting);
    createPrivateFile(file, fileSetting);
    requireOneName(file);
  }
  const writer = await openConnection(file, synchronous);
  const reader = file === ':memory:' ? undefined : openReader(file);
  let suspended = false;
  const requireUsable = () => {
    if (suspended) throw new DatabaseFault('unavailable', 'another server has taken over the database');
  };
  const { driver, run, transact, hurry, logLocks } = createSqliteDriver({ writer, reader }, requireUsable);
  const dialect: Dialect = {
    createAdapter: () => new ConcurrentSqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new StableQueryCompiler(),
  };
  const db = new Kysely<Schema>({ dialect });
  setDirectExecutor(db, run);
  setControl(db, {
    // Unlimited: the driver queues writes.
    transactions: createSemaphore(Number.POSITIVE_INFINITY, openTimeout),
    transact: (work) =>
      transact((connection) => {
        const executor = db.getExecutor().withConnectionProvider({
          provideConnection: (consumer) => consumer(connection),
        });
        const transaction = new Transaction<Schema>({ config: { dialect }, dialect, driver, executor });
        setDirectExecutor(transaction, (query) => connection.executeQuery(query));
        return work(transaction);
      }),
    suspend() {
      suspended = true;
      if (writer.inTransaction) writer.exec('rollback');
    },
    resume() {
      suspended = false;
    },
    hurry,
    logLocks,
  });
  return db;
}

const fileSetting = 'database.args.database';

class ConcurrentSqliteAdapter extends SqliteAdapter {
  /** Kysely assumes otherwise; its migrations run in a transaction only if this is true. */
  override get supportsTransactionalDdl() {
    return true;
  }

  /** Turns off Kysely's mutex around every statement: the driver queues writes. */
  override get supportsMultipleConnections() {
    return true;
  }
}

class StableQueryCompiler extends SqliteQueryCompiler {
  /**
   * `column = ?` in a query with `order by` makes SQLite prepare the statement again whenever a value is bound, which
   * often takes longer than the query. An expression such as `+?` means the same and avoids that.
   */
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

/** @throws ConfigurationError */
async function openConnection(file: string, synchronous: Synchronous): Promise<SqliteDatabase.Database> {
  let connection: SqliteDatabase.Database | undefined;
  try {
    // No busy timeout: SQLite's would block the event loop.
    const opened = new SqliteDatabase(file, { timeout: 0 });
    connection = opened;
    await retryWhileBusy(() => setUp(opened, file, synchronous));
    return opened;
  } catch (error) {
    connection?.close();
    throw asRefusal(error, file);
  }
}

/** @throws ConfigurationError */
function setUp(connection: SqliteDatabase.Database, file: string, synchronous: Synchronous): void {
  const version = connection.prepare('select sqlite_version()').pluck().get();
  requireVersion('SQLite', minimumVersion, String(version));
  requireOwn(connection, file);
  connection.pragma('journal_mode = WAL');
  connection.pragma('foreign_keys = ON');
  // With `normal` a commit survives a killed process; a power cut may lose the last ones, but never corrupts the file.
  connection.pragma(`synchronous = ${synchronous}`);
  connection.pragma(`cache_size = -${cacheSizes.writer}`);
  connection.pragma(`wal_autocheckpoint = ${checkpointAfter}`);
}

function openReader(file: string): SqliteDatabase.Database {
  try {
    const connection = new SqliteDatabase(file, { readonly: true, timeout: 0 });
    connection.pragma(`cache_size = -${cacheSizes.reader}`);
    return connection;
  } catch (error) {
    throw asRefusal(error, file);
  }
}

/** Call before writing. @throws ConfigurationError if the file has tables of another program */
function requireOwn(connection: SqliteDatabase.Database, file: string): void {
  const names = connection.prepare<[], string>(
    "select name from sqlite_schema where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\'",
  );
  const tables = names.pluck().all();
  const list = connection.prepare<[], { name?: unknown }>(
    tables.includes(migrationList) ? `select * from ${migrationList}` : 'select 1 where false',
  );
  requireOwnTables(tables, list.all(), [
    fileSetting,
    file,
    "choose another file; it's created if it doesn't exist",
  ]);
}

async function retryWhileBusy(work: () => void): Promise<void> {
  const end = performance.now() + openTimeout;
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    await wait(openPause);
  }
}

/** Returns an error that names the file and the fix, or the given error if there is none. */
export function asRefusal(error: unknown, file: string, setting = fileSetting): unknown {
  const cause = error instanceof DatabaseFault ? error.cause : error;
  // Only the code, because an error from another thread isn't a SqliteError.
  const [code] = /^SQLITE_[A-Z]+/.exec((cause as { code?: string } | undefined)?.code ?? '') ?? [];
  const refusal = (what: string, fix: string) => new ConfigurationError(setting, `${file} ${what}`, fix);
  switch (code) {
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT':
      return refusal(
        "isn't a SQLite database or is damaged",
        'restore it from a backup or choose another file',
      );
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
    case 'SQLITE_PERM':
      return refusal(
        "can't be read and written",
        'choose a path that this user can write to, or change its permissions',
      );
    case 'SQLITE_FULL':
      return refusal("can't be written because its disk is full", 'free up space');
    case 'SQLITE_BUSY':
      return refusal(
        'is in use by another program',
        'wait until it has finished or stop it, then try again; nothing was changed',
      );
    default:
      return error;
  }
}
