/** Log entries as events of the team room. Their shapes are a contract: `docs/team-room-protocol.md`. */
import { type Static, Type } from 'typebox';
import { SafeInteger } from '../../shared/api/common.ts';
import { fits } from '../../shared/fits.ts';
import type { RoomEvent } from '../api/team-room.ts';
import {
  ActionBody,
  type Body,
  DeletedReport,
  type Logged,
  MarkedReports,
  mostDoneAtOnce,
  mostMentions,
  mostReportsAtOnce,
  NoteBody,
  ReportIds,
  ReportState,
  reportKinds,
  type Subject,
} from './entries.ts';
import type { Look } from './looking.ts';
import { mentionedIn } from './mentions.ts';

export const namespace = 'io.gatehouse.team';
const lookingType = `${namespace}.looking`;

const types = {
  mark: `${namespace}.mark`,
  note: `${namespace}.note`,
  action: `${namespace}.action`,
} as const;
const entryTypes = Object.values(types);

const WireId = Type.String({ minLength: 1, maxLength: 255 });
const WireSubject = Type.Union([
  Type.Object({ kind: Type.Enum([...reportKinds]), id: SafeInteger }),
  Type.Object({ kind: Type.Literal('event'), room_id: WireId, event_id: WireId }),
  Type.Object({ kind: Type.Literal('user'), user_id: WireId }),
  Type.Object({ kind: Type.Literal('room'), room_id: WireId }),
]);

/** How long something waited to be sent, in milliseconds: nothing can be from a time still to come. */
const Delay = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** On each entry: its name, by which one that was sent twice is known, and how long it waited to be sent. */
const envelope = {
  id: Type.Optional(Type.String({ maxLength: 255 })),
  delay: Type.Optional(Delay),
};
/** Of each kind of report by its own name: a console that doesn't know a kind sees no reports in it. */
const listNames = { report: 'reports', user_report: 'user_reports', room_report: 'room_reports' } as const;
const WireAbout = Type.Array(WireSubject, { minItems: 1, maxItems: 10 });
const WireMark = Type.Object({
  ...envelope,
  state: ReportState,
  about: Type.Optional(WireAbout),
  seen: Type.Optional(ReportState),
  /** For each report, where they were not marked at the same time. */
  delays: Type.Optional(Type.Array(Delay, { maxItems: mostReportsAtOnce })),
});
const WireOthers = Type.Array(WireSubject, { maxItems: mostReportsAtOnce });
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
const { of: _of, deleted: _deleted, ...actionProperties } = ActionBody.properties;
const { mentions: _mentions, ...noteProperties } = NoteBody.properties;
const wireShapes = {
  note: Type.Object({
    ...noteProperties,
    subject: WireSubject,
    others: Type.Optional(WireOthers),
    about: Type.Optional(WireAbout),
    ...envelope,
  }),
  action: Type.Object({
    ...actionProperties,
    user_reports: Type.Optional(ReportIds),
    room_reports: Type.Optional(ReportIds),
    subject: WireSubject,
    others: Type.Optional(WireOthers),
    deleted: Type.Optional(Type.Array(WireDeleted, { maxItems: mostReportsAtOnce })),
    ...envelope,
  }),
};

/** The specification's intentional mentions: a client's push rules notify these users. */
const WireMentions = Type.Object({
  'm.mentions': Type.Object({ user_ids: Type.Array(WireId, { minItems: 1, maxItems: mostMentions }) }),
});

/** An entry as it came from the room: `key` is the same for two events that are one entry. */
export type RoomEntry = Logged & { key: string };

/** What an event of the room adds to the log: nothing, where it is not of ours or not of its shape. */
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
    const of = reportKinds.find((kind) => lists[listNames[kind]] !== undefined) ?? 'report';
    const reports = lists[listNames[of]];
    if (!fits(MarkedReports, reports)) return undefined;
    if (content.delays && content.delays.length !== reports.length) return undefined;
    const { state, seen, about } = content;
    const marked = { ...(of !== 'report' && { of }), reports, state, ...(seen && { seen }) };
    return { type: 'mark', ...marked, ...aboutFrom(about) };
  }
  if (type === types.note && fits(wireShapes.note, content)) {
    const { text, others, about, escalation } = content;
    return {
      type: 'note',
      subject: subjectFrom(content.subject),
      ...(others && { others: others.map(subjectFrom) }),
      text,
      ...aboutFrom(about),
      ...(escalation && { escalation }),
      ...(fits(WireMentions, content) && { mentions: content['m.mentions'].user_ids }),
    };
  }
  if (type === types.action && fits(wireShapes.action, content)) {
    const { action, reason, outcome, detail, count, others = [], deleted } = content;
    const of = reportKinds.find((kind) => content[listNames[kind]]?.length) ?? 'report';
    const reports = content[listNames[of]] ?? [];
    const said = {
      ...(reason !== undefined && { reason }),
      ...(detail !== undefined && { detail }),
      ...(count !== undefined && isPlausible(count, reports.length, 1 + others.length) && { count }),
      ...(deleted && { deleted: deleted.map(deletedFrom) }),
    };
    const because = { ...(of !== 'report' && { of }), reports };
    const whom = {
      subject: subjectFrom(content.subject),
      ...(others.length > 0 && { others: others.map(subjectFrom) }),
    };
    return { type: 'action', action, ...whom, ...because, outcome, ...said };
  }
  return undefined;
}

const aboutFrom = (about?: readonly ReturnType<typeof subjectTo>[]) =>
  about && { about: about.map(subjectFrom) };

/** One entry among thousands is no place to claim that everyone was banned. */
const isPlausible = (count: number, reports: number, subjects: number) =>
  count <= (reports > 0 ? Math.max(reports, subjects) : mostDoneAtOnce);

/**
 * The event that adds an entry to the room, if it is sent now.
 *
 * @param now by the clock that the entry's times are of, in milliseconds
 * @param members whom a note in the room can mention
 */
export function eventOf(
  { id, at, times, body }: Omit<Logged, 'by'>,
  now: number,
  members: Iterable<string> = [],
) {
  const { type, ...rest } = onWire(body);
  const subject = 'subject' in body && { subject: subjectTo(body.subject) };
  const others = 'others' in body && body.others && { others: body.others.map(subjectTo) };
  const about = 'about' in body && body.about && { about: body.about.map(subjectTo) };
  const mentioned = body.type === 'note' ? mentionedIn(body.text, members) : [];
  const deleted = 'deleted' in body && body.deleted && { deleted: body.deleted.map(deletedTo) };
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

/** With the list of its reports under the name of their kind; an action has that of events in any case. */
function onWire(body: Body) {
  if (body.type === 'note') return body;
  const { of = 'report', reports, ...rest } = body;
  return { ...rest, ...(rest.type === 'action' && { reports: [] }), [listNames[of]]: reports };
}

/** Only what these types are is asked for, from servers that know filters. */
export const entryFilter = { types: [...entryTypes, 'm.room.redaction'] };
export const everythingFilter = { types: [...entryTypes, 'm.room.redaction', lookingType] };

/** The event that a redaction takes back. It stands in the content since room version 11. */
export function redactedBy({ type, content, redacts }: RoomEvent): string | undefined {
  if (type !== 'm.room.redaction') return undefined;
  const named = (content as { redacts?: unknown } | null)?.redacts ?? redacts;
  return typeof named === 'string' ? named : undefined;
}

/** Of reports on users and rooms a console that doesn't know them reads that no report is looked at. */
const WireLook = Type.Object({
  report: Type.Union([SafeInteger, Type.Null()]),
  user_report: Type.Optional(SafeInteger),
  room_report: Type.Optional(SafeInteger),
});

/** The event that says which report its sender looks at. */
export function lookOf(look: Look) {
  const [of, id] = look?.split(' ') ?? [];
  return { type: lookingType, content: { report: null, ...(of && { [of]: Number(id) }) } };
}

/** Which report the sender of an event says to look at; undefined where the event says nothing on it. */
export function lookingAt({ type, content }: RoomEvent): Look | undefined {
  if (type !== lookingType || !fits(WireLook, content)) return undefined;
  const of = reportKinds.find((kind) => typeof content[kind] === 'number');
  return of ? `${of} ${content[of] as number}` : null;
}

function deletedTo({ userId, roomId, eventId, ...report }: DeletedReport): Static<typeof WireDeleted> {
  return {
    ...report,
    ...(userId !== undefined && { user_id: userId }),
    ...(roomId !== undefined && { room_id: roomId }),
    ...(eventId !== undefined && { event_id: eventId }),
  };
}

function deletedFrom({
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

function subjectTo(subject: Subject) {
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

function subjectFrom(subject: ReturnType<typeof subjectTo>): Subject {
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
