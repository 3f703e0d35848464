/** Which statements a request made and how long they took: each by its text, of which no value is a part. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';

/** So many different ones are told of, those that took longest. */
const mostTold = 50;
/** So much of each, in characters. */
const longestText = 1_000;

/** @property sql its text with placeholders, cut with `…` where it is long */
type ToldStatement = { sql: string; times: number; milliseconds: number };

/** By their texts; some more than are told of, as one may take longer with its next time. */
type StatementTexts = Map<string, ToldStatement>;

/** Most requests make the same statements: whoever keeps a thousand of them keeps each text once. */
const shared = new LRUCache<string, string>({ max: 1_000 });

function noteText(texts: StatementTexts, sql: string, milliseconds: number): void {
  const text = sharedText(sql);
  const told = texts.get(text);
  if (told) {
    told.times++;
    told.milliseconds += milliseconds;
    return;
  }
  texts.set(text, { sql: text, times: 1, milliseconds });
  if (texts.size <= 2 * mostTold) return;
  const longest = longestOf(texts);
  texts.clear();
  for (const each of longest) texts.set(each.sql, each);
}

/** What is told of: who took longest comes first. */
export const longestOf = (texts: StatementTexts): ToldStatement[] =>
  [...texts.values()].sort((one, other) => other.milliseconds - one.milliseconds).slice(0, mostTold);

function sharedText(sql: string): string {
  const text = sql.length > longestText ? `${sql.slice(0, longestText)}…` : sql;
  const known = shared.get(text);
  if (known !== undefined) return known;
  // A text of its own: the other one would hold on to what it was built and cut from.
  const own = Buffer.from(text).toString();
  shared.set(own, own);
  return own;
}

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
