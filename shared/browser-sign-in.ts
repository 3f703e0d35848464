/** Sign-in in a browser, on a page of the server or its authorization server, which redirects back. */
import { type Static, Type } from 'typebox';
import { parseAddress } from './address.ts';
import { LoginFlows } from './api/login.ts';
import { type Connection, ConnectionFailure, expectReply, type Send } from './connection.ts';
import { type Dialect, dialectNames, dialects } from './dialect.ts';
import { discover } from './discover.ts';
import { findMas } from './mas.ts';
import {
  beginSignIn,
  type Client,
  findAuthServer,
  finishSignIn,
  type GrantedTokens,
  masAdminScope,
  onBehalfOf,
  PendingSignIn,
  randomText,
  revoke,
} from './oauth.ts';
import type { OAuthSession } from './session.ts';
import { type SignedIn, signIn } from './sign-in.ts';

type Server = { baseUrl: string; dialect: Dialect };

/** A server's sign-in methods besides access tokens, which always work. */
export const SignInMethods = Type.Object({
  browser: Type.Optional(
    Type.Object({
      kind: Type.Union([Type.Literal('oauth'), Type.Literal('sso')]),
      host: Type.String({ description: 'Whose page it is' }),
    }),
  ),
  /** With a code, in a browser on any device. */
  code: Type.Boolean(),
  password: Type.Boolean(),
  jwt: Type.Boolean(),
});
export type SignInMethods = Static<typeof SignInMethods>;

/** @throws ConnectionFailure as `discover`, or if the server doesn't answer as expected */
export async function findSignInMethods(send: Send, address: string): Promise<SignInMethods> {
  const server = await discover(send, address);
  const [authServer, types] = await Promise.all([
    findAuthServer(send, { ...server, site: parseAddress(address) }),
    loginTypes(send, server),
  ]);
  if (authServer) {
    const { host } = new URL(authServer.authorization_endpoint);
    const code = authServer.device_authorization_endpoint !== undefined;
    return { browser: { kind: 'oauth', host }, code, password: false, jwt: false };
  }
  return {
    ...(types.includes('m.login.sso') && {
      browser: { kind: 'sso' as const, host: new URL(server.baseUrl).host },
    }),
    code: false,
    password: types.includes('m.login.password'),
    jwt: types.includes(server.dialect.jwtLoginType),
  };
}

async function loginTypes(send: Send, { baseUrl, dialect }: Server): Promise<string[]> {
  const reply = await send({ method: 'GET', url: `${baseUrl}${dialect.chat}/client/v3/login` });
  // Synapse lacks this path if it delegates authentication.
  if (reply.status === 404) return [];
  return expectReply(LoginFlows, reply).flows.map(({ type }) => type);
}

/** A sign-in in progress in the browser. */
export const PendingBrowserSignIn = Type.Object({
  baseUrl: Type.String(),
  dialect: Type.Enum(dialectNames),
  state: Type.String(),
  /** If the server delegates authentication. */
  oauth: Type.Optional(PendingSignIn),
});
export type PendingBrowserSignIn = Static<typeof PendingBrowserSignIn>;

/** Query parameter of the redirect that identifies the sign-in. */
export const ssoState = 'sso_state';

/**
 * Returns the page to open in the browser.
 *
 * @throws ConnectionFailure `login_type_unsupported` if the server has none
 */
export async function beginBrowserSignIn(
  send: Send,
  address: string,
  client: Client,
): Promise<{ url: string; pending: PendingBrowserSignIn }> {
  const server = await discover(send, address);
  const { baseUrl, dialect } = server;
  const authServer = await findAuthServer(send, { ...server, site: parseAddress(address) });
  if (authServer) {
    const { url, pending } = await beginSignIn(onBehalfOf(send, baseUrl), authServer, client);
    return { url, pending: { baseUrl, dialect: dialect.name, state: pending.state, oauth: pending } };
  }
  if (!(await loginTypes(send, server)).includes('m.login.sso')) {
    throw new ConnectionFailure(
      'login_type_unsupported',
      /*i18n*/ "This server doesn't support that sign-in method. Choose another.",
    );
  }
  const state = randomText();
  const back = new URL(client.redirectUri);
  back.searchParams.set(ssoState, state);
  const url = new URL(`${baseUrl}${dialect.chat}/client/v3/login/sso/redirect`);
  url.searchParams.set('redirectUrl', back.href);
  return { url: url.href, pending: { baseUrl, dialect: dialect.name, state } };
}

export type BrowserSignedIn = SignedIn & { server: Server; oauth?: OAuthSession } & Pick<Connection, 'mas'>;

/**
 * Finishes the sign-in with the redirect's parameters.
 *
 * @throws ConnectionFailure as `signIn` and `finishSignIn`, after ending the session
 */
export async function finishBrowserSignIn(
  send: Send,
  pending: PendingBrowserSignIn,
  answer: URLSearchParams,
  now: number,
): Promise<BrowserSignedIn> {
  const server = { baseUrl: pending.baseUrl, dialect: dialects[pending.dialect] };
  if (!pending.oauth) {
    const token = answer.get('loginToken');
    if (answer.get(ssoState) !== pending.state || token === null) {
      throw new ConnectionFailure(
        'refused',
        /*i18n*/ 'This response belongs to another sign-in. Sign in again.',
      );
    }
    return { server, ...(await signIn(send, server, { type: 'login_token', token })) };
  }
  const tokens = await finishSignIn(onBehalfOf(send, server.baseUrl), pending.oauth, answer, now);
  return openGranted(send, server, tokens);
}

/** Signs in with granted tokens; revokes them if that fails. */
export async function openGranted(
  send: Send,
  server: Server,
  tokens: GrantedTokens,
): Promise<BrowserSignedIn> {
  const { accessToken, oauth, scope } = tokens;
  const sendToAuthServer = onBehalfOf(send, server.baseUrl);
  try {
    const signedIn = await signIn(send, server, { type: 'access_token', accessToken });
    const { tokenEndpoint } = oauth;
    const mas = scope?.split(' ').includes(masAdminScope)
      ? await findMas(sendToAuthServer, { ...signedIn, tokenEndpoint })
      : undefined;
    return { server, oauth, ...signedIn, ...(mas && { mas }) };
  } catch (error) {
    await revoke(sendToAuthServer, tokens).catch(() => {});
    throw error;
  }
}
