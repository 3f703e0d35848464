import { type Static, Type } from 'typebox';
import { type SearchReader, searchOf } from '../../search.ts';
import { UploadsSearch } from '../../subjects/uploads/uploads-search.ts';

export const userParts = ['overview', 'sessions', 'rooms', 'media', 'data'] as const;

/** What the address of a user's page says: of its part with media also which, and in which order. */
const UserPageSearch = Type.Object({
  part: Type.Optional(Type.Enum([...userParts])),
  ...UploadsSearch.properties,
});
export type UserPageSearch = Static<typeof UserPageSearch>;
export const readUserPageSearch: SearchReader<UserPageSearch> = searchOf(UserPageSearch);
