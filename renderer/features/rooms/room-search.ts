import { type Static, Type } from 'typebox';
import type { RoomListFilter } from '../../api/room-list.ts';
import { type SearchReader, searchOf } from '../../search.ts';

const orders = [
  'name',
  'canonical_alias',
  'joined_members',
  'joined_local_members',
  'version',
  'creator',
  'encryption',
  'public',
  'join_rules',
  'history_visibility',
  'state_events',
];

/** Filters that the server lacks. `abandoned`: no local members. */
export const roomTraits = ['abandoned', 'blocked', 'encrypted', 'unencrypted', 'space'] as const;
export type RoomTrait = (typeof roomTraits)[number];

const RoomSearch = Type.Object({
  search: Type.Optional(Type.String({ minLength: 1 })),
  listed: Type.Optional(Type.Boolean()),
  empty: Type.Optional(Type.Boolean()),
  is: Type.Optional(Type.Array(Type.Enum([...roomTraits]))),
  order: Type.Optional(Type.Enum(orders)),
  dir: Type.Optional(Type.Enum(['f', 'b'])),
});
export type RoomSearch = Static<typeof RoomSearch>;
export const readRoomSearch: SearchReader<RoomSearch> = searchOf(RoomSearch);

export const filterOf = ({ search, listed, empty, order, dir }: RoomSearch): RoomListFilter => ({
  search,
  isPublic: listed,
  isEmpty: empty,
  order: order ?? 'name',
  dir: dir ?? 'f',
});

export const noFilters = {
  search: undefined,
  listed: undefined,
  empty: undefined,
  is: undefined,
} satisfies Partial<RoomSearch>;

export const isFiltered = ({ search, listed, empty, is }: RoomSearch) =>
  search !== undefined || listed !== undefined || empty !== undefined || is !== undefined;

const RoomPageSearch = Type.Object({
  part: Type.Optional(Type.Enum(['overview', 'members', 'state', 'messages', 'spaces'])),
  /** Search text in members or state. */
  find: Type.Optional(Type.String({ minLength: 1 })),
  /** Sort column of the members. */
  order: Type.Optional(Type.Enum(['user', 'name', 'power'])),
  dir: Type.Optional(Type.Enum(['f', 'b'])),
  /** The event that messages are shown around, or the open state event. */
  event: Type.Optional(Type.String({ minLength: 1 })),
});
export type RoomPageSearch = Static<typeof RoomPageSearch>;
export const readRoomPageSearch: SearchReader<RoomPageSearch> = searchOf(RoomPageSearch);
