/**
 * Kysely driver for better-sqlite3, which is synchronous: one connection writes, one transaction at a time in FIFO
 * order, another one reads. Waiting for other processes never blocks the event loop.
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
import { yieldToEventLoop } from '../../concurrency/yield.ts';
import type { Log } from '../../core/log.ts';
import { DatabaseFault } from '../fault.ts';
import type { DirectExecutor } from '../query/built-once.ts';
import { countStatement } from '../query/statements.ts';
import { createSemaphore } from '../semaphore.ts';
import { createBusyRetry } from './sqlite-busy.ts';
import { asFault } from './sqlite-fault.ts';

/** Prepared statements cached per connection: each takes some 15 kB, and preparing one takes 11 µs. */
const maximumStatements = 300;
/** How long a write waits for other writes of this process, in milliseconds. */
const queueTimeout = 60_000;

/** How long the statements of a transaction may block the event loop before it yields, in milliseconds. */
const maximumBusy = 10;

type SqliteConnections = {
  writer: SqliteDatabase.Database;
  /** Sees the last commit; undefined for an in-memory database, which connections can't share. */
  reader: SqliteDatabase.Database | undefined;
};

/**
 * @param connections without a busy timeout
 * @param requireUsable throws while the database is suspended
 */
export function createSqliteDriver(
  { writer, reader }: SqliteConnections,
  requireUsable: () => void,
): {
  driver: Driver;
  run: DirectExecutor;
  /** Runs work in a transaction: commits it, or rolls back if the work throws. */
  transact<Result>(work: (connection: DatabaseConnection) => Promise<Result>): Promise<Result>;
  /** Shortens the wait for other processes: the server is shutting down. */
  hurry(): void;
  /** Logs from now on when another process locks the file, and when it is unlocked again. */
  logLocks(log: Log): void;
} {
  const write = statementsOf(writer);
  const read = reader && statementsOf(reader);
  const queue = createSemaphore(1, queueTimeout);
  const { reading, writing, hurry, logLocks, end } = createBusyRetry({
    file: writer.name,
    mayWait: () => !writer.inTransaction,
    tryReading: () => void read?.('select 1 from sqlite_schema limit 1').all(),
    tryWriting() {
      run(write('begin immediate'), []);
      run(write('rollback'), []);
    },
  });

  class Connection implements DatabaseConnection {
    /** Starts the next write; defined during a transaction. */
    #leave: (() => void) | undefined;
    #isOver = false;
    /** Time spent in statements since the last yield, in milliseconds. */
    #busy = 0;

    async executeQuery<Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
      let start = performance.now();
      try {
        // Statements complete at once, so a loop of them has to yield. A transaction yields only for its own work: the
        // longer it takes, the longer other writes wait.
        if (!this.#leave || this.#busy > maximumBusy) {
          await yieldToEventLoop();
          this.#busy = 0;
          start = performance.now();
        }
        if (this.#isOver) throw new Error('statement after the end of its transaction');
        if (this.#leave) return runInTransaction<Row>(sql, parameters);
        if (read && (SelectQueryNode.is(query) || isRawSelect(sql, read))) {
          requireUsable();
          return await reading(() => run<Row>(read(sql), parameters));
        }
        return await runAlone<Row>(sql, parameters);
      } catch (error) {
        throw asFault(error, writer.name);
      } finally {
        const duration = performance.now() - start;
        this.#busy += duration;
        countStatement(sql, duration);
      }
    }

    // biome-ignore lint/correctness/useYield: results are never streamed
    async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
      throw new Error("SQLite doesn't stream results");
    }

    async begin(): Promise<void> {
      requireUsable();
      // A loop of short transactions also has to yield.
      await yieldToEventLoop();
      const leave = await queue.acquire();
      try {
        requireUsable();
        // Takes the write lock at once: another process (`users add` beside `serve`) must not write between a read
        // and the write that depends on it.
        await writing(() => run(write('begin immediate'), []));
        this.#leave = leave;
      } catch (error) {
        leave();
        throw asFault(error, writer.name);
      }
    }

    /** @throws DatabaseFault if nothing was kept */
    async commit(): Promise<void> {
      if (!this.#leave) return;
      requireUsable();
      try {
        runInTransaction('commit', []);
      } catch (error) {
        await this.rollback();
        throw error;
      }
      this.#endTurn();
    }

    async rollback(): Promise<void> {
      if (!this.#leave) return;
      if (writer.inTransaction) run(write('rollback'), []);
      this.#endTurn();
    }

    #endTurn(): void {
      this.#leave?.();
      this.#leave = undefined;
    }

    /** Refuses statements of callers that still hold the transaction; they would run outside of it. */
    end(): void {
      this.#isOver = true;
    }
  }

  async function runAlone<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    requireUsable();
    const leave = await queue.acquire();
    try {
      requireUsable();
      return await writing(() => run<Row>(write(sql), parameters));
    } finally {
      leave();
    }
  }

  function runInTransaction<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    requireUsable();
    // Some errors, such as a full disk, end the transaction. A later statement would be committed on its own.
    if (!writer.inTransaction) throw new DatabaseFault('contended', 'a statement ended the transaction');
    try {
      return run<Row>(write(sql), parameters);
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
      reader?.close();
      writer.close();
    },
  };
  return {
    driver,
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
    hurry,
    logLocks,
  };
}

const isRawSelect = (sql: string, prepare: (sql: string) => SqliteDatabase.Statement) =>
  /^\s*(select|with)\b/i.test(sql) && prepare(sql).readonly;

/** Caches prepared statements: preparing one takes longer than running most of them. */
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
