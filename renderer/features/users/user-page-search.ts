import { type Static, Type } from 'typebox';
import { type SearchReader, searchOf } from '../../search.ts';
import { UploadsSearch } from '../../subjects/uploads/uploads-search.ts';

const userParts = ['overview', 'sessions', 'rooms', 'media', 'data'] as const;

/** What the address of a user's page says; of its lists also what is searched for, and in which order. */
const UserPageSearch = Type.Object({
  part: Type.Optional(Type.Enum([...userParts])),
  /** What is searched for among the sessions, the rooms or the account data. */
  find: Type.Optional(Type.String({ minLength: 1 })),
  /** The column that orders the sessions or rooms; one that isn't there orders nothing. */
  by: Type.Optional(Type.String()),
  way: Type.Optional(Type.Enum(['f', 'b'])),
  /** What is searched for among the connections, which stand below the sessions, and their order. */
  origin: Type.Optional(Type.String({ minLength: 1 })),
  originBy: Type.Optional(Type.String()),
  originWay: Type.Optional(Type.Enum(['f', 'b'])),
  ...UploadsSearch.properties,
});
export type UserPageSearch = Static<typeof UserPageSearch>;
export const readUserPageSearch: SearchReader<UserPageSearch> = searchOf(UserPageSearch);
