/** Log entries as events of the team room. Their shapes are a contract: `docs/team-room-protocol.md`. */
import { type Static, Type } from 'typebox';
import { SafeInteger } from '../api/common.ts';
import { fits } from '../fits.ts';
import {
  ActionBody,
  Appeal,
  type Body,
  type CaseSubject,
  caseFields,
  DeletedReport,
  DocumentBody,
  type LogEntry,
  MarkedReports,
  maxActionCount,
  maxMentions,
  maxReportsPerEntry,
  NoteBody,
  ReportIds,
  type ReportKind,
  ReportState,
  RuleReference,
  reportKinds,
  Strike,
  type Subject,
  verdicts,
} from './entries.ts';
import { markedAs } from './fold.ts';
import { findMentions } from './mentions.ts';
import type { RoomEvent } from './room-replies.ts';

export const namespace = 'io.gatehouse.team';
const viewingType = `${namespace}.looking`;

const types = {
  mark: `${namespace}.mark`,
  note: `${namespace}.note`,
  action: `${namespace}.action`,
  case: `${namespace}.case`,
  document: `${namespace}.document`,
} as const;
const entryTypes = Object.values(types);

const WireId = Type.String({ minLength: 1, maxLength: 255 });
const WireSubject = Type.Union([
  Type.Object({ kind: Type.Enum([...reportKinds]), id: SafeInteger }),
  Type.Object({ kind: Type.Literal('event'), room_id: WireId, event_id: WireId }),
  Type.Object({ kind: Type.Literal('user'), user_id: WireId }),
  Type.Object({ kind: Type.Literal('room'), room_id: WireId }),
]);

const [, ...caseKinds] = WireSubject.anyOf;
const WireCaseSubject = Type.Union(caseKinds);

/** Waiting time in milliseconds. Never negative: entries can't be from the future. */
const Delay = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const commonFields = {
  id: Type.Optional(Type.String({ maxLength: 255 })),
  delay: Type.Optional(Delay),
};
/** One field per kind: a console that doesn't know a kind must not read its IDs as event reports. */
const reportFields = { report: 'reports', user_report: 'user_reports', room_report: 'room_reports' } as const;
const WireAbout = Type.Array(WireSubject, { minItems: 1, maxItems: 10 });
const WireMark = Type.Object({
  ...commonFields,
  state: ReportState,
  about: Type.Optional(WireAbout),
  seen: Type.Optional(ReportState),
  /** One per report, in combined marks. */
  delays: Type.Optional(Type.Array(Delay, { maxItems: maxReportsPerEntry })),
});
/** Read on their own: a mark with a verdict of a later version still counts. */
const WireVerdict = Type.Object({ verdict: Type.Enum([...verdicts]) });
const WirePolicy = Type.Object({ policy: WireId });
const WireStrike = Type.Object({ strike: Strike });
const WireAppeal = Type.Object({ appeal: Appeal });
const WireRule = Type.Object({ rule: RuleReference });
const WireUnchanged = Type.Object({ outcome: Type.Literal('done'), unchanged: Type.Literal(true) });
const WireOthers = Type.Array(WireSubject, { maxItems: maxReportsPerEntry });
const {
  userId: _userId,
  roomId: _roomId,
  eventId: _eventId,
  ...deletedProperties
} = DeletedReport.properties;
const WireDeleted = Type.Object({
  ...deletedProperties,
  user_id: Type.Optional(WireId),
  room_id: Type.Optional(WireId),
  event_id: Type.Optional(WireId),
});
const {
  of: _of,
  deleted: _deleted,
  policy: _policy,
  strike: _strike,
  appeal: _appeal,
  rule: _rule,
  unchanged: _unchanged,
  ...actionProperties
} = ActionBody.properties;
const { mentions: _mentions, ...noteProperties } = NoteBody.properties;
const wireShapes = {
  note: Type.Object({
    ...noteProperties,
    subject: WireSubject,
    others: Type.Optional(WireOthers),
    about: Type.Optional(WireAbout),
    ...commonFields,
  }),
  action: Type.Object({
    ...actionProperties,
    user_reports: Type.Optional(ReportIds),
    room_reports: Type.Optional(ReportIds),
    subject: WireSubject,
    others: Type.Optional(WireOthers),
    deleted: Type.Optional(Type.Array(WireDeleted, { maxItems: maxReportsPerEntry })),
    ...commonFields,
  }),
  case: Type.Object({
    subject: WireCaseSubject,
    assignee: caseFields.assignee,
    severity: caseFields.severity,
    snoozed_until: caseFields.snoozedUntil,
    quiet_until: caseFields.quietUntil,
    reporter_muted_until: caseFields.reporterMutedUntil,
    watched_until: caseFields.watchedUntil,
    ...commonFields,
  }),
  document: Type.Object({ ...DocumentBody.properties, ...commonFields }),
};

/** The specification's intentional mentions. */
const WireMentions = Type.Object({
  'm.mentions': Type.Object({ user_ids: Type.Array(WireId, { minItems: 1, maxItems: maxMentions }) }),
});

/** An entry received from the room. Events with the same `key` are one entry, sent twice. */
export type RoomEntry = LogEntry & { key: string };

/** Reads an event as an entry. Returns undefined if it has another type or the wrong shape. */
export function readEntry(event: RoomEvent): RoomEntry | undefined {
  if (event.state_key !== undefined || !Number.isSafeInteger(event.origin_server_ts)) return undefined;
  const content = event.content;
  const body = bodyOf(event.type, content);
  if (!body) return undefined;
  const { id, delay = 0, delays } = content as { id?: string; delay?: number; delays?: number[] };
  const before = (delay: number) => Math.max(0, event.origin_server_ts - delay);
  return {
    id: event.event_id,
    key: `${event.sender} ${id ?? event.event_id}`,
    by: event.sender,
    at: before(delay),
    ...(body.type === 'mark' && delays && { times: delays.map(before) }),
    body,
  };
}

function bodyOf(type: string, content: unknown): Body | undefined {
  if (type === types.mark && fits(WireMark, content)) {
    const lists = content as Partial<Record<string, unknown>>;
    const of = reportKinds.find((kind) => lists[reportFields[kind]] !== undefined) ?? 'report';
    const reports = lists[reportFields[of]];
    if (!fits(MarkedReports, reports)) return undefined;
    if (content.delays && content.delays.length !== reports.length) return undefined;
    const { state, seen, about } = content;
    const verdict = state === 'reviewed' && fits(WireVerdict, content) ? content.verdict : undefined;
    const as = markedAs({
      ...(of !== 'report' && { of }),
      state,
      ...(seen && { seen }),
      ...(verdict && { verdict }),
      ...(state === 'reviewed' && fits(WirePolicy, content) && { policy: content.policy }),
    });
    return { type: 'mark', ...as, reports, ...fromWireAbout(about) };
  }
  if (type === types.note && fits(wireShapes.note, content)) {
    const { text, others, about, escalation } = content;
    return {
      type: 'note',
      subject: fromWireSubject(content.subject),
      ...(others && { others: others.map(fromWireSubject) }),
      text,
      ...fromWireAbout(about),
      ...(escalation && { escalation }),
      ...(fits(WireMentions, content) && { mentions: content['m.mentions'].user_ids }),
    };
  }
  if (type === types.action && fits(wireShapes.action, content)) {
    const { action, reason, outcome, detail, count, others = [], deleted } = content;
    const of = reportKinds.find((kind) => content[reportFields[kind]]?.length) ?? 'report';
    const reports = content[reportFields[of]] ?? [];
    const details = {
      ...(reason !== undefined && { reason }),
      ...(fits(WireUnchanged, content) && { unchanged: true as const }),
      ...(detail !== undefined && { detail }),
      ...(count !== undefined && isPlausible(count, reports.length, 1 + others.length) && { count }),
      ...(deleted && { deleted: deleted.map(fromWireDeleted) }),
      ...(fits(WirePolicy, content) && { policy: content.policy }),
      ...(fits(WireStrike, content) && { strike: content.strike }),
      ...(fits(WireAppeal, content) && { appeal: content.appeal }),
      ...(fits(WireRule, content) && { rule: content.rule }),
    };
    const cause = { ...(of !== 'report' && { of }), reports };
    const subjects = {
      subject: fromWireSubject(content.subject),
      ...(others.length > 0 && { others: others.map(fromWireSubject) }),
    };
    return { type: 'action', action, ...subjects, ...cause, outcome, ...details };
  }
  if (type === types.case && fits(wireShapes.case, content)) {
    const { assignee, severity, snoozed_until: snoozedUntil, quiet_until: quietUntil } = content;
    const { reporter_muted_until: reporterMutedUntil, watched_until: watchedUntil } = content;
    return {
      type: 'case',
      subject: fromWireSubject(content.subject) as CaseSubject,
      ...definedOf({ assignee, severity, snoozedUntil, quietUntil, reporterMutedUntil, watchedUntil }),
    };
  }
  if (type === types.document && fits(wireShapes.document, content)) {
    const { kind, key, content: document } = content;
    return { type: 'document', kind, key, content: document };
  }
  return undefined;
}

/** Drops fields that aren't set. */
const definedOf = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };

const fromWireAbout = (about?: readonly ReturnType<typeof toWireSubject>[]) =>
  about && { about: about.map(fromWireSubject) };

/** Ignores a `count` that would distort statistics. */
const isPlausible = (count: number, reports: number, subjects: number) =>
  count <= (reports > 0 ? Math.max(reports, subjects) : maxActionCount);

/**
 * Returns the event to send for an entry.
 *
 * @param now the local time, in milliseconds
 * @param members users that a note can mention
 */
export function eventOf(
  { id, at, times, body }: Omit<LogEntry, 'by'>,
  now: number,
  members: Iterable<string> = [],
) {
  const { type, ...rest } = withWireFields(body);
  const subject = 'subject' in body && { subject: toWireSubject(body.subject) };
  const others = 'others' in body && body.others && { others: body.others.map(toWireSubject) };
  const about = 'about' in body && body.about && { about: body.about.map(toWireSubject) };
  const mentioned = body.type === 'note' ? findMentions(body.text, members) : [];
  const deleted = 'deleted' in body && body.deleted && { deleted: body.deleted.map(toWireDeleted) };
  const waited = (time: number) => Math.max(0, now - time);
  const delay = waited(at);
  return {
    type: types[type],
    content: {
      id,
      ...(delay > 0 && { delay }),
      ...(times && { delays: times.map(waited) }),
      ...rest,
      ...subject,
      ...others,
      ...about,
      ...(mentioned.length > 0 && { 'm.mentions': { user_ids: mentioned } }),
      ...deleted,
    },
  };
}

/** Renames fields. Report IDs are in the field of their kind; actions always have `reports`. */
function withWireFields(body: Body) {
  if (body.type === 'note' || body.type === 'document') return body;
  if (body.type === 'case') {
    const { snoozedUntil, quietUntil, reporterMutedUntil, watchedUntil, ...rest } = body;
    const times = {
      snoozed_until: snoozedUntil,
      quiet_until: quietUntil,
      reporter_muted_until: reporterMutedUntil,
      watched_until: watchedUntil,
    };
    return { ...rest, ...definedOf(times) };
  }
  const { of = 'report', reports, ...rest } = body;
  return { ...rest, ...(rest.type === 'action' && { reports: [] }), [reportFields[of]]: reports };
}

/** Filters for servers that support them. */
export const entryFilter = { types: [...entryTypes, 'm.room.redaction'] };
export const entryAndViewingFilter = { types: [...entryTypes, 'm.room.redaction', viewingType] };

/** Returns the ID of the event that a redaction removes. It's in the content since room version 11. */
export function redactedBy({ type, content, redacts }: RoomEvent): string | undefined {
  if (type !== 'm.room.redaction') return undefined;
  const named = (content as { redacts?: unknown } | null)?.redacts ?? redacts;
  return typeof named === 'string' ? named : undefined;
}

/** A report that someone is viewing, such as `user_report 3`; null for none. */
export type ViewedReport = `${ReportKind} ${number}` | null;

/** `report` is null for user and room reports, which older consoles don't know. */
const WireViewing = Type.Object({
  report: Type.Union([SafeInteger, Type.Null()]),
  user_report: Type.Optional(SafeInteger),
  room_report: Type.Optional(SafeInteger),
});

/** A moderator's announced decision. `action`: the ID of an action, or the new state of the reports. */
export type Decision = { action: string; subjects: readonly Subject[] };

const WireDecision = Type.Object({
  decision: Type.Object({
    action: Type.String({ minLength: 1, maxLength: 100 }),
    subjects: Type.Array(WireSubject, { minItems: 1, maxItems: maxReportsPerEntry }),
  }),
});

/** Keeps events below 64 KB. */
const maxDecisionChars = 20_000;

/**
 * Returns the event that announces the viewed report and the sender's upcoming decision. Omits further subjects of a
 * very large decision.
 */
export function viewingEvent(report: ViewedReport, decision?: Decision) {
  const [of, id] = report?.split(' ') ?? [];
  let chars = 0;
  const subjects = decision?.subjects
    .slice(0, maxReportsPerEntry)
    .map(toWireSubject)
    .filter((subject) => {
      chars += JSON.stringify(subject).length;
      return chars <= maxDecisionChars;
    });
  return {
    type: viewingType,
    content: {
      report: null,
      ...(of && { [of]: Number(id) }),
      ...(decision && { decision: { action: decision.action, subjects } }),
    },
  };
}

/** Returns the decision that an event announces. */
export function readDecision({ type, content, state_key }: RoomEvent): Decision | undefined {
  if (type !== viewingType || state_key !== undefined || !fits(WireDecision, content)) return undefined;
  const { action, subjects } = content.decision;
  return { action, subjects: subjects.map(fromWireSubject) };
}

/** Returns the report that an event's sender is viewing; undefined for other events. */
export function readViewing({ type, content }: RoomEvent): ViewedReport | undefined {
  if (type !== viewingType || !fits(WireViewing, content)) return undefined;
  const of = reportKinds.find((kind) => typeof content[kind] === 'number');
  return of ? `${of} ${content[of] as number}` : null;
}

function toWireDeleted({ userId, roomId, eventId, ...report }: DeletedReport): Static<typeof WireDeleted> {
  return {
    ...report,
    ...(userId !== undefined && { user_id: userId }),
    ...(roomId !== undefined && { room_id: roomId }),
    ...(eventId !== undefined && { event_id: eventId }),
  };
}

function fromWireDeleted({
  user_id: userId,
  room_id: roomId,
  event_id: eventId,
  ...report
}: Static<typeof WireDeleted>): DeletedReport {
  return {
    ...report,
    ...(userId !== undefined && { userId }),
    ...(roomId !== undefined && { roomId }),
    ...(eventId !== undefined && { eventId }),
  };
}

function toWireSubject(subject: Subject) {
  switch (subject.kind) {
    case 'report':
    case 'user_report':
    case 'room_report':
      return subject;
    case 'event':
      return { kind: subject.kind, room_id: subject.roomId, event_id: subject.eventId };
    case 'user':
      return { kind: subject.kind, user_id: subject.userId };
    case 'room':
      return { kind: subject.kind, room_id: subject.roomId };
  }
}

function fromWireSubject(subject: ReturnType<typeof toWireSubject>): Subject {
  switch (subject.kind) {
    case 'report':
    case 'user_report':
    case 'room_report':
      return { kind: subject.kind, id: subject.id };
    case 'event':
      return { kind: subject.kind, roomId: subject.room_id, eventId: subject.event_id };
    case 'user':
      return { kind: subject.kind, userId: subject.user_id };
    case 'room':
      return { kind: subject.kind, roomId: subject.room_id };
  }
}
