/** Entries of the moderation log: marks, notes, actions, decisions about cases, and documents. */
import { type Static, type TSchema, Type } from 'typebox';
import { JsonObject, SafeInteger } from '../api/common.ts';

/** The specification allows 255 bytes; IDs are nearly always ASCII. */
const Identifier = Type.String({ minLength: 1, maxLength: 255 });

/** Reports on events, users and rooms. Each kind has its own IDs. */
export const reportKinds = ['report', 'user_report', 'room_report'] as const;
export type ReportKind = (typeof reportKinds)[number];

export const Subject = Type.Union([
  Type.Object({ kind: Type.Enum([...reportKinds]), id: SafeInteger }),
  Type.Object({ kind: Type.Literal('event'), roomId: Identifier, eventId: Identifier }),
  Type.Object({ kind: Type.Literal('user'), userId: Identifier }),
  Type.Object({ kind: Type.Literal('room'), roomId: Identifier }),
]);
export type Subject = Static<typeof Subject>;

export const ReportState = Type.Union([
  Type.Literal('open'),
  Type.Literal('reviewed'),
  Type.Literal('escalated'),
]);
export type ReportState = Static<typeof ReportState>;

/** Whether a resolved report was right. */
export const verdicts = ['upheld', 'not_upheld', 'duplicate'] as const;
export type Verdict = (typeof verdicts)[number];

/** Keeps events below 64 KB. */
export const maxReportsPerEntry = 500;
/** A larger `count` is read as 1. */
export const maxActionCount = 10_000;
export const maxNoteLength = 8000;
export const maxReasonLength = 4000;
export const maxMentions = 50;
/** An invalid ID would make the server reject the whole list request. */
export const ReportId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const ReportIds = Type.Array(ReportId, { maxItems: maxReportsPerEntry });

export const MarkedReports = Type.Array(ReportId, { minItems: 1, maxItems: maxReportsPerEntry });

/** The event, user and room that a report is on. Its entries belong to their histories too. */
const RelatedSubjects = Type.Array(Subject, { minItems: 1, maxItems: 10 });

export const MarkBody = Type.Object({
  /** Default: reports on events. */
  of: Type.Optional(Type.Enum([...reportKinds])),
  reports: MarkedReports,
  state: ReportState,
  /** Subjects of the reports: of a single report or of a case. */
  about: Type.Optional(RelatedSubjects),
  /** The state that the sender saw before; unknown from older consoles. */
  seen: Type.Optional(ReportState),
  /** Only with `reviewed`. */
  verdict: Type.Optional(Type.Enum([...verdicts])),
  /** Key of the policy that the verdict is based on. Only with `reviewed`. */
  policy: Type.Optional(Identifier),
});

export const NoteBody = Type.Object({
  subject: Subject,
  /** The note's other reports. */
  others: Type.Optional(Type.Array(Subject, { maxItems: maxReportsPerEntry })),
  text: Type.String({ minLength: 1, maxLength: maxNoteLength }),
  about: Type.Optional(RelatedSubjects),
  /** The text is the reason for an escalation. */
  escalation: Type.Optional(Type.Boolean()),
  /** User IDs. Set in received notes only. */
  mentions: Type.Optional(Type.Array(Identifier, { maxItems: maxMentions })),
});

/** A report as it was when it was deleted. */
export const DeletedReport = Type.Object({
  id: ReportId,
  /** The reporter. */
  by: Identifier,
  /** Time of the report, in milliseconds since the Unix epoch. */
  at: SafeInteger,
  reason: Type.Optional(Type.String({ maxLength: maxReasonLength })),
  /** The reported user, or the sender of the reported event. */
  userId: Type.Optional(Identifier),
  roomId: Type.Optional(Identifier),
  eventId: Type.Optional(Identifier),
});
export type DeletedReport = Static<typeof DeletedReport>;

/** `until` in milliseconds since the Unix epoch; null if it never expires. */
export const Strike = Type.Object({
  id: Identifier,
  weight: Type.Integer({ minimum: 1, maximum: 100 }),
  until: Type.Union([Type.Null(), SafeInteger]),
});
export type Strike = Static<typeof Strike>;

/** The team's automatic rule that led to an entry. */
export const RuleReference = Type.Object({
  key: Identifier,
  /** Its name at that time. */
  name: Type.String({ minLength: 1, maxLength: 100 }),
});

/** Subject of an entry about an appeal. */
export const Appeal = Type.Object({
  id: Identifier,
  /** The appealed action: its ID, moderator and time. Only in the entry that records the appeal. */
  of: Type.Optional(
    Type.Object({ action: Type.String({ minLength: 1, maxLength: 100 }), by: Identifier, at: SafeInteger }),
  ),
});
export type Appeal = Static<typeof Appeal>;

export const ActionBody = Type.Object({
  action: Type.String({ minLength: 1, maxLength: 100 }),
  subject: Subject,
  /** Further subjects of the action. */
  others: Type.Optional(Type.Array(Subject, { maxItems: maxReportsPerEntry })),
  /** Kind of `reports`. Default: reports on events. */
  of: Type.Optional(Type.Enum([...reportKinds])),
  /** The reports that led to the action. */
  reports: ReportIds,
  reason: Type.Optional(Type.String({ maxLength: maxReasonLength })),
  /** For `delete-report`. */
  deleted: Type.Optional(Type.Array(DeletedReport, { maxItems: maxReportsPerEntry })),
  outcome: Type.Union([Type.Literal('done'), Type.Literal('failed'), Type.Literal('undone')]),
  /** Only with `done`: the action changed nothing. */
  unchanged: Type.Optional(Type.Literal(true)),
  detail: Type.Optional(Type.String({ maxLength: maxReasonLength })),
  /** Number of subjects. Default: 1. */
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  /** Key of the policy that the action is based on. */
  policy: Type.Optional(Identifier),
  /** A strike against each user that the action adds; for `remove-strike`, the one that it removes. */
  strike: Type.Optional(Strike),
  rule: Type.Optional(RuleReference),
  /** The appeal that is recorded or decided. */
  appeal: Type.Optional(Appeal),
});

export const severities = ['low', 'medium', 'high', 'urgent'] as const;
export type Severity = (typeof severities)[number];

/** In milliseconds since the Unix epoch, up to the maximum of a JavaScript date. */
export const Time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 });
const nullable = <Shape extends TSchema>(shape: Shape) => Type.Optional(Type.Union([shape, Type.Null()]));

/** Subject of a case. */
export const CaseSubject = Type.Union([
  Type.Object({ kind: Type.Literal('event'), roomId: Identifier, eventId: Identifier }),
  Type.Object({ kind: Type.Literal('user'), userId: Identifier }),
  Type.Object({ kind: Type.Literal('room'), roomId: Identifier }),
]);
export type CaseSubject = Static<typeof CaseSubject>;

/** A field that is there is set, `null` clears it. Times are in milliseconds since the Unix epoch. */
export const caseFields = {
  /** User ID of a moderator. */
  assignee: nullable(Identifier),
  severity: nullable(Type.Enum([...severities])),
  snoozedUntil: nullable(Time),
  /** Until then, new reports don't bring the case back. */
  quietUntil: nullable(Time),
  /** Until then, reports by this user don't raise the priority of cases or reopen decided ones. */
  reporterMutedUntil: nullable(Time),
  /** Until then, reports on this user or room are at least of high priority. */
  watchedUntil: nullable(Time),
};
const CaseBody = Type.Object({ subject: CaseSubject, ...caseFields });
export type CaseChange = Omit<Static<typeof CaseBody>, 'subject'>;

/** Keeps events below 64 KB. */
export const maxDocumentChars = 30_000;
const maxDocumentBytes = 50_000;

/** Whether it's small enough for an event, and canonical JSON can contain it: its numbers are integers. */
function isSendable(content: JsonObject): boolean {
  let isCanonical = true;
  const text = JSON.stringify(content, (_, value) => {
    if (typeof value === 'number') isCanonical &&= Number.isSafeInteger(value);
    return value;
  });
  return (
    isCanonical &&
    text.length <= maxDocumentChars &&
    (text.length * 3 <= maxDocumentBytes || new TextEncoder().encode(text).length <= maxDocumentBytes)
  );
}

/** A document that the team edits together, such as a policy or a saved view. */
export const DocumentBody = Type.Object({
  kind: Type.String({ minLength: 1, maxLength: 50 }),
  key: Identifier,
  /** Null: deleted. */
  content: Type.Union([Type.Null(), Type.Refine(JsonObject, isSendable)]),
});

/** An entry without its author and time. */
export const Body = Type.Union([
  Type.Object({ type: Type.Literal('mark'), ...MarkBody.properties }),
  Type.Object({ type: Type.Literal('note'), ...NoteBody.properties }),
  Type.Object({ type: Type.Literal('action'), ...ActionBody.properties }),
  Type.Object({ type: Type.Literal('case'), ...CaseBody.properties }),
  Type.Object({ type: Type.Literal('document'), ...DocumentBody.properties }),
]);
export type Body = Static<typeof Body>;

/** `at` is in milliseconds since the Unix epoch, `by` a user ID. */
type Authorship = { by: string; at: number };
/** Fields of a mark that apply to each of its reports. */
export type MarkedAs = {
  of?: ReportKind;
  state: ReportState;
  seen?: ReportState;
  verdict?: Verdict;
  policy?: string;
};
export type Mark = MarkedAs & { reportId: number } & Authorship;
export type Note = Static<typeof NoteBody> & Authorship;
export type ActionEntry = Static<typeof ActionBody> & Authorship;
type CaseEntry = Static<typeof CaseBody> & Authorship;
/** An entry of a history. Documents aren't about a subject. */
export type TeamEntry =
  /** `count`: the entry represents the marks of this many reports, of which it names one. */
  | ({ type: 'mark'; count?: number } & Mark)
  | ({ type: 'note' } & Note)
  | ({ type: 'action' } & ActionEntry)
  | ({ type: 'case' } & CaseEntry);

/** `times` are those of each report, if several marks were combined. */
export type LogEntry = { id: string; body: Body; times?: readonly number[] } & Authorship;
