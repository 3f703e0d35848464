/** Decisions that consoles announce in the team room, so that two moderators don't make the same one. */
import type { Body, LogEntry, Mark, ReportKind, Subject, Verdict } from './entries.ts';
import { markSetBy, subjectsOf } from './fold.ts';
import { type Decision, type RoomEntry, readDecision, readEntry } from './room-events.ts';
import type { RoomEvent } from './room-replies.ts';

/** Another moderator's decision that precedes the own one in the room. */
export type Conflict = {
  by: string;
  action: string;
  verdict?: Verdict;
  eventId: string;
  /** In milliseconds since the Unix epoch. */
  at: number;
  /** The common subject of both decisions. */
  subjects: readonly Subject[];
};

/** An announcement without an outcome counts this long. */
const announcedMs = 30_000;

/** Decisions conflict if they share a report, or do the same to another common subject. */
const keyOf = (action: string, subject: Subject): string =>
  JSON.stringify('id' in subject ? [subject.kind, subject.id] : [action, ...Object.values(subject)]);

type Claim = Pick<Conflict, 'by' | 'action' | 'verdict' | 'eventId' | 'at'> & {
  state: 'announced' | 'done' | 'over';
};

type Options = {
  me: string;
  /** Users whose events count. */
  moderators: { has(userId: string): boolean };
  /** Whether the user had seen an event before. */
  isKnown(eventId: string): boolean;
};

/**
 * Returns the conflicting decisions that precede a decision in the room; undefined if the events don't contain it.
 *
 * @param events in the room's order
 * @param ownId event ID of its announcement
 */
export function conflictsBefore(
  events: readonly RoomEvent[],
  ownId: string,
  { action, subjects }: Decision,
  { me, moderators, isKnown }: Options,
): Conflict[] | undefined {
  const position = events.findIndex(({ event_id }) => event_id === ownId);
  const own = events[position];
  if (!own) return undefined;
  const claims = claimsIn(events.slice(0, position).filter(({ sender }) => moderators.has(sender)));
  const conflicts = new Map<string, Conflict & { subjects: Subject[] }>();
  for (const subject of subjects) {
    for (const claim of claims.get(keyOf(action, subject))?.values() ?? []) {
      const { state, ...rest } = claim;
      const counts = state === 'done' || isPending(claim, own.origin_server_ts);
      if (!counts || claim.by === me || isKnown(claim.eventId)) continue;
      const conflict = conflicts.get(claim.eventId) ?? { ...rest, subjects: [] };
      conflict.subjects.push(subject);
      conflicts.set(claim.eventId, conflict);
    }
  }
  return [...conflicts.values()];
}

const isPending = ({ state, at }: Claim, now: number) => state === 'announced' && now - at < announcedMs;

/** Returns each moderator's last decision, by subject. */
function claimsIn(events: readonly RoomEvent[]) {
  const claims = new Map<string, Map<string, Claim>>();
  for (const event of events) {
    const { sender: by, event_id: eventId, origin_server_ts: at } = event;
    const decision = readDecision(event);
    const entry = decision ? undefined : readEntry(event);
    const made = decision ?? (entry && decisionIn(entry));
    if (!made) continue;
    const keys = made.subjects.map((subject) => keyOf(made.action, subject));
    const others = keys.flatMap((key) => [...(claims.get(key)?.values() ?? [])]);
    // Its sender saw the other announcement and stopped.
    if (decision && others.some((other) => other.by !== by && isPending(other, at))) continue;
    const claim: Claim = { by, eventId, at, action: made.action, state: 'announced', ...stateOf(entry) };
    for (const key of keys) claims.set(key, (claims.get(key) ?? new Map()).set(by, claim));
  }
  return claims;
}

/** Returns the decision that an entry records. */
function decisionIn({ body }: RoomEntry): Decision | undefined {
  if (body.type === 'action') {
    const reports = body.reports.map((id) => ({ kind: body.of ?? ('report' as const), id }));
    return { action: body.action, subjects: [...subjectsOf(body), ...reports] };
  }
  const mark = markSetBy(body);
  return (
    mark && { action: mark.state, subjects: mark.reports.map((id) => ({ kind: mark.of ?? 'report', id })) }
  );
}

function stateOf(entry: RoomEntry | undefined): Pick<Claim, 'verdict'> & { state?: Claim['state'] } {
  if (!entry) return {};
  const { body } = entry;
  const isDone =
    body.type === 'action' ? body.outcome === 'done' : body.type === 'mark' && body.state !== 'open';
  return {
    state: isDone ? 'done' : 'over',
    ...(body.type === 'mark' && body.verdict && { verdict: body.verdict }),
  };
}

/** A colleague's decision on reports that the user had already decided: its sender hadn't seen that. */
export type DoubleDecision = {
  by: string;
  mark: Extract<Body, { type: 'mark' }>;
  reports: readonly number[];
};

/**
 * Returns simultaneous decisions by colleagues and the user, for example because announcements came too late.
 *
 * @param entries colleagues' new entries, in any order
 * @param marks as they were before these entries
 */
export function doubleDecisions(
  entries: readonly LogEntry[],
  marks: Readonly<Record<ReportKind, ReadonlyMap<number, Mark>>>,
  me: string,
): DoubleDecision[] {
  // A colleague's later marks are about their first one.
  const compared = new Set<string>();
  return entries
    .toSorted((one, other) => one.at - other.at)
    .flatMap(({ by, body }): DoubleDecision[] => {
      if (body.type !== 'mark') return [];
      const { of = 'report', state, seen } = body;
      const first = body.reports.filter((id) => !compared.has(`${of} ${id}`));
      for (const id of first) compared.add(`${of} ${id}`);
      const reports = first.filter((id) => {
        const own = marks[of].get(id);
        return state !== 'open' && own?.by === me && seen !== undefined && seen !== own.state;
      });
      return reports.length > 0 ? [{ by, mark: body, reports }] : [];
    });
}
