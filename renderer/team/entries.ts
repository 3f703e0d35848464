/** What a team of moderators keeps about the reports of a server: marks, notes and what was done. */
import { type Static, Type } from 'typebox';
import { SafeInteger } from '../../shared/api/common.ts';

/** As in the specification of identifiers: 255 bytes at most, and these are ASCII nearly always. */
const Identifier = Type.String({ minLength: 1, maxLength: 255 });

/** What a report is on: an event, or a whole user or room. Each kind has numbers of its own. */
export const reportKinds = ['report', 'user_report', 'room_report'] as const;
export type ReportKind = (typeof reportKinds)[number];

export const Subject = Type.Union([
  Type.Object({ kind: Type.Enum([...reportKinds]), id: SafeInteger }),
  Type.Object({ kind: Type.Literal('event'), roomId: Identifier, eventId: Identifier }),
  Type.Object({ kind: Type.Literal('user'), userId: Identifier }),
  Type.Object({ kind: Type.Literal('room'), roomId: Identifier }),
]);
export type Subject = Static<typeof Subject>;

/** `open` is what has no mark. */
export const ReportState = Type.Union([
  Type.Literal('open'),
  Type.Literal('reviewed'),
  Type.Literal('escalated'),
]);
export type ReportState = Static<typeof ReportState>;

/** One entry names at most so many reports: an event holds 64 KB. */
export const mostReportsAtOnce = 500;
/** An entry that says it was done to more is not believed. */
export const mostDoneAtOnce = 10_000;
export const longestNote = 8000;
export const longestReason = 4000;
export const mostMentions = 50;
/** What no server calls a report is no mark: it would be asked for, and the refusal be the whole queue's. */
export const ReportId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const ReportIds = Type.Array(ReportId, { maxItems: mostReportsAtOnce });

export const MarkedReports = Type.Array(ReportId, { minItems: 1, maxItems: mostReportsAtOnce });

/** The event, user and room that a report is on, so that their histories know of its entries. */
const About = Type.Array(Subject, { minItems: 1, maxItems: 10 });

export const MarkBody = Type.Object({
  /** Reports on events where it is left out. */
  of: Type.Optional(Type.Enum([...reportKinds])),
  reports: MarkedReports,
  state: ReportState,
  /** Only of a single report. */
  about: Type.Optional(About),
  /** The state that the sender saw before; unknown from older consoles. */
  seen: Type.Optional(ReportState),
});

export const NoteBody = Type.Object({
  subject: Subject,
  /** The other reports that the note is on. */
  others: Type.Optional(Type.Array(Subject, { maxItems: mostReportsAtOnce })),
  text: Type.String({ minLength: 1, maxLength: longestNote }),
  about: Type.Optional(About),
  /** The text is the reason of an escalation. */
  escalation: Type.Optional(Type.Boolean()),
  /** User IDs, as the note was received. */
  mentions: Type.Optional(Type.Array(Identifier, { maxItems: mostMentions })),
});

/** What was known of a report when it was deleted. */
export const DeletedReport = Type.Object({
  id: ReportId,
  /** The reporter. */
  by: Identifier,
  /** When it was filed, in milliseconds since the Unix epoch. */
  at: SafeInteger,
  reason: Type.Optional(Type.String({ maxLength: longestReason })),
  /** The reported user, or the sender of the reported event. */
  userId: Type.Optional(Identifier),
  roomId: Type.Optional(Identifier),
  eventId: Type.Optional(Identifier),
});
export type DeletedReport = Static<typeof DeletedReport>;

export const ActionBody = Type.Object({
  action: Type.String({ minLength: 1, maxLength: 100 }),
  subject: Subject,
  /** To whom or what else it was done. */
  others: Type.Optional(Type.Array(Subject, { maxItems: mostReportsAtOnce })),
  /** What the reports are on that it was done because of: events, where it is left out. */
  of: Type.Optional(Type.Enum([...reportKinds])),
  reports: ReportIds,
  reason: Type.Optional(Type.String({ maxLength: longestReason })),
  /** What was known of the reports, where they were deleted. */
  deleted: Type.Optional(Type.Array(DeletedReport, { maxItems: mostReportsAtOnce })),
  outcome: Type.Union([Type.Literal('done'), Type.Literal('failed'), Type.Literal('undone')]),
  detail: Type.Optional(Type.String({ maxLength: longestReason })),
  /** To how many it was done, where the entry stands for several: at most `mostDoneAtOnce`. */
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
});

/** What a person adds in one go; who and when comes from where it is kept. */
export const Body = Type.Union([
  Type.Object({ type: Type.Literal('mark'), ...MarkBody.properties }),
  Type.Object({ type: Type.Literal('note'), ...NoteBody.properties }),
  Type.Object({ type: Type.Literal('action'), ...ActionBody.properties }),
]);
export type Body = Static<typeof Body>;

/** `at` is in milliseconds since the Unix epoch, `by` a user id. */
type Signed = { by: string; at: number };
export type Mark = { of?: ReportKind; reportId: number; state: ReportState; seen?: ReportState } & Signed;
export type Note = Static<typeof NoteBody> & Signed;
export type ActionEntry = Static<typeof ActionBody> & Signed;
export type TeamEntry =
  | ({ type: 'mark' } & Mark)
  | ({ type: 'note' } & Note)
  | ({ type: 'action' } & ActionEntry);

/**
 * A body with who added it and when. `id` is the same wherever it is read. A mark whose reports were marked one
 * after another has the time of each, in the order of its reports.
 */
export type Logged = { id: string; body: Body; times?: readonly number[] } & Signed;
