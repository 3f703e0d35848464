/** Counts the statements of a request, with their texts, which contain no values. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';

/** Number of distinct statements to report. */
const maximumReported = 50;
/** Longer texts are cut, in characters. */
const maximumText = 1_000;

/** @property sql with placeholders; cut with `…` if long */
type StatementUsage = { sql: string; times: number; milliseconds: number };

/** By text. Up to twice as many as are reported, as any may still become one of the slowest. */
type StatementTexts = Map<string, StatementUsage>;

/** Lets recorded requests share the texts of their statements. */
const shared = new LRUCache<string, string>({ max: 1_000 });

function noteText(texts: StatementTexts, sql: string, milliseconds: number): void {
  const text = sharedText(sql);
  const known = texts.get(text);
  if (known) {
    known.times++;
    known.milliseconds += milliseconds;
    return;
  }
  texts.set(text, { sql: text, times: 1, milliseconds });
  if (texts.size <= 2 * maximumReported) return;
  const kept = slowestOf(texts);
  texts.clear();
  for (const each of kept) texts.set(each.sql, each);
}

/** Returns the statements to report, slowest first. */
export const slowestOf = (texts: StatementTexts): StatementUsage[] =>
  [...texts.values()].sort((one, other) => other.milliseconds - one.milliseconds).slice(0, maximumReported);

function sharedText(sql: string): string {
  const text = sql.length > maximumText ? `${sql.slice(0, maximumText)}…` : sql;
  const known = shared.get(text);
  if (known !== undefined) return known;
  // A copy, because V8's slices and ropes keep the strings that they were built from.
  const own = Buffer.from(text).toString();
  shared.set(own, own);
  return own;
}

export type DatabaseUsage = {
  statements: number;
  milliseconds: number;
  /** Filled if present. */
  texts?: StatementTexts;
};

/** The log and the inspector may count the same request. */
const counting = new AsyncLocalStorage<readonly DatabaseUsage[]>();

/** Runs a function and counts the statements that it and its async work run. */
export function countingInto(usage: DatabaseUsage, work: () => void): void {
  const others = counting.getStore();
  if (others?.includes(usage)) work();
  else counting.run(others ? [...others, usage] : [usage], work);
}

/** The database layer calls this after each statement. */
export function countStatement(sql: string, milliseconds: number): void {
  for (const usage of counting.getStore() ?? []) {
    usage.statements++;
    usage.milliseconds += milliseconds;
    if (usage.texts) noteText(usage.texts, sql, milliseconds);
  }
}
