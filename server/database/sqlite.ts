import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { type DatabaseConnection, Kysely, SqliteAdapter, SqliteDialect, type SqliteStatement } from 'kysely';
import { ConfigurationError } from '../config/configuration-error.ts';
import { setControl } from './control.ts';
import { DatabaseFault } from './fault.ts';
import { makePrivateDirectory, makePrivateFile } from './files.ts';
import { createGate } from './gate.ts';
import { requireVersion } from './minimum-version.ts';
import type { Schema } from './schema.ts';
import { countStatement } from './usage.ts';

/** How long a statement waits for another process that is writing, in milliseconds. */
const busyTimeout = 10_000;
/** How much of that is waited in one piece, in which this process does nothing else. */
const busyPiece = 20;

/** Interface: "Limits", minimum runtime versions. */
const minimumVersion = '3.40.0';

/**
 * Opens a SQLite file, made where it is missing, or `:memory:`.
 *
 * @throws ConfigurationError where SQLite is too old, or the file can't be used
 */
export function openSqlite(file: string): Kysely<Schema> {
  if (file !== ':memory:') {
    makePrivateDirectory(dirname(file), fileSetting);
    makePrivateFile(file, fileSetting);
  }
  const connection = openConnection(file);
  let suspended = false;

  // Preparing a statement costs more than running most of them; Kysely prepares each one anew.
  const statements = new Map<string, SqliteDatabase.Statement>();
  const prepare = (sql: string): SqliteStatement => {
    if (suspended) throw new DatabaseFault('unavailable', 'this server has lost it to another');
    // Some faults end the transaction by themselves. To end it again would hide what the fault was.
    if (sql === 'rollback' && !connection.inTransaction) return nothing;
    // A transaction that reads before it writes must hold the write lock from its beginning, because
    // another process (`users add` beside `serve`) may write in between.
    const text = sql === 'begin' ? 'begin immediate' : sql;
    const known = statements.get(text);
    if (known) return known;
    const statement = connection.prepare(text);
    if (statements.size >= maximumStatements) statements.clear();
    statements.set(text, statement);
    return statement;
  };
  const db = new Kysely<Schema>({
    dialect: new TransactionalSqliteDialect({
      database: { prepare, close: () => connection.close() },
      onCreateConnection: async (kyselyConnection) => explainFaults(kyselyConnection, connection),
    }),
    log: countStatement,
  });
  setControl(db, {
    // There is one connection, and Kysely has a line for it.
    transactions: createGate(Number.POSITIVE_INFINITY, busyTimeout),
    suspend() {
      suspended = true;
      if (connection.inTransaction) connection.exec('rollback');
    },
    resume() {
      suspended = false;
    },
  });
  return db;
}

const maximumStatements = 1000;
const fileSetting = 'database.args.database';

/** SQLite changes tables in transactions as it does rows; Kysely's migrations ask for it. */
class TransactionalSqliteDialect extends SqliteDialect {
  override createAdapter() {
    return new TransactionalSqliteAdapter();
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

/** Stands for a statement that has nothing to do. */
const nothing: SqliteStatement = {
  reader: false,
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  all: () => [],
  iterate: () => [].values(),
};

/** @throws ConfigurationError */
function openConnection(file: string): SqliteDatabase.Database {
  let connection: SqliteDatabase.Database | undefined;
  try {
    connection = new SqliteDatabase(file, { timeout: busyTimeout });
    const version = connection.prepare('select sqlite_version()').pluck().get();
    requireVersion('SQLite', minimumVersion, String(version));
    switchToWriteAheadLog(connection);
    connection.pragma('foreign_keys = ON');
    // A commit is on the disk before its reply is sent: nothing acknowledged is lost to a power cut either.
    connection.pragma('synchronous = FULL');
    connection.pragma(`busy_timeout = ${busyPiece}`);
    return connection;
  } catch (error) {
    connection?.close();
    throw asRefusal(error, file);
  }
}

/**
 * Two processes that open a new file at once both want to change how it is written, and SQLite doesn't let
 * either of them wait for the other.
 */
function switchToWriteAheadLog(connection: SqliteDatabase.Database): void {
  const end = Date.now() + busyTimeout;
  for (;;) {
    try {
      connection.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyPiece);
    }
  }
}

/** What stops a start on a file: an error that names it and the way out, where there is one. */
export function asRefusal(error: unknown, file: string, setting = fileSetting): unknown {
  if (!(error instanceof SqliteDatabase.SqliteError)) return error;
  const refusal = (what: string, wayOut: string) =>
    new ConfigurationError(setting, `${file} ${what}`, wayOut);
  const [code = ''] = /^SQLITE_[A-Z]+/.exec(error.code) ?? [];
  switch (code) {
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT':
      return refusal(
        'is not a SQLite database, or is damaged',
        'restore it from a backup, or name another file',
      );
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
    case 'SQLITE_PERM':
      return refusal("can't be read and written", 'choose a place that this user may write to, or let it');
    case 'SQLITE_FULL':
      return refusal("can't be written: its disk is full", 'make room on it');
    case 'SQLITE_BUSY':
      return refusal('is in use by another program', 'stop that one, or name another file');
    default:
      return error;
  }
}

/**
 * Lets a connection wait for other processes without holding up this one, and makes faults of the engine's errors.
 */
function explainFaults(connection: DatabaseConnection, database: SqliteDatabase.Database): void {
  const executeQuery = connection.executeQuery.bind(connection);
  connection.executeQuery = async (query, options) => {
    const end = performance.now() + busyTimeout;
    for (;;) {
      try {
        return await executeQuery(query, options);
      } catch (error) {
        // Whoever has begun holds the lock, so only what stands alone or begins ever waits.
        if (!isBusy(error) || database.inTransaction || performance.now() > end) throw asFault(error);
      }
      await wait(busyPiece * Math.random());
    }
  };
}

const isBusy = (error: unknown) =>
  error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY');

function asFault(error: unknown): unknown {
  if (!(error instanceof SqliteDatabase.SqliteError)) return error;
  if (isBusy(error)) return new DatabaseFault('contended', error);
  if (full.has(error.code)) return new DatabaseFault('full', error);
  return error;
}

/** The file can't grow, or the index of its log can't. */
const full = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']);
