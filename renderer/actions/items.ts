import { i18n } from '@lingui/core';
import { type Static, Type } from 'typebox';
import type { Connection } from '../../shared/connection.ts';
import { Identity } from '../api/identity.ts';
import { textPieces } from '../components/text-hazards.ts';
import { mostReportsAtOnce, type ReportKind, reportKinds, type Subject } from '../team/entries.ts';
import type { Server } from '../transport/server.ts';
import { list, number } from '../words/format.ts';

type Filling = { user: string; server: Pick<Connection, 'userId'>; reason: string };

/** What stands for something else in a template. */
export const placeholders = ['{user}', '{reason}', '{server}', '{moderator}'] as const;

/** A template as one recipient gets it. What it names and isn't known stays empty. */
export function filled(template: string, { user, server, reason }: Filling): string {
  const values: Record<string, string> = {
    user,
    reason,
    server: server.userId.slice(server.userId.indexOf(':') + 1),
    moderator: server.userId,
  };
  return template.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}

/** Whether a user is of the connected server itself; others are administered elsewhere. */
export const isLocal = ({ connection }: Pick<Server, 'connection'>, userId: string) =>
  serverPart(userId) === serverPart(connection.userId);

export const serverPart = (userId: string) => userId.slice(userId.indexOf(':') + 1);

// What can be acted on, one or many at a time.

const text = Type.String();
/** Because of which reports it is acted on; they stand in the log. */
const because = {
  reports: Type.Optional(Type.Array(Type.Integer())),
  /** What those are on: events, where it is left out. */
  reportKind: Type.Optional(Type.Enum(['user_report', 'room_report'])),
  /** Those that were escalated before. */
  escalated: Type.Optional(Type.Array(Type.Integer())),
  /** The other reports on it that are marked reviewed by it. */
  further: Type.Optional(
    Type.Array(Type.Object({ of: Type.Enum([...reportKinds]), reports: Type.Array(Type.Integer()) })),
  ),
};

/** One thing that an action is done to. */
export const Item = Type.Union([
  Type.Object({
    kind: Type.Literal('event'),
    roomId: text,
    eventId: text,
    sender: Type.Optional(text),
    ...because,
  }),
  Type.Object({ kind: Type.Literal('user'), userId: text, ...because }),
  /** A user in a room. */
  Type.Object({
    kind: Type.Literal('member'),
    userId: text,
    roomId: text,
    roomName: Type.Optional(text),
    ...because,
  }),
  Type.Object({ kind: Type.Literal('room'), roomId: text, name: Type.Optional(text), ...because }),
  /** One session of a user's. */
  Type.Object({
    kind: Type.Literal('device'),
    userId: text,
    deviceId: text,
    /** Where MAS has it. */
    mas: Type.Optional(
      Type.Object({
        kind: Type.Enum(['compat-sessions', 'user-sessions', 'personal-sessions', 'oauth2-sessions']),
        id: text,
      }),
    ),
    ...because,
  }),
  /** By what a user is known elsewhere. */
  Type.Object({ kind: Type.Literal('identity'), userId: text, identity: Identity, ...because }),
  /** An address of a room. */
  Type.Object({ kind: Type.Literal('alias'), roomId: text, alias: text, ...because }),
  /** An upload, and the event, the user or the room that it belongs to: the log knows no uploads. */
  Type.Object({
    kind: Type.Literal('media'),
    uri: text,
    isThumbnail: Type.Optional(Type.Literal(true)),
    of: Type.Union([
      Type.Object({ roomId: text, eventId: text }),
      Type.Object({ userId: text }),
      Type.Object({ roomId: text }),
    ]),
    ...because,
  }),
  /** A report, and the user, room or event that it is about; of an event, with its room and sender. */
  Type.Object({
    kind: Type.Literal('filed'),
    of: Type.Enum(['user', 'room', 'event']),
    reportId: Type.Integer(),
    about: text,
    roomId: Type.Optional(text),
    sender: Type.Optional(text),
    /** Its reporter, time and reason: the log keeps them when it is deleted. */
    by: Type.Optional(text),
    at: Type.Optional(Type.Integer()),
    reason: Type.Optional(text),
    ...because,
  }),
  /** Another server, and who acts on it: the log has it with them. */
  Type.Object({
    kind: Type.Literal('destination'),
    destination: text,
    actor: Type.Optional(text),
    ...because,
  }),
  /** What people register with, and who acts on it, likewise. */
  Type.Object({
    kind: Type.Literal('token'),
    token: text,
    actor: text,
    /** Where MAS has it. */
    mas: Type.Optional(Type.Object({ id: text, revoked: Type.Boolean() })),
    ...because,
  }),
  /** The connected server as a whole, and who acts on it: the log has it with them. */
  Type.Object({ kind: Type.Literal('server'), name: text, actor: text, ...because }),
]);
export type Item = Static<typeof Item>;
export type Kind = Item['kind'];
export type ItemOf<K extends Kind> = Extract<Item, { kind: K }>;

type Given<K extends Kind> = readonly Omit<ItemOf<K>, 'kind'>[];

/** What an action bar stands for: a report's event, sender and room, a page's user, everything selected in a list. */
export type ActedOn = {
  events?: Given<'event'>;
  users?: Given<'user'>;
  members?: Given<'member'>;
  rooms?: Given<'room'>;
  devices?: Given<'device'>;
  identities?: Given<'identity'>;
  aliases?: Given<'alias'>;
  media?: Given<'media'>;
  filed?: Given<'filed'>;
  destinations?: Given<'destination'>;
  tokens?: Given<'token'>;
  servers?: Given<'server'>;
};

const places = {
  event: 'events',
  user: 'users',
  member: 'members',
  room: 'rooms',
  filed: 'filed',
  destination: 'destinations',
  token: 'tokens',
  server: 'servers',
  device: 'devices',
  identity: 'identities',
  alias: 'aliases',
  media: 'media',
} as const;

/** The items of one kind, each once, with all the reports that it is there for. */
export function itemsOf(on: ActedOn, kind: Kind): Item[] {
  const items = new Map<string, Item>();
  for (const given of on[places[kind]] ?? []) {
    const item = { kind, ...given } as Item;
    const key = keyOf(item);
    const because = [...(items.get(key)?.reports ?? []), ...(item.reports ?? [])];
    items.set(key, because.length === 0 ? item : { ...item, reports: because.slice(0, mostReportsAtOnce) });
  }
  return [...items.values()];
}

export function keyOf(item: Item): string {
  switch (item.kind) {
    case 'event':
      return item.eventId;
    case 'user':
      return item.userId;
    case 'member':
      return `${item.userId} ${item.roomId}`;
    case 'room':
      return item.roomId;
    case 'device':
      return `${item.userId} ${item.mas?.id ?? item.deviceId}`;
    case 'identity':
      return `${item.userId} ${JSON.stringify(item.identity)}`;
    case 'alias':
      return item.alias;
    case 'media':
      return item.uri;
    case 'filed':
      return `report ${item.reportId} on a ${item.of}`;
    case 'destination':
      return item.destination;
    case 'token':
      return item.token;
    case 'server':
      return item.name;
  }
}

/** Whose history an item's entry in the team's log belongs to: of a report on an event, its sender's. */
export function subjectOf(item: Item): Subject | undefined {
  switch (item.kind) {
    case 'event':
      return { kind: 'event', roomId: item.roomId, eventId: item.eventId };
    case 'user':
    case 'member':
    case 'device':
    case 'identity':
      return { kind: 'user', userId: item.userId };
    case 'room':
    case 'alias':
      return { kind: 'room', roomId: item.roomId };
    case 'media':
      if ('userId' in item.of) return { kind: 'user', ...item.of };
      return 'eventId' in item.of ? { kind: 'event', ...item.of } : { kind: 'room', ...item.of };
    case 'filed':
      if (item.of === 'room') return { kind: 'room', roomId: item.about };
      if (item.of === 'user') return { kind: 'user', userId: item.about };
      return item.sender === undefined
        ? { kind: 'event', roomId: item.roomId ?? '', eventId: item.about }
        : { kind: 'user', userId: item.sender };
    case 'destination':
    case 'token':
    case 'server':
      return item.actor === undefined ? undefined : { kind: 'user', userId: item.actor };
  }
}

/** Which list of reports a report is in. */
export const reportKindOf = ({ of }: Pick<ItemOf<'filed'>, 'of'>): ReportKind =>
  of === 'event' ? 'report' : `${of}_report`;

/** The user whom an action on this item befalls. */
export const userOf = (item: Item): string | undefined =>
  item.kind === 'user' || item.kind === 'member' || item.kind === 'device' || item.kind === 'identity'
    ? item.userId
    : undefined;

/** The room in which the one who acts needs power. */
export const roomOf = (item: Item): string | undefined =>
  item.kind === 'event' || item.kind === 'member' ? item.roomId : undefined;

/** Which part of its subject an item is, as entries of the log name it; undefined where it is all of it. */
export function partOf(item: Item): string | undefined {
  switch (item.kind) {
    case 'media':
      return item.uri;
    case 'member':
      return item.roomId;
    case 'device':
      return item.deviceId;
    case 'alias':
      return item.alias;
    case 'identity':
      return Object.values(item.identity).join(' ');
    case 'filed':
      return `report ${item.reportId}`;
  }
}

/**
 * A name that someone chose, as part of a sentence: what hides in it shows, and what it does to the direction of
 * text ends with it.
 */
export function inSentence(name: string): string {
  const visible = textPieces(name)
    .map(({ text, hazard }) => (hazard === undefined ? text : `[${hazard}]`))
    .join('');
  const isPlain = /^[\x20-\x7e]*$/.test(visible) && document.dir !== 'rtl';
  return isPlain ? visible : `\u2068${visible}\u2069`;
}

/** What one calls it among others: of a user in a room, also which; of a room, also its identifier. */
export function wholeNameOf(item: Item): string {
  const name = nameOf(item);
  if (item.kind === 'member')
    return i18n.t('{name} in {room}', { name, room: inSentence(item.roomName ?? item.roomId) });
  const isNamed = item.kind === 'room' && (item.name ?? item.roomId) !== item.roomId;
  return isNamed ? `${name} (${inSentence(item.roomId)})` : name;
}

/** What one calls it. */
export function nameOf(item: Item): string {
  switch (item.kind) {
    case 'event':
      return inSentence(item.eventId);
    case 'user':
    case 'member':
      return inSentence(item.userId);
    case 'room':
      return inSentence(item.name ?? item.roomId);
    case 'device':
      return inSentence(item.deviceId);
    case 'identity':
      return inSentence(
        'medium' in item.identity ? item.identity.address : `${item.identity.provider} ${item.identity.id}`,
      );
    case 'alias':
      return inSentence(item.alias);
    case 'media':
      return inSentence(item.uri);
    case 'filed':
      return i18n.t('report {id} on {about}', {
        id: item.reportId,
        about: inSentence(item.sender ?? item.about),
      });
    case 'destination':
      return inSentence(item.destination);
    case 'token':
      return inSentence(item.token);
    case 'server':
      return inSentence(item.name);
  }
}

const mostNamed = 3;

/** The first of these names, and how many more there are. */
export const named = (names: readonly string[]) =>
  list([
    ...names.slice(0, mostNamed),
    ...(names.length > mostNamed
      ? [i18n.t('{count} more', { count: number(names.length - mostNamed) })]
      : []),
  ]);
