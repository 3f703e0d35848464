/**
 * Preloaded with `node --import`: kills the process before its Nth statement, like a power cut, on either engine. N
 * comes from the environment; without N, it counts statements. With KILL_WITH, it sends that signal instead.
 */
import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';

const last = Number(process.env.KILL_AT_STATEMENT ?? Number.POSITIVE_INFINITY);
const signal = process.env.KILL_WITH ?? 'SIGKILL';
let count = 0;

function beforeStatement(): void {
  if (++count === last) process.kill(process.pid, signal);
}

// biome-ignore lint/suspicious/noExplicitAny: wraps functions of any type
type AnyFunction = (this: any, ...args: any[]) => any;

function wrap(prototype: object, names: string[]): void {
  const methods = prototype as Record<string, AnyFunction>;
  for (const name of names) {
    const original = methods[name];
    if (!original) throw new Error(`there is no ${name} to wrap`);
    methods[name] = function (...args) {
      beforeStatement();
      return original.apply(this, args);
    };
  }
}

const statement = new SqliteDatabase(':memory:').prepare('select 1');
wrap(SqliteDatabase.prototype, ['exec', 'pragma']);
wrap(Object.getPrototypeOf(statement), ['run', 'all']);
wrap(pg.Client.prototype, ['query']);

process.on('exit', () => {
  if (process.env.COUNT_STATEMENTS) process.stderr.write(`statements: ${count}\n`);
});
