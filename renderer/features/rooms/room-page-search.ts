import { type Static, Type } from 'typebox';
import { type SearchReader, searchOf } from '../../search.ts';

/** What the address of a room's page says. */
const RoomPageSearch = Type.Object({
  part: Type.Optional(Type.Enum(['overview', 'members', 'state', 'messages', 'spaces'])),
  /** What is searched for among the members, or in the state. */
  find: Type.Optional(Type.String({ minLength: 1 })),
  /** How the members are ordered. */
  order: Type.Optional(Type.Enum(['user', 'name', 'power'])),
  dir: Type.Optional(Type.Enum(['f', 'b'])),
  /** Around which event the messages are read, or which event of the state is open. */
  event: Type.Optional(Type.String({ minLength: 1 })),
});
export type RoomPageSearch = Static<typeof RoomPageSearch>;
export const readRoomPageSearch: SearchReader<RoomPageSearch> = searchOf(RoomPageSearch);
