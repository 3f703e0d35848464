/**
 * How Kysely works with SQLite here. better-sqlite3 does everything on the spot, so three things are for the
 * driver to see to: reading goes on while someone writes, waiting for another process doesn't stop this one,
 * and whoever runs statement after statement lets others have their turn.
 */
import type SqliteDatabase from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SelectQueryNode,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { breathe } from '../core/event-loop-turns.ts';
import type { Log } from '../core/log.ts';
import { DatabaseFault } from './fault.ts';
import { createSharedCommit, type Turn } from './shared-commit.ts';
import type { ShortWay } from './short-way.ts';
import { asFault } from './sqlite-fault.ts';
import { createWaiting } from './sqlite-waiting.ts';
import { countStatement } from './statement-count.ts';
import { followTables, type Topic } from './table-changes.ts';

/** How many statements are kept prepared on a connection: each has some 15 kB, and costs 11 µs to prepare again. */
const maximumStatements = 300;

export type SqliteConnections = {
  writer: SqliteDatabase.Database;
  /** Sees what was committed last, whatever the writer is at; undefined where there is no file to share. */
  reader: SqliteDatabase.Database | undefined;
};

/**
 * @param connections both without a time limit of their own for a database that is busy
 * @param requireUsable throws where nothing may begin for now
 */
export function createSqliteDriver(
  { writer, reader }: SqliteConnections,
  requireUsable: () => void,
): {
  driver: Driver;
  run: ShortWay;
  /** Runs work with a connection that has its turn to write, and keeps what it changes, or nothing where it fails. */
  transact<Result>(work: (connection: DatabaseConnection) => Promise<Result>): Promise<Result>;
  version(topic: Topic): number;
  /** Waits no longer for a process that goes on writing than it takes most of them. */
  hurry(): void;
  /** Says from now on that another process holds the file. */
  sayTo(log: Log): void;
} {
  const tables = followTables(writer);
  const write = statementsOf(writer);
  const read = reader && statementsOf(reader);
  const { reading, writing, hurry, sayTo, end } = createWaiting({
    file: writer.name,
    mayWait: () => !writer.inTransaction,
    tryReading: () => void read?.('select 1 from sqlite_schema limit 1').all(),
    tryWriting() {
      run(write('begin immediate'), []);
      run(write('rollback'), []);
    },
  });
  const commits = createSharedCommit({
    // A transaction that reads before it writes must hold the write lock from its beginning, because
    // another process (`users add` beside `serve`) may write in between.
    begin: () =>
      writing(() => void run(write('begin immediate'), [])).catch((error) => {
        throw asFault(error, writer.name);
      }),
    commit() {
      try {
        requireUsable();
        run(write('commit'), []);
        tables.noteCommit();
      } catch (error) {
        if (writer.inTransaction) run(write('rollback'), []);
        throw asFault(error, writer.name);
      }
    },
    rollback: () => void run(write('rollback'), []),
    isOpen: () => writer.inTransaction,
    savepoint: () => void run(write('savepoint own'), []),
    release: () => void run(write('release own'), []),
    rollbackToSavepoint() {
      run(write('rollback to own'), []);
      run(write('release own'), []);
    },
  });

  /** Waits for its turn to write with the first statement that needs that. */
  class Connection implements DatabaseConnection {
    #turn: Turn | undefined;
    #isOver = false;

    async executeQuery<Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
      const start = performance.now();
      try {
        await breathe();
        if (this.#isOver) throw new Error('statement after the end of its transaction');
        if (this.#turn) return runOwn<Row>(sql, parameters);
        if (!read || !(SelectQueryNode.is(query) || isWrittenRead(sql, read))) {
          return await this.#runAlone<Row>(sql, parameters);
        }
        requireUsable();
        return await reading(() => run<Row>(read(sql), parameters));
      } catch (error) {
        throw asFault(error, writer.name);
      } finally {
        countStatement(sql, performance.now() - start);
      }
    }

    async #runAlone<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
      await this.begin();
      try {
        await breathe();
        const result = runOwn<Row>(sql, parameters);
        await this.commit();
        return result;
      } catch (error) {
        await this.rollback();
        throw error;
      }
    }

    // biome-ignore lint/correctness/useYield: nothing here reads a result row by row
    async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
      throw new Error("SQLite doesn't stream results");
    }

    async begin(): Promise<void> {
      requireUsable();
      this.#turn = await commits.enter();
    }

    async commit(): Promise<void> {
      requireUsable();
      const turn = this.#turn;
      this.#turn = undefined;
      await turn?.keep();
    }

    /** Of what was to be committed nothing is left to be undone. */
    async rollback(): Promise<void> {
      const turn = this.#turn;
      this.#turn = undefined;
      await turn?.undo();
    }

    /** Whoever still holds the transaction changes nothing outside of it. */
    end(): void {
      this.#isOver = true;
    }
  }

  /** Runs a statement of whoever has the turn to write. */
  function runOwn<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    requireUsable();
    // By itself it would be kept even where the rest is not.
    if (!writer.inTransaction) throw new DatabaseFault('contended', 'a statement ended the transaction');
    try {
      const result = run<Row>(write(sql), parameters);
      tables.noteStatement(sql, result);
      return result;
    } catch (error) {
      throw asFault(error, writer.name);
    }
  }

  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => new Connection(),
    beginTransaction: (connection) => (connection as Connection).begin(),
    commitTransaction: (connection) => (connection as Connection).commit(),
    rollbackTransaction: (connection) => (connection as Connection).rollback(),
    releaseConnection: async () => {},
    async destroy() {
      end();
      commits.flush();
      reader?.close();
      writer.close();
    },
  };
  return {
    driver,
    /** Runs a query that is in no transaction. */
    run: (query) => new Connection().executeQuery(query),
    async transact(work) {
      const connection = new Connection();
      await connection.begin();
      try {
        const result = await work(connection);
        await connection.commit();
        return result;
      } catch (error) {
        await connection.rollback();
        throw error;
      } finally {
        connection.end();
      }
    },
    version(topic) {
      requireUsable();
      return tables.version(topic);
    },
    hurry,
    sayTo,
  };
}

/** Whether SQL that was written out reads, and nothing else. */
const isWrittenRead = (sql: string, prepare: (sql: string) => SqliteDatabase.Statement) =>
  /^\s*(select|with)\b/i.test(sql) && prepare(sql).readonly;

/** Preparing a statement costs more than running most of them; Kysely prepares each one anew. */
function statementsOf(connection: SqliteDatabase.Database): (sql: string) => SqliteDatabase.Statement {
  const known = new LRUCache<string, SqliteDatabase.Statement>({ max: maximumStatements });
  return (sql) => {
    let statement = known.get(sql);
    if (!statement) {
      statement = connection.prepare(sql);
      known.set(sql, statement);
    }
    return statement;
  };
}

function run<Row>(statement: SqliteDatabase.Statement, parameters: readonly unknown[]): QueryResult<Row> {
  if (statement.reader) return { rows: statement.all(parameters) as Row[] };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
}
