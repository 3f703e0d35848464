/** Tokens with which people register. The reference homeserver's "Registration Tokens". */
import { queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { EmptyObject, Nullable } from '../../shared/api/common.ts';
import { NotFound } from '../transport/refusal.ts';
import { body, type Server } from '../transport/server.ts';
import { getList } from './lenient.ts';

export const RegistrationToken = Type.Object({
  token: Type.String(),
  /** Null for any number. */
  uses_allowed: Nullable(Type.Integer()),
  /** Registrations that have begun with it and not ended. */
  pending: Type.Integer(),
  completed: Type.Integer(),
  /** In milliseconds since the Unix epoch; null for never. */
  expiry_time: Nullable(Type.Number()),
});
export type RegistrationToken = Static<typeof RegistrationToken>;

const path = '/v1/registration_tokens';
const pathOf = (token: string) => `${path}/${encodeURIComponent(token)}`;

/** All of them: the interface gives no pages. */
export const registrationTokensQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'registration-tokens'],
    queryFn: async ({ signal }) =>
      (await getList(server, RegistrationToken, 'registration_tokens', path, { signal })).rows,
    staleTime: 30_000,
  });

const Limits = { uses_allowed: Nullable(Type.Integer()), expiry_time: Nullable(Type.Integer()) };
const TokenLimits = Type.Object(Limits);
export type TokenLimits = Static<typeof TokenLimits>;
const NewToken = Type.Object({
  ...Limits,
  token: Type.Optional(Type.String()),
  length: Type.Optional(Type.Integer()),
});
/** Its own words, or so many random letters. */
export type NewToken = Static<typeof NewToken>;

export const makeToken = (server: Server, token: NewToken) =>
  server.send('POST', RegistrationToken, `${path}/new`, { body: body(NewToken, token) });

export const changeToken = (server: Server, token: string, limits: TokenLimits) =>
  server.send('PUT', RegistrationToken, pathOf(token), { body: body(TokenLimits, limits) });

/** Nothing is wrong where someone else was faster. */
export async function deleteToken(server: Server, token: string): Promise<void> {
  try {
    await server.send('DELETE', EmptyObject, pathOf(token));
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
}
