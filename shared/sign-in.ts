/**
 * Sign-in as an admin. Pure: the caller, the shell's main process or the page in a browser, passes in `send`.
 */
import { Type } from 'typebox';
import { ErrorBody } from './api/common.ts';
import { LoginFlows } from './api/login.ts';
import {
  ConnectionFailure,
  expectReply,
  failureOf,
  isProxyAlone,
  type Send,
  silenceOf,
  type TypedCredentials,
} from './connection.ts';
import type { Dialect } from './dialect.ts';
import { fits } from './fits.ts';
import { adminScope } from './oauth.ts';

export type SignedIn = { accessToken: string; userId: string };

/**
 * Signs in, and signs out again if the account isn't a server admin.
 *
 * @throws ConnectionFailure `bad_credentials`, `login_type_unsupported`, `not_administrator`, …
 */
export async function signIn(
  send: Send,
  server: { baseUrl: string; dialect: Dialect },
  credentials: TypedCredentials,
): Promise<SignedIn> {
  const session = await openSession(send, server, credentials);
  try {
    await expectAdministrator(send, server, session);
    return session;
  } catch (error) {
    // Signs out, because the login has created a device.
    if (credentials.type !== 'access_token') {
      const url = `${server.baseUrl}${server.dialect.chat}/client/v3/logout`;
      const { accessToken } = session;
      await send({ method: 'POST', url, accessToken, body: {} }).catch(silenceOf);
    }
    throw error;
  }
}

async function expectAdministrator(
  send: Send,
  { baseUrl, dialect }: { baseUrl: string; dialect: Dialect },
  { accessToken, userId }: SignedIn,
): Promise<void> {
  const paths = `${dialect.administration}/admin/`;
  const url = `${baseUrl}${paths}v1/event_reports?limit=1`;
  const reply = await send({ method: 'GET', url, accessToken }).catch(silenceOf);
  // The server has just answered, so this is a proxy's refusal, which a browser can't read.
  const isSilent = reply instanceof ConnectionFailure;
  if (isSilent && reply.code !== 'unreachable') throw reply;
  if (!isSilent && reply.status === 200) return;
  if (!isSilent && reply.status === 403 && fits(ErrorBody, reply.body)) {
    if (isMasToken.test(accessToken)) {
      throw new ConnectionFailure(
        'not_administrator',
        /*i18n*/ "This access token doesn't include the scope {scope}. Sign in with one that does.",
        { scope: adminScope },
      );
    }
    throw new ConnectionFailure(
      'not_administrator',
      /*i18n*/ "{userId} isn't a server admin. Sign in with an admin account.",
      { userId },
    );
  }
  if (isSilent || [403, 404, 405].includes(reply.status)) {
    throw new ConnectionFailure(
      'administration_hidden',
      /*i18n*/ '{userId} can sign in at {baseUrl}, but a proxy blocks {paths}. Allow your IP address, or use a tunnel (ssh -L 8008:localhost:8008 …) and connect to http://localhost:8008.',
      { userId, baseUrl, paths },
    );
  }
  if (isProxyAlone(reply)) {
    throw new ConnectionFailure(
      'administration_hidden',
      /*i18n*/ '{userId} can sign in at {baseUrl}, but a proxy returns HTTP {status} for {paths}. Route {paths} to the admin process, or use a tunnel (ssh -L 8008:localhost:8008 …) and connect to http://localhost:8008.',
      { userId, baseUrl, paths, status: reply.status },
    );
  }
  throw failureOf(reply);
}

async function openSession(
  send: Send,
  { baseUrl, dialect }: { baseUrl: string; dialect: Dialect },
  credentials: TypedCredentials,
): Promise<SignedIn> {
  if (credentials.type === 'access_token') {
    const { accessToken } = credentials;
    if (!isToken.test(accessToken)) {
      throw new ConnectionFailure('bad_credentials', /*i18n*/ 'Invalid access token. Copy only the token.');
    }
    const reply = await send({
      method: 'GET',
      url: `${baseUrl}${dialect.chat}/client/v3/account/whoami`,
      accessToken,
    });
    return { accessToken, userId: expectReply(OwnAccount, reply).user_id };
  }
  const url = `${baseUrl}${dialect.chat}/client/r0/login`;
  const request = loginBody(dialect, credentials);
  // A sign-in link's token is from the server itself, which needn't list the login type.
  const isListed =
    credentials.type === 'login_token' ||
    expectReply(LoginFlows, await send({ method: 'GET', url })).flows.some(
      ({ type }) => type === request.type,
    );
  if (!isListed) {
    throw new ConnectionFailure(
      'login_type_unsupported',
      /*i18n*/ "This server doesn't support that sign-in method. Choose another.",
    );
  }
  const reply = await send({
    method: 'POST',
    url,
    body: { ...request, initial_device_display_name: 'Gatehouse' },
  });
  const login = expectReply(LoginSession, reply);
  return { accessToken: login.access_token, userId: login.user_id };
}

/** Matrix Authentication Service marks its access tokens, and those for older clients. */
const isMasToken = /^m[ac]t_/;

/** Valid in a header. Other tokens would appear in error messages. */
const isToken = /^[\x21-\x7e]{1,10000}$/;

/** The server is untrusted, and user IDs appear in lists and menus. */
const UserId = Type.String({ maxLength: 255 });

/** Required fields of a login reply. Deployed servers omit `home_server`. */
const LoginSession = Type.Object({
  access_token: Type.String({ pattern: isToken.source }),
  user_id: UserId,
});
const OwnAccount = Type.Object({ user_id: UserId });

function loginBody(dialect: Dialect, credentials: Exclude<TypedCredentials, { type: 'access_token' }>) {
  switch (credentials.type) {
    case 'password':
      return {
        type: 'm.login.password',
        identifier: { type: 'm.id.user', user: credentials.user },
        password: credentials.password,
      };
    case 'jwt':
      return { type: dialect.jwtLoginType, token: credentials.token };
    case 'login_token':
      return { type: 'm.login.token', token: credentials.token };
  }
}
