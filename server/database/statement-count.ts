import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogEvent } from 'kysely';

/** What a request has asked of the database so far. */
export type DatabaseUsage = { statements: number; milliseconds: number };

/** Everybody who counts what is asked now, each once: the log and the inspector may follow the same request. */
const counting = new AsyncLocalStorage<readonly DatabaseUsage[]>();

/** Runs a function, and whatever it starts, with its statements counted into `usage`, too. */
export function countingInto(usage: DatabaseUsage, work: () => void): void {
  const others = counting.getStore();
  if (others?.includes(usage)) work();
  else counting.run(others ? [...others, usage] : [usage], work);
}

/** Told of each statement by the database layer. */
export function countStatement({ queryDurationMillis }: Pick<LogEvent, 'queryDurationMillis'>): void {
  for (const usage of counting.getStore() ?? []) {
    usage.statements++;
    usage.milliseconds += queryDurationMillis;
  }
}
