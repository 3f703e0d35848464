import { i18n } from '@lingui/core';
import { type Static, Type } from 'typebox';
import type { Connection } from '../../shared/connection.ts';
import { maxReportsPerEntry, type ReportKind, reportKinds, type Subject } from '../../shared/team/entries.ts';
import { Identity } from '../api/identity.ts';
import { RuleTerms } from '../api/policy-lists/policy-rules.ts';
import { inSentence } from '../components/text-hazards.ts';
import type { Server } from '../transport/server.ts';
import { list, number } from '../words/format.ts';

type TemplateValues = { user: string; server: Pick<Connection, 'userId'>; reason: string };

export const placeholders = ['{user}', '{reason}', '{server}', '{moderator}'] as const;

/** Fills in a template. Unknown placeholders stay as they are. */
export function fillTemplate(template: string, { user, server, reason }: TemplateValues): string {
  const values: Record<string, string> = {
    user,
    reason,
    server: server.userId.slice(server.userId.indexOf(':') + 1),
    moderator: server.userId,
  };
  return template.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}

/** Whether a user is local to the connected server. */
export const isLocal = ({ connection }: Pick<Server, 'connection'>, userId: string) =>
  serverPart(userId) === serverPart(connection.userId);

export const serverPart = (userId: string) => userId.slice(userId.indexOf(':') + 1);

const text = Type.String();
/** The cause of the action: reports, or a rule of a policy list. */
const reportFields = {
  /** The rule as text, logged after the reason. */
  listRule: Type.Optional(text),
  reports: Type.Optional(Type.Array(Type.Integer())),
  /** Default: event reports. */
  reportKind: Type.Optional(Type.Enum(['user_report', 'room_report'])),
  /** Those that were escalated. */
  escalated: Type.Optional(Type.Array(Type.Integer())),
  /** Other reports to resolve. `escalated`: the escalated ones of them, whose escalation also ends. */
  further: Type.Optional(
    Type.Array(
      Type.Object({
        of: Type.Enum([...reportKinds]),
        reports: Type.Array(Type.Integer()),
        escalated: Type.Optional(Type.Array(Type.Integer())),
      }),
    ),
  ),
};

/** The target of an action. Stored in jobs. */
export const Item = Type.Union([
  Type.Object({
    kind: Type.Literal('event'),
    roomId: text,
    eventId: text,
    sender: Type.Optional(text),
    ...reportFields,
  }),
  Type.Object({ kind: Type.Literal('user'), userId: text, ...reportFields }),
  /** A user in a room. */
  Type.Object({
    kind: Type.Literal('member'),
    userId: text,
    roomId: text,
    roomName: Type.Optional(text),
    ...reportFields,
  }),
  Type.Object({ kind: Type.Literal('room'), roomId: text, name: Type.Optional(text), ...reportFields }),
  Type.Object({
    kind: Type.Literal('device'),
    userId: text,
    deviceId: text,
    /** In MAS. */
    mas: Type.Optional(
      Type.Object({
        kind: Type.Enum(['compat-sessions', 'user-sessions', 'personal-sessions', 'oauth2-sessions']),
        id: text,
      }),
    ),
    ...reportFields,
  }),
  /** A linked identity. */
  Type.Object({ kind: Type.Literal('identity'), userId: text, identity: Identity, ...reportFields }),
  Type.Object({ kind: Type.Literal('alias'), roomId: text, alias: text, ...reportFields }),
  /** A file, and the event, user or room to log it with. */
  Type.Object({
    kind: Type.Literal('media'),
    uri: text,
    isThumbnail: Type.Optional(Type.Literal(true)),
    of: Type.Union([
      Type.Object({ roomId: text, eventId: text }),
      Type.Object({ userId: text }),
      Type.Object({ roomId: text }),
    ]),
    ...reportFields,
  }),
  /** A report on a user, room or event, to delete. In other code, "filed reports" are only those on users and rooms. */
  Type.Object({
    kind: Type.Literal('filed'),
    of: Type.Enum(['user', 'room', 'event']),
    reportId: Type.Integer(),
    about: text,
    roomId: Type.Optional(text),
    sender: Type.Optional(text),
    /** Reporter, time and reason, to log when it is deleted. */
    by: Type.Optional(text),
    at: Type.Optional(Type.Integer()),
    reason: Type.Optional(text),
    ...reportFields,
  }),
  /** A remote server; logged with the acting admin. */
  Type.Object({
    kind: Type.Literal('destination'),
    destination: text,
    actor: Type.Optional(text),
    ...reportFields,
  }),
  /** A registration token; logged with the acting admin. */
  Type.Object({
    kind: Type.Literal('token'),
    token: text,
    actor: text,
    /** The token in MAS. */
    mas: Type.Optional(Type.Object({ id: text, revoked: Type.Boolean() })),
    ...reportFields,
  }),
  /** A rule of a policy list; logged with the list's room. */
  Type.Object({
    kind: Type.Literal('rule'),
    roomId: text,
    /** The types of the state events that contain it, or will. */
    types: Type.Array(text),
    stateKey: text,
    /** Its entity or hash. */
    name: text,
    /** For a rule to publish. */
    terms: Type.Optional(RuleTerms),
    ...reportFields,
  }),
  /** The connected server; logged with the acting admin. */
  Type.Object({ kind: Type.Literal('server'), name: text, actor: text, ...reportFields }),
]);
export type Item = Static<typeof Item>;
export type Kind = Item['kind'];
export type ItemOf<K extends Kind> = Extract<Item, { kind: K }>;

type TargetList<K extends Kind> = readonly Omit<ItemOf<K>, 'kind'>[];

/** Targets of an action bar, such as a report's event, sender and room, or a selection. */
export type ActionTargets = {
  events?: TargetList<'event'>;
  users?: TargetList<'user'>;
  members?: TargetList<'member'>;
  rooms?: TargetList<'room'>;
  devices?: TargetList<'device'>;
  identities?: TargetList<'identity'>;
  aliases?: TargetList<'alias'>;
  media?: TargetList<'media'>;
  filed?: TargetList<'filed'>;
  destinations?: TargetList<'destination'>;
  tokens?: TargetList<'token'>;
  servers?: TargetList<'server'>;
  rules?: TargetList<'rule'>;
};

const listNames = {
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
  rule: 'rules',
} as const;

/** Returns the items of one kind without duplicates, with their reports merged. */
export function itemsOf(on: ActionTargets, kind: Kind): Item[] {
  const items = new Map<string, Item>();
  for (const given of on[listNames[kind]] ?? []) {
    const item = { kind, ...given } as Item;
    const key = keyOf(item);
    const because = [...(items.get(key)?.reports ?? []), ...(item.reports ?? [])];
    items.set(key, because.length === 0 ? item : { ...item, reports: because.slice(0, maxReportsPerEntry) });
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
    case 'rule':
      return `${item.roomId} ${item.types[0]} ${item.stateKey}`;
  }
}

/** Returns the subject to log an item with: for an event report, the sender. */
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
    case 'rule':
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

/** Returns the reason to log: the given one, and the policy list rule that the item matched. */
export const reasonFor = ({ reason }: { reason: string }, { listRule = '' }: Item): string =>
  [reason, listRule].filter(Boolean).join('\n');

export const reportKindOf = ({ of }: Pick<ItemOf<'filed'>, 'of'>): ReportKind =>
  of === 'event' ? 'report' : `${of}_report`;

/** Returns the user that an action on this item affects. */
export const userOf = (item: Item): string | undefined =>
  item.kind === 'user' || item.kind === 'member' || item.kind === 'device' || item.kind === 'identity'
    ? item.userId
    : undefined;

/** Returns the key of the changed resource: for everything on an account, the user. */
export const undoKeyOf = (item: Item): string => userOf(item) ?? keyOf(item);

/** Returns the room in which the acting admin needs a power level. */
export const roomOf = (item: Item): string | undefined =>
  item.kind === 'event' || item.kind === 'member' || item.kind === 'room' || item.kind === 'rule'
    ? item.roomId
    : undefined;

/** Returns an item's part of its subject, for a log entry's `detail`; undefined if it's the whole subject. */
export function detailOf(item: Item): string | undefined {
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
    case 'rule':
      return item.name;
    case 'filed':
      return `report ${item.reportId}`;
  }
}

/** Returns a name that is unique in a list: with the room of a member, or the ID of a room. */
export function fullNameOf(item: Item): string {
  const name = nameOf(item);
  if (item.kind === 'member')
    return i18n.t('{name} in {room}', { name, room: inSentence(item.roomName ?? item.roomId) });
  const isNamed = item.kind === 'room' && (item.name ?? item.roomId) !== item.roomId;
  return isNamed ? `${name} (${inSentence(item.roomId)})` : name;
}

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
    case 'rule':
      return inSentence(item.name);
  }
}

/** Names that a sentence lists; others are counted. */
export const maxNames = 3;

/** Lists the first names and the number of others. */
export const nameList = (names: readonly string[]) =>
  list([
    ...names.slice(0, maxNames),
    ...(names.length > maxNames ? [i18n.t('{count} more', { count: number(names.length - maxNames) })] : []),
  ]);
