/** Appeals of users against actions. They are stored in action entries, which have an author, a time and an undo. */
import type { Appeal, LogEntry, TeamEntry } from './entries.ts';
import { isLater } from './fold.ts';

/** Records an appeal; `detail` is its text. */
export const appealAction = 'appeal';
export const upholdAppeal = 'uphold-appeal';
export const denyAppeal = 'deny-appeal';

/** The action that an appeal is against. `at` is in milliseconds since the Unix epoch. */
type Appealed = NonNullable<Appeal['of']>;

export type AppealCase = {
  id: string;
  userId: string;
  /** Time of receipt. */
  text: string;
  of: Appealed;
  /** The moderator who recorded it. */
  by: string;
  at: number;
  decision?: { isUpheld: boolean; by: string; at: number; reason: string };
};

type Ordered = Pick<LogEntry, 'at' | 'id' | 'by' | 'body'>;

/** Returns the appeals, newest first. A decision by the moderator who acted doesn't count. */
export function appealsIn(log: readonly Ordered[]): AppealCase[] {
  const appeals = new Map<string, AppealCase>();
  const oldestFirst = log
    .filter(({ body }) => body.type === 'action' && body.appeal !== undefined)
    .toSorted((one, other) => (isLater(one, other) ? 1 : -1));
  for (const { by, at, body } of oldestFirst) {
    if (body.type !== 'action' || !body.appeal || body.outcome === 'failed') continue;
    const { action, outcome, subject, detail = '', reason = '' } = body;
    const { id, of } = body.appeal;
    const known = appeals.get(id);
    if (action === appealAction && outcome === 'undone') appeals.delete(id);
    else if (action === appealAction && !known && of && subject.kind === 'user')
      appeals.set(id, { id, userId: subject.userId, text: detail, of, by, at });
    if (!known || by === known.of.by || (action !== upholdAppeal && action !== denyAppeal)) continue;
    const { decision: _, ...open } = known;
    const decision = { isUpheld: action === upholdAppeal, by, at, reason };
    appeals.set(id, outcome === 'undone' ? open : { ...open, decision });
  }
  return [...appeals.values()].sort((one, other) => other.at - one.at);
}

/** Times of the user's own entries change slightly when they are sent. */
const sameMs = 60_000;

/** Returns the entry of the action that an appeal is against. @param timeline the user's */
export function appealedEntry(timeline: readonly TeamEntry[], { action, by, at }: Appealed) {
  const alike = timeline.filter(
    (entry) =>
      entry.type === 'action' &&
      entry.action === action &&
      entry.by === by &&
      entry.outcome === 'done' &&
      Math.abs(entry.at - at) < sameMs,
  );
  const [entry] = alike.sort((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at));
  return entry?.type === 'action' ? entry : undefined;
}

const appealable = new Set([
  'warn-user',
  'suspend-user',
  'lock-user',
  'shadow-ban-user',
  'deactivate-user',
  'mute-member',
  'kick-member',
  'ban-member',
  'quarantine-user-media',
  'redact-user',
]);

/** Whether an entry is an action on a user that they can appeal against. */
export const canAppeal = (entry: TeamEntry): boolean =>
  entry.type === 'action' &&
  entry.subject.kind === 'user' &&
  entry.outcome === 'done' &&
  appealable.has(entry.action);
