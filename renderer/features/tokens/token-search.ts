import { type Static, Type } from 'typebox';
import { type SearchReader, searchOf } from '../../search.ts';

const TokenSearch = Type.Object({
  search: Type.Optional(Type.String({ minLength: 1 })),
  show: Type.Optional(Type.Enum(['valid', 'used', 'expired', 'revoked'])),
  order: Type.Optional(Type.Enum(['token', 'completed', 'expiry_time'])),
  dir: Type.Optional(Type.Enum(['f', 'b'])),
  /** The open token. */
  token: Type.Optional(Type.String({ minLength: 1 })),
  /** The dialog for a new token is open. */
  make: Type.Optional(Type.Boolean()),
});
export type TokenSearch = Static<typeof TokenSearch>;
export const readTokenSearch: SearchReader<TokenSearch> = searchOf(TokenSearch);
