import { type Static, Type } from 'typebox';
import { type SearchReader, searchOf } from '../../../search.ts';
import { userOrders } from '../user-search.ts';

/** Whose look-alikes the address asks for: a name, or somebody's whole identifier; and the order of those found. */
const LookAlikeSearch = Type.Object({
  search: Type.Optional(Type.String({ minLength: 1 })),
  order: Type.Optional(Type.Enum(userOrders)),
  dir: Type.Optional(Type.Enum(['f', 'b'])),
});
export type LookAlikeSearch = Static<typeof LookAlikeSearch>;
export const readLookAlikeSearch: SearchReader<LookAlikeSearch> = searchOf(LookAlikeSearch);
