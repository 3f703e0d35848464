import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogEvent } from 'kysely';

/** What a request has asked of the database so far. */
export type DatabaseUsage = {
  statements: number;
  milliseconds: number;
  /** What else counts the same statements. */
  outer?: DatabaseUsage;
};

const current = new AsyncLocalStorage<DatabaseUsage>();

/** Runs a function, and whatever it starts, with its statements counted into `usage`. */
export function countingInto(usage: DatabaseUsage, work: () => void): void {
  const outer = current.getStore();
  if (outer && outer !== usage) usage.outer ??= outer;
  current.run(usage, work);
}

/** Told of each statement by the database layer. */
export function countStatement({ queryDurationMillis }: Pick<LogEvent, 'queryDurationMillis'>): void {
  for (let usage = current.getStore(); usage; usage = usage.outer) {
    usage.statements++;
    usage.milliseconds += queryDurationMillis;
  }
}
