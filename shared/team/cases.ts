/** Cases: all reports on a person, else a room, else an event. A case's state follows from its reports' marks. */
import { type CaseSubject, caseFields, type LogEntry, type Severity } from './entries.ts';
import { newestFirst } from './fold.ts';

/**
 * The team's decisions about a case, besides the states of its reports. Times are in milliseconds since the Unix epoch.
 */
export type CaseDecisions = {
  /** User ID of a moderator. */
  assignee?: string;
  /** When the assignee assigned it to themselves: a claim, which expires. */
  claimedAt?: number;
  severity?: Severity;
  snoozedUntil?: number;
  /** When it was snoozed. A later report ends the snooze. */
  snoozedAt?: number;
  /** Reports between these times don't bring the decided case back. */
  quietUntil?: number;
  quietAt?: number;
  /** Until then, reports by this user have little weight. */
  reporterMutedUntil?: number;
  /** Until then, reports on this user or room are at least of high priority. */
  watchedUntil?: number;
};
/** By `caseKey`. */
export type Cases = ReadonlyMap<string, CaseDecisions>;

export function caseKey(subject: CaseSubject): string {
  switch (subject.kind) {
    case 'user':
      return `user ${subject.userId}`;
    case 'room':
      return `room ${subject.roomId}`;
    case 'event':
      return `event ${subject.roomId} ${subject.eventId}`;
  }
}

/** Returns the subject of an event report's case. */
export const caseSubjectOf = ({
  sender,
  room_id: roomId,
  event_id: eventId,
}: {
  sender: string | null;
  room_id: string;
  event_id: string;
}): CaseSubject =>
  sender !== null
    ? { kind: 'user', userId: sender }
    : roomId
      ? { kind: 'room', roomId }
      : { kind: 'event', roomId, eventId };

/**
 * Folds entries into decisions; the latest entry wins for each field.
 *
 * @param logged in any order
 * @param own the user's own entries that aren't in the log yet, in order of creation; they count as the latest
 */
export function foldCases(logged: Iterable<LogEntry>, own: readonly LogEntry[]): Cases {
  const cases = new Map<string, CaseDecisions>();
  for (const { by, at, body } of [...newestFirst(logged).reverse(), ...own]) {
    if (body.type !== 'case') continue;
    const key = caseKey(body.subject);
    const decisions = { ...cases.get(key) };
    for (const name of caseFieldNames) {
      const value = body[name];
      if (value === undefined) continue;
      if (value === null) delete decisions[name];
      else Object.assign(decisions, { [name]: value });
    }
    if (body.assignee !== undefined) setSince(decisions, 'claimedAt', body.assignee === by ? at : null);
    if (body.snoozedUntil !== undefined) setSince(decisions, 'snoozedAt', body.snoozedUntil && at);
    if (body.quietUntil !== undefined) setSince(decisions, 'quietAt', body.quietUntil && at);
    cases.set(key, decisions);
  }
  return cases;
}

function setSince(decisions: CaseDecisions, name: 'claimedAt' | 'snoozedAt' | 'quietAt', at: number | null) {
  if (at === null) delete decisions[name];
  else decisions[name] = at;
}

export const caseFieldNames = Object.keys(caseFields) as (keyof typeof caseFields)[];

/** How long a claim is valid, in milliseconds. */
const claimMs = 8 * 3_600_000;

/** Whether a case counts as unassigned, because its assignee's claim has expired. */
export const isClaimExpired = ({ claimedAt }: CaseDecisions, now: number): boolean =>
  claimedAt !== undefined && now >= claimedAt + claimMs;

/** Whether the team muted a user's reports. */
export const isMutedReporter = (cases: Cases, userId: string, now: number): boolean =>
  (cases.get(caseKey({ kind: 'user', userId }))?.reporterMutedUntil ?? 0) > now;

/** Whether a user or room is on the team's watch list. */
export const isWatched = (decisions: CaseDecisions | undefined, now: number): boolean =>
  (decisions?.watchedUntil ?? 0) > now;

/** Returns the users and rooms that are or were on the watch list since a time, the next to end first. */
export const watchList = (cases: Cases, since: number): { subject: CaseSubject; until: number }[] =>
  [...cases]
    .flatMap(([key, { watchedUntil = 0 }]) => {
      const id = key.slice(key.indexOf(' ') + 1);
      const subject = key.startsWith('user ')
        ? ({ kind: 'user', userId: id } as const)
        : ({ kind: 'room', roomId: id } as const);
      return watchedUntil > since && !key.startsWith('event ') ? [{ subject, until: watchedUntil }] : [];
    })
    .sort((one, other) => one.until - other.until);
