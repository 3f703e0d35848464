/** Evidence that the team holds: documents that name a file with reported messages, and how long it's kept. */
import { type Static, Type } from 'typebox';
import { fits } from '../fits.ts';
import { Claim, isDeleted } from './claims.ts';
import type { DocumentsOfKind, Version } from './documents.ts';
import {
  type CaseSubject,
  type LogEntry,
  type Mark,
  maxReportsPerEntry,
  ReportId,
  type ReportKind,
  Time,
} from './entries.ts';
import { findDeletion, timelineOf } from './fold.ts';

export const evidenceKind = 'evidence';
export const retentionKind = 'evidence-retention';
/** Key of the only document of that kind that counts. */
export const retentionKey = 'retention';

/** Actions in the team's log. */
export const holdEvidence = 'hold-evidence';
export const releaseEvidence = 'release-evidence';
/** Because the retention period has ended. */
export const removeEvidence = 'remove-evidence';

/** Each takes a few requests. */
export const maxHeldEvents = 50;
/** Keeps documents below their limit. */
export const maxCopies = 50;

const Id = Type.String({ minLength: 1, maxLength: 255 });
const Uri = Type.String({ pattern: '^mxc://[^/?#\\s]+/[\\w-]+$', maxLength: 255 });
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** Keys are unique, and not reused once the document is deleted. */
const Held = Type.Object({
  /** The case that keeps it. */
  case: Type.Union([
    Type.Object({ kind: Type.Literal('user'), user_id: Id }),
    Type.Object({ kind: Type.Literal('room'), room_id: Id }),
    Type.Object({ kind: Type.Literal('event'), room_id: Id, event_id: Id }),
  ]),
  by: Id,
  /** In milliseconds since the Unix epoch. */
  at: Time,
  /** Event reports on the held messages. */
  reports: Type.Array(ReportId, { minItems: 1, maxItems: maxReportsPerEntry }),
  /** IDs of the held messages. */
  events: Type.Array(Id, { minItems: 1, maxItems: maxHeldEvents }),
  /** Number of media in them. */
  media: Count,
  /** The file with the messages, on this server. `sha256` in hexadecimal. */
  file: Type.Object({
    uri: Uri,
    size: Count,
    sha256: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  }),
  /** Copies of media, on this server. */
  copies: Type.Optional(Type.Array(Uri, { maxItems: maxCopies })),
  /** The console or watcher that removes it. */
  claimed: Type.Optional(Claim),
});
export type Held = Static<typeof Held>;
export type HeldEvidence = Held & { key: string };

const Retention = Type.Object({
  /** Days after the case is resolved; null: until released. */
  days: Type.Union([Type.Null(), Type.Integer({ minimum: 1, maximum: 3650 })]),
  /** Whether media are copied, and not only their hashes kept. */
  media: Type.Boolean(),
});
export type Retention = Static<typeof Retention>;

const byDefault: Retention = { days: 90, media: false };

/** Returns the team's setting; the default if the document is missing or invalid. */
export function retentionIn(documents: DocumentsOfKind): Retention {
  const content = documents.get(retentionKey)?.content;
  return fits(Retention, content) ? content : byDefault;
}

type TeamDocuments = {
  documents(kind: string): DocumentsOfKind;
  documentVersions(kind: string): readonly Version[];
};

/** Returns held evidence, newest first. */
export function evidenceIn(team: TeamDocuments): HeldEvidence[] {
  // A console that hasn't seen the deletion may claim it afterwards.
  const gone = new Set(
    team
      .documentVersions(evidenceKind)
      .filter(isDeleted)
      .map(({ body }) => body.key),
  );
  return [...team.documents(evidenceKind)]
    .flatMap(([key, { content }]) => (fits(Held, content) && !gone.has(key) ? [{ ...content, key }] : []))
    .sort((one, other) => other.at - one.at);
}

export const heldCase = ({ case: subject }: Held): CaseSubject => {
  switch (subject.kind) {
    case 'user':
      return { kind: 'user', userId: subject.user_id };
    case 'room':
      return { kind: 'room', roomId: subject.room_id };
    case 'event':
      return { kind: 'event', roomId: subject.room_id, eventId: subject.event_id };
  }
};

export const wireCase = (subject: CaseSubject): Held['case'] => {
  switch (subject.kind) {
    case 'user':
      return { kind: 'user', user_id: subject.userId };
    case 'room':
      return { kind: 'room', room_id: subject.roomId };
    case 'event':
      return { kind: 'event', room_id: subject.roomId, event_id: subject.eventId };
  }
};

/** Returns the media to delete with it: only local media. The file is last, so that a retry still finds the others. */
export const mediaOf = ({ file, copies = [] }: Held, serverName: string): string[] =>
  [...copies, file.uri].filter((uri) => uri.startsWith(`mxc://${serverName}/`));

// Retention.

export type ReportRef = { of: ReportKind; id: number };

type Log = {
  /** Marks of a kind of report. */
  marksOf(of: ReportKind): { get(id: number): Pick<Mark, 'state' | 'at'> | undefined };
  entries(): Iterable<LogEntry>;
};

/** Returns when a report was resolved or deleted, in milliseconds; undefined if it's open. */
function closedAt({ of, id }: ReportRef, log: Log): number | undefined {
  const mark = log.marksOf(of).get(id);
  if (mark?.state === 'reviewed') return mark.at;
  const deletion = findDeletion(timelineOf(log.entries(), { kind: of, id }));
  return deletion && deletion.at >= (mark?.at ?? 0) ? deletion.at : undefined;
}

const dayMs = 86_400_000;

/**
 * Returns when the retention of evidence ends, in milliseconds; `open` while a report of its case is open, and
 * `released` if only a moderator can release it.
 *
 * @param ofCase all reports of the case, as far as they're known
 */
export function keptUntil(
  held: Held,
  ofCase: readonly ReportRef[],
  log: Log,
  { days }: Retention,
): number | 'open' | 'released' {
  if (days === null) return 'released';
  const own = held.reports.map((id): ReportRef => ({ of: 'report', id }));
  let last = held.at;
  for (const report of [...own, ...ofCase]) {
    const at = closedAt(report, log);
    if (at === undefined) return 'open';
    last = Math.max(last, at);
  }
  return last + days * dayMs;
}
