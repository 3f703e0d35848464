import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogEvent } from 'kysely';

/** What a request has asked of the database so far. */
export type DatabaseUsage = { statements: number; milliseconds: number };

const current = new AsyncLocalStorage<DatabaseUsage>();

/** Runs a function, and whatever it starts, with its statements counted into `usage`. */
export const countingInto = (usage: DatabaseUsage, work: () => void) => current.run(usage, work);

/** Told of each statement by the database layer. */
export function countStatement({ queryDurationMillis }: Pick<LogEvent, 'queryDurationMillis'>): void {
  const usage = current.getStore();
  if (!usage) return;
  usage.statements++;
  usage.milliseconds += queryDurationMillis;
}
