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
import { ConfigurationError } from '../config/configuration-error.ts';
import { setControl } from './control.ts';
import { DatabaseFault } from './fault.ts';
import { createGate } from './gate.ts';
import { requireVersion } from './minimum-version.ts';
import { requireOneName } from './one-name.ts';
import { migrationList, requireOwnTables } from './own-tables.ts';
import { makePrivateDirectory, makePrivateFile } from './private-files.ts';
import type { Schema } from './schema.ts';
import { setShortWay } from './short-way.ts';
import { createSqliteDriver } from './sqlite-driver.ts';
import { isBusy } from './sqlite-fault.ts';

/** How long opening waits for another process that is writing, in milliseconds. */
const openTimeout = 10_000;
/** The pause between two looks at whether that is through, in milliseconds. */
const openPause = 20;

/**
 * How much of the file each connection keeps in memory, in KiB. The system keeps the rest of it, which takes a
 * microsecond a page; and the one that reads begins anew with each commit.
 */
const cacheSizes = { writer: 8_000, reader: 4_000 };

/** Interface: "Limits", minimum runtime versions. */
const minimumVersion = '3.40.0';

/**
 * Opens a SQLite file, made where it is missing, or `:memory:`.
 *
 * @throws ConfigurationError where SQLite is too old, or the file can't be used
 */
export async function openSqlite(file: string): Promise<Kysely<Schema>> {
  if (file !== ':memory:') {
    makePrivateDirectory(dirname(file), fileSetting);
    makePrivateFile(file, fileSetting);
    requireOneName(file);
  }
  const writer = await openConnection(file);
  const reader = file === ':memory:' ? undefined : openReader(file);
  let suspended = false;
  const requireUsable = () => {
    if (suspended) throw new DatabaseFault('unavailable', 'another server has taken over the database');
  };
  const { driver, run, transact, version, hurry, sayTo } = createSqliteDriver(
    { writer, reader },
    requireUsable,
  );
  const dialect: Dialect = {
    createAdapter: () => new ConcurrentSqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new LastingQueryCompiler(),
  };
  const db = new Kysely<Schema>({ dialect });
  setShortWay(db, run);
  setControl(db, {
    // There is one connection that writes, and the driver has a line for it.
    transactions: createGate(Number.POSITIVE_INFINITY, openTimeout),
    transact: (work) =>
      transact((connection) => {
        const executor = db.getExecutor().withConnectionProvider({
          provideConnection: (consumer) => consumer(connection),
        });
        const transaction = new Transaction<Schema>({ config: { dialect }, dialect, driver, executor });
        setShortWay(transaction, (query) => connection.executeQuery(query));
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
    sayHolds: sayTo,
    version,
  });
  return db;
}

const fileSetting = 'database.args.database';

class ConcurrentSqliteAdapter extends SqliteAdapter {
  /** SQLite changes tables in transactions as it does rows; Kysely's migrations ask for it. */
  override get supportsTransactionalDdl() {
    return true;
  }

  /** Kysely would have every statement wait for all others; the driver knows which have to. */
  override get supportsMultipleConnections() {
    return true;
  }
}

class LastingQueryCompiler extends SqliteQueryCompiler {
  /**
   * Where a column is compared with a bare `?` in a query that has an order, SQLite prepares the statement anew each
   * time a value is bound to it, in case that helped: often this takes longer than the query. An expression is left
   * alone, and means the same.
   */
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

/** @throws ConfigurationError */
async function openConnection(file: string): Promise<SqliteDatabase.Database> {
  let connection: SqliteDatabase.Database | undefined;
  try {
    // What waits for others lets this process do other things meanwhile, here and in the driver.
    const opened = new SqliteDatabase(file, { timeout: 0 });
    connection = opened;
    await patiently(() => setUp(opened, file));
    return opened;
  } catch (error) {
    connection?.close();
    throw asRefusal(error, file);
  }
}

/** @throws ConfigurationError */
function setUp(connection: SqliteDatabase.Database, file: string): void {
  const version = connection.prepare('select sqlite_version()').pluck().get();
  requireVersion('SQLite', minimumVersion, String(version));
  requireOwn(connection, file);
  connection.pragma('journal_mode = WAL');
  connection.pragma('foreign_keys = ON');
  // A commit is on the disk before its reply is sent: nothing acknowledged is lost to a power cut either.
  connection.pragma('synchronous = FULL');
  connection.pragma(`cache_size = -${cacheSizes.writer}`);
  // What undoes one of several transactions in a shared commit is as short-lived as they are.
  connection.pragma('temp_store = MEMORY');
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

/** Before anything is written. @throws ConfigurationError where there is something of another program in it */
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

/** Tries again where another process holds what is needed, be it one that opens the same new file. */
async function patiently(work: () => void): Promise<void> {
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

/** What stops a start or a command on a file: an error that names it and the way out, where there is one. */
export function asRefusal(error: unknown, file: string, setting = fileSetting): unknown {
  const cause = error instanceof DatabaseFault ? error.cause : error;
  // By its code alone: it may come from another thread.
  const [code] = /^SQLITE_[A-Z]+/.exec((cause as { code?: string } | undefined)?.code ?? '') ?? [];
  const refusal = (what: string, wayOut: string) =>
    new ConfigurationError(setting, `${file} ${what}`, wayOut);
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
