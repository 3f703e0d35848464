/** Since when something is in force, as the team's log has it: a server tells neither when nor by whom. */
import { i18n } from '@lingui/core';
import { shortId } from '../components/short-id.ts';
import type { ActionEntry, TeamEntry } from '../team/entries.ts';
import { clipped } from '../words/beginning.ts';
import { shortDay, weekday, wordOfDay } from '../words/format.ts';

/** The action that puts it in force, and the one that lifts it. */
type Pair = readonly [begins: string, ends: string];

/** Whether an entry has it put in force or lifted; undefined where it says nothing of it. */
export function putInForce(entry: TeamEntry, [begins, ends]: Pair): boolean | undefined {
  if (entry.type !== 'action' || entry.subject.kind !== 'user' || entry.outcome === 'failed')
    return undefined;
  const { action, outcome } = entry;
  if (action !== begins && action !== ends) return undefined;
  return (action === begins) === (outcome === 'done');
}

/** What put it in force, unless the last that is known of it is that it was lifted. @param entries newest first */
export function inForceBy(entries: readonly TeamEntry[], pair: Pair): ActionEntry | undefined {
  const last = entries.find((entry) => putInForce(entry, pair) !== undefined);
  return last?.type === 'action' && putInForce(last, pair) ? last : undefined;
}

/** `Suspended since Tuesday, by @ada`. */
export const sinceThen = (state: string, { at, by }: ActionEntry, ownServer: string): string =>
  i18n.t('{state} since {day}, by {who}', {
    state,
    day: dayInWords(at, Date.now()),
    who: clipped(shortId(by, ownServer)),
  });

/** `today`, `yesterday`, `Tuesday`, and the date of what is longer ago; both in milliseconds. */
function dayInWords(timestamp: number, now: number): string {
  const midnight = (of: number) => new Date(of).setHours(0, 0, 0, 0);
  // A day can have 23 hours, or 25.
  const days = Math.round((midnight(now) - midnight(timestamp)) / 86_400_000);
  if (days === 0 || days === 1) return wordOfDay(-days);
  return days > 1 && days < 7 ? weekday(new Date(timestamp)) : shortDay(new Date(timestamp));
}
