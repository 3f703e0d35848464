/** Which statements a request made and how long they took: each by its text, of which no value is a part. */
import { LRUCache } from 'lru-cache';

/** So many different ones are told of, those that took longest. */
const mostTold = 50;
/** So much of each, in characters. */
const longestText = 1_000;

/** @property sql its text with placeholders, cut with `…` where it is long */
export type ToldStatement = { sql: string; times: number; milliseconds: number };

/** By their texts; some more than are told of, as one may take longer with its next time. */
export type StatementTexts = Map<string, ToldStatement>;

/** Most requests make the same statements: whoever keeps a thousand of them keeps each text once. */
const shared = new LRUCache<string, string>({ max: 1_000 });

export function noteText(texts: StatementTexts, sql: string, milliseconds: number): void {
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
