import { type Static, Type } from 'typebox';
import { type SearchReader, searchOf } from '../../search.ts';

export const userParts = ['overview', 'sessions', 'rooms', 'media', 'data'] as const;

/** What the address of a user's page says. */
const UserPageSearch = Type.Object({
  part: Type.Optional(Type.Enum([...userParts])),
  /** How the list of media is ordered. */
  order: Type.Optional(
    Type.Enum(['created_ts', 'last_access_ts', 'media_length', 'media_type', 'upload_name']),
  ),
  dir: Type.Optional(Type.Enum(['f', 'b'])),
});
export type UserPageSearch = Static<typeof UserPageSearch>;
export const readUserPageSearch: SearchReader<UserPageSearch> = searchOf(UserPageSearch);
