import { AsyncLocalStorage } from 'node:async_hooks';
import { noteText, type StatementTexts } from './statement-texts.ts';

/** What a request has asked of the database so far. */
export type DatabaseUsage = {
  statements: number;
  milliseconds: number;
  /** Filled where it is there: for whoever wants to see which statements those were. */
  texts?: StatementTexts;
};

/** Everybody who counts what is asked now, each once: the log and the inspector may follow the same request. */
const counting = new AsyncLocalStorage<readonly DatabaseUsage[]>();

/** Runs a function, and whatever it starts, with its statements counted into `usage`, too. */
export function countingInto(usage: DatabaseUsage, work: () => void): void {
  const others = counting.getStore();
  if (others?.includes(usage)) work();
  else counting.run(others ? [...others, usage] : [usage], work);
}

/** Told of each statement by the database layer. */
export function countStatement(sql: string, milliseconds: number): void {
  for (const usage of counting.getStore() ?? []) {
    usage.statements++;
    usage.milliseconds += milliseconds;
    if (usage.texts) noteText(usage.texts, sql, milliseconds);
  }
}
