/** Scheduled actions and ends of time limits: documents of the kind `scheduled`. */
import { type Static, Type } from 'typebox';
import { Dictionary, SafeInteger } from '../api/common.ts';
import { fits } from '../fits.ts';
import { Claim, isDeleted } from './claims.ts';
import type { DocumentsOfKind, Version } from './documents.ts';
import { maxReasonLength, type Subject, type TeamEntry, Time } from './entries.ts';

export const scheduledKind = 'scheduled';

const Id = Type.String({ minLength: 1, maxLength: 255 });

/** Keys are unique, and not reused once the document is deleted. */
export const Scheduled = Type.Object({
  /** ID of the action. */
  action: Type.String({ minLength: 1, maxLength: 100 }),
  subject: Type.Union([
    Type.Object({ kind: Type.Literal('user'), user_id: Id }),
    Type.Object({ kind: Type.Literal('room'), room_id: Id }),
  ]),
  /** The room in which it acts on the user. */
  room_id: Type.Optional(Id),
  /** When it's due, in milliseconds since the Unix epoch. */
  at: Time,
  /** The moderator who scheduled it. */
  by: Id,
  reason: Type.Optional(Type.String({ maxLength: maxReasonLength })),
  /** The action whose time limit it ends: a later decision about the same restriction replaces it. */
  ends: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** The action's further inputs. */
  fields: Type.Optional(Dictionary(Type.Union([Type.String(), SafeInteger, Type.Boolean()]))),
  /** The console that runs it. */
  claimed: Type.Optional(Claim),
});
export type Scheduled = Static<typeof Scheduled>;

/** `since`: when it was scheduled, in milliseconds. */
export type ScheduledAction = Scheduled & { key: string; since: number };

type TeamDocuments = {
  documents(kind: string): DocumentsOfKind;
  /** All versions, oldest first. */
  documentVersions(kind: string): readonly Version[];
};

/** Returns scheduled actions, the next one first. */
export function scheduledIn(team: TeamDocuments): ScheduledAction[] {
  const versions = Map.groupBy(team.documentVersions(scheduledKind), ({ body }) => body.key);
  return [...team.documents(scheduledKind)]
    .flatMap(([key, { content, at }]) => {
      const all = versions.get(key) ?? [];
      // A console that hasn't seen the deletion may claim it afterwards.
      if (!fits(Scheduled, content) || all.some(isDeleted)) return [];
      return [{ ...content, key, since: all[0]?.at ?? at }];
    })
    .sort((one, other) => one.at - other.at);
}

/** Whether it's about the subject. */
export const isScheduledFor = ({ subject }: Scheduled, of: Subject): boolean =>
  subject.kind === 'user'
    ? of.kind === 'user' && of.userId === subject.user_id
    : of.kind === 'room' && of.roomId === subject.room_id;

const isSameTarget = (one: ScheduledTarget, other: ScheduledTarget): boolean =>
  one.room_id === other.room_id &&
  (one.subject.kind === 'user'
    ? other.subject.kind === 'user' && one.subject.user_id === other.subject.user_id
    : other.subject.kind === 'room' && one.subject.room_id === other.subject.room_id);

export type ScheduledTarget = Pick<Scheduled, 'subject' | 'room_id'>;

/** The end of an action's time limit. `by`: the moderator who acted. */
export type TimeLimit = {
  key: string;
  until: number;
  by: string;
  reason: string;
  fields?: Scheduled['fields'];
};

/**
 * Keeps time limits in sync with a completed action: schedules the end of its own limit, and drops the limits that it
 * replaces. Returns the documents to save by key; null deletes one.
 */
export function limitChanges(
  all: readonly ScheduledAction[],
  { id, inverse }: { id: string; inverse?: string | undefined },
  target: ScheduledTarget,
  limit: TimeLimit | undefined,
): [key: string, Scheduled | null][] {
  const replaced = all.filter(
    (other) =>
      other.ends !== undefined &&
      (other.ends === id || other.action === id) &&
      isSameTarget(other, target) &&
      // A running one is deleted by its own run.
      !other.claimed,
  );
  const changes: [string, Scheduled | null][] = replaced.map(({ key }) => [key, null]);
  if (!limit || inverse === undefined) return changes;
  const { key, until: at, by, reason, fields } = limit;
  const { subject, room_id } = target;
  const end: Scheduled = {
    action: inverse,
    subject,
    ...(room_id !== undefined && { room_id }),
    at,
    by,
    ...(reason !== '' && { reason }),
    ends: id,
    ...(fields && { fields }),
  };
  return [...changes, [key, end]];
}

/** After this delay, it's late. */
const lateMs = 10 * 60_000;
export const isLate = ({ at }: Scheduled, now: number): boolean => now > at + lateMs;

/** Returns a later decision about the same restriction as a time limit. @param timeline newest first */
export const laterDecision = (
  { ends, action, since }: ScheduledAction,
  timeline: readonly TeamEntry[],
): TeamEntry | undefined =>
  ends === undefined
    ? undefined
    : timeline.find(
        (entry) =>
          entry.type === 'action' &&
          entry.outcome !== 'failed' &&
          entry.at > since &&
          (entry.action === ends || entry.action === action),
      );
