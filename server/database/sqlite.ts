import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { requireVersion } from './minimum-version.ts';
import type { Schema } from './schema.ts';
import { countStatement } from './usage.ts';

/** How long a statement waits for another process that is writing, in milliseconds. */
const busyTimeout = 10_000;

/** Interface: "Limits", minimum runtime versions. */
const minimumVersion = '3.40.0';

/**
 * Opens a SQLite file, made where it is missing, or `:memory:`.
 *
 * @throws ConfigurationError where SQLite is too old
 */
export function openSqlite(file: string): Kysely<Schema> {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const connection = new SqliteDatabase(file, { timeout: busyTimeout });
  const version = connection.prepare('select sqlite_version()').pluck().get();
  requireVersion('SQLite', minimumVersion, String(version));
  connection.pragma('journal_mode = WAL');
  connection.pragma('foreign_keys = ON');
  // A commit is on the disk before its reply is sent: nothing acknowledged is lost to a power cut either.
  connection.pragma('synchronous = FULL');

  // Preparing a statement costs more than running most of them; Kysely prepares each one anew.
  const statements = new Map<string, SqliteDatabase.Statement>();
  const prepare = (sql: string) => {
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
  return new Kysely<Schema>({
    dialect: new SqliteDialect({ database: { prepare, close: () => connection.close() } }),
    log: countStatement,
  });
}

const maximumStatements = 1000;
