/** What can be acted on, one or many at a time. */
import { type Static, Type } from 'typebox';
import type { Subject } from '../team/entries.ts';

const text = Type.String();

/** One thing that an action is done to. */
export const Item = Type.Union([
  Type.Object({ kind: Type.Literal('event'), roomId: text, eventId: text }),
  Type.Object({ kind: Type.Literal('user'), userId: text }),
  /** A user in a room. */
  Type.Object({ kind: Type.Literal('member'), userId: text, roomId: text }),
  Type.Object({ kind: Type.Literal('room'), roomId: text, name: Type.Optional(text) }),
  /** An upload, and the event or the user that it belongs to: the log knows no uploads. */
  Type.Object({
    kind: Type.Literal('media'),
    uri: text,
    of: Type.Union([Type.Object({ roomId: text, eventId: text }), Type.Object({ userId: text })]),
  }),
]);
export type Item = Static<typeof Item>;
export type Kind = Item['kind'];
export type ItemOf<K extends Kind> = Extract<Item, { kind: K }>;

type Given<K extends Kind> = readonly Omit<ItemOf<K>, 'kind'>[];

/** What an action bar stands for: a report's event, sender and room, a page's user, everything selected in a list. */
export type ActedOn = {
  /** Because of which reports; they stand in the log. */
  reports?: readonly number[];
  events?: Given<'event'>;
  users?: Given<'user'>;
  members?: Given<'member'>;
  rooms?: Given<'room'>;
  media?: Given<'media'>;
};

const places = { event: 'events', user: 'users', member: 'members', room: 'rooms', media: 'media' } as const;

/** The items of one kind, each once. */
export function itemsOf(on: ActedOn, kind: Kind): Item[] {
  const items = (on[places[kind]] ?? []).map((given) => ({ kind, ...given }) as Item);
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
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
    case 'media':
      return item.uri;
  }
}

/** Whose history an item's entry in the team's log belongs to. */
export function subjectOf(item: Item): Subject {
  switch (item.kind) {
    case 'event':
      return { kind: 'event', roomId: item.roomId, eventId: item.eventId };
    case 'user':
    case 'member':
      return { kind: 'user', userId: item.userId };
    case 'room':
      return { kind: 'room', roomId: item.roomId };
    case 'media':
      return 'userId' in item.of ? { kind: 'user', ...item.of } : { kind: 'event', ...item.of };
  }
}

/** The user whom an action on this item befalls. */
export const userOf = (item: Item): string | undefined =>
  item.kind === 'user' || item.kind === 'member' ? item.userId : undefined;

/** The room in which the one who acts needs power. */
export const roomOf = (item: Item): string | undefined =>
  item.kind === 'event' || item.kind === 'member' ? item.roomId : undefined;
