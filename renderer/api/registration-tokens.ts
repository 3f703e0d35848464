/** Registration tokens. Synapse's "Registration Tokens". */
import { queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { EmptyObject, Nullable } from '../../shared/api/common.ts';
import { NoSuchEndpoint, NotFound } from '../transport/refusal.ts';
import { body, type Server } from '../transport/server.ts';
import { getList, isExpected, type UnexpectedEntry } from './lenient.ts';
import { masList } from './mas/mas.ts';

const Token = Type.Object({
  token: Type.String(),
  /** Null for unlimited. */
  uses_allowed: Nullable(Type.Integer()),
  /** Registrations in progress. */
  pending: Type.Integer(),
  completed: Type.Integer(),
  /** In milliseconds since the Unix epoch; null for never. */
  expiry_time: Nullable(Type.Number()),
});
/** `mas`: of the token in MAS, which revokes tokens instead of deleting them. */
export type RegistrationToken = Static<typeof Token> & { mas?: { id: string; revoked: boolean } };

const time = Type.Optional(Nullable(Type.String({ description: 'ISO 8601' })));
const MasToken = Type.Object({
  token: Type.String(),
  usage_limit: Type.Optional(Nullable(Type.Integer())),
  times_used: Type.Integer(),
  expires_at: time,
  revoked_at: time,
});
const OneMasToken = Type.Object({ data: Type.Object({ id: Type.String(), attributes: MasToken }) });

const tokenOfMas = ({
  id,
  attributes: { token, usage_limit, times_used, expires_at, revoked_at },
}: Static<typeof OneMasToken>['data']): RegistrationToken => ({
  token,
  uses_allowed: usage_limit ?? null,
  pending: 0,
  completed: times_used,
  expiry_time: expires_at ? Date.parse(expires_at) : null,
  mas: { id, revoked: Boolean(revoked_at) },
});

const path = '/v1/registration_tokens';
const masPath = '/user-registration-tokens';
const pathOf = (token: string) => `${path}/${encodeURIComponent(token)}`;

/** The API has no paging. */
export const registrationTokensQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'registration-tokens'],
    queryFn: async ({ signal }): Promise<(RegistrationToken | UnexpectedEntry)[]> =>
      server.mas
        ? (await masList(server, masPath, MasToken, {}, signal)).map((entry) =>
            isExpected(entry) ? tokenOfMas(entry) : entry,
          )
        : (await getList(server, Token, 'registration_tokens', path, { signal })).rows,
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
/** Either `token`, or a random one of `length`. */
export type NewToken = Static<typeof NewToken>;

/** MAS chooses the length of random tokens. */
export const createToken = async (server: Server, token: NewToken): Promise<RegistrationToken> =>
  server.mas
    ? sendToMas(server, 'POST', masPath, {
        ...(token.token !== undefined && { token: token.token }),
        ...masLimits(token),
      })
    : server.send('POST', Token, `${path}/new`, { body: body(NewToken, token) });

export const changeToken = async (
  server: Server,
  { token, mas }: Pick<RegistrationToken, 'token' | 'mas'>,
  limits: TokenLimits,
): Promise<RegistrationToken> =>
  mas
    ? sendToMas(server, 'PUT', masPathOf(mas), masLimits(limits))
    : server.send('PUT', Token, pathOf(token), { body: body(TokenLimits, limits) });

const masPathOf = ({ id }: { id: string }) => `${masPath}/${encodeURIComponent(id)}`;

const masLimits = ({ uses_allowed, expiry_time }: TokenLimits) => ({
  usage_limit: uses_allowed,
  expires_at: expiry_time === null ? null : new Date(expiry_time).toISOString(),
});

async function sendToMas({ mas }: Server, method: 'POST' | 'PUT', path: string, value: object) {
  if (!mas) throw new NoSuchEndpoint();
  return tokenOfMas((await mas.send(method, OneMasToken, path, { body: body(Type.Unknown(), value) })).data);
}

/** Revokes or unrevokes a token in MAS. Returns whether it was revoked before. */
export async function setRevoked(server: Server, token: { id: string }, revoked: boolean): Promise<boolean> {
  if (!server.mas) throw new NoSuchEndpoint();
  const { data } = await server.mas.get(OneMasToken, masPathOf(token));
  const before = tokenOfMas(data).mas?.revoked === true;
  // MAS refuses to repeat it.
  if (before !== revoked)
    await sendToMas(server, 'POST', `${masPathOf(token)}/${revoked ? 'revoke' : 'unrevoke'}`, {});
  return before;
}

/** Succeeds if the token is already gone. */
export async function deleteToken(server: Server, token: string): Promise<void> {
  try {
    await server.send('DELETE', EmptyObject, pathOf(token));
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
}
