/**
 * Sign-in through the authorization server that a homeserver delegates to: authorization code with PKCE and dynamic
 * client registration. Matrix specification 1.15, client-server API, "OAuth 2.0 API".
 */
import { type Static, Type } from 'typebox';
import {
  ConnectionFailure,
  expectReply,
  failureOf,
  type IncomingReply,
  type Send,
  silenceOf,
  succeeded,
} from './connection.ts';
import type { Dialect } from './dialect.ts';
import { fits } from './fits.ts';
import type { OAuthSession, Session } from './session.ts';
import { readWellKnown } from './well-known.ts';

const Url = Type.String({ maxLength: 2_000 });

/** Metadata of an authorization server (RFC 8414), as far as used here. */
const AuthServer = Type.Object({
  issuer: Url,
  authorization_endpoint: Url,
  token_endpoint: Url,
  registration_endpoint: Type.Optional(Url),
  revocation_endpoint: Type.Optional(Url),
  account_management_uri: Type.Optional(Url),
  device_authorization_endpoint: Type.Optional(Url),
  /** Only Matrix Authentication Service has this. */
  'org.matrix.matrix-authentication-service.graphql_endpoint': Type.Optional(Url),
});
type AuthServer = Static<typeof AuthServer>;

/** `isEarly`: the server may only know the scope names of MSC2967. */
type FoundAuthServer = AuthServer & { isEarly: boolean };

/** The project's website: installed apps and local consoles have no public URL. */
export const gatehouseUri = 'https://gatehouse.example/';

export const adminScope = 'urn:synapse:admin:*';
export const masAdminScope = 'urn:mas:admin';

const isMas = (metadata: AuthServer) =>
  metadata['org.matrix.matrix-authentication-service.graphql_endpoint'] !== undefined;

/**
 * Returns the metadata of the authorization server; undefined if the homeserver has its own login.
 *
 * @param site the typed address, whose `.well-known` may name the authorization server
 * @throws ConnectionFailure if the server doesn't answer as expected
 */
export async function findAuthServer(
  send: Send,
  { baseUrl, dialect, site }: { baseUrl: string; dialect: Dialect; site: string },
): Promise<FoundAuthServer | undefined> {
  const stable = await readMetadata(send, `${baseUrl}${dialect.chat}/client/v1/auth_metadata`);
  const metadata = stable ?? (await findEarlyAuthServer(send, baseUrl, dialect, site));
  if (!metadata) return undefined;
  const endpoints = [
    metadata.authorization_endpoint,
    metadata.token_endpoint,
    metadata.registration_endpoint,
    metadata.revocation_endpoint,
    metadata.device_authorization_endpoint,
  ];
  for (const url of endpoints) if (url !== undefined) expectSafe(url, baseUrl);
  return { ...metadata, isEarly: !stable };
}

/** Sends requests to a homeserver's authorization server. */
export const onBehalfOf =
  (send: Send, homeserver: string): Send =>
  (request, signal) =>
    send({ ...request, homeserver }, signal);

async function readMetadata(send: Send, url: string): Promise<AuthServer | undefined> {
  const reply = await send({ method: 'GET', url }).catch(silenceOf);
  if (reply instanceof ConnectionFailure) {
    // Some servers refuse unknown paths without a CORS header, so a browser can't see the reply.
    if (reply.code === 'unreachable') return undefined;
    throw reply;
  }
  if (reply.status === 429) throw failureOf(reply);
  // Proxies refuse unknown paths with any status or an HTML page; the metadata may be elsewhere.
  if (!succeeded(reply) || reply.body === undefined) return undefined;
  return expectReply(AuthServer, reply);
}

const IssuerName = Type.Object({ 'org.matrix.msc2965.authentication': Type.Object({ issuer: Url }) });

/** Finds the metadata as published before Matrix 1.15 (MSC2965). */
async function findEarlyAuthServer(send: Send, baseUrl: string, dialect: Dialect, site: string) {
  const get = (url: string, sender = send) =>
    sender({ method: 'GET', url })
      .catch(silenceOf)
      .then((reply) => (reply instanceof ConnectionFailure ? undefined : reply.body));
  const unstable = await get(`${baseUrl}${dialect.chat}/client/unstable/org.matrix.msc2965/auth_metadata`);
  if (fits(AuthServer, unstable)) return unstable;
  for (const origin of new Set([new URL(site).origin, new URL(baseUrl).origin])) {
    const wellKnown = await readWellKnown(send, origin);
    if (!fits(IssuerName, wellKnown)) continue;
    const { issuer } = wellKnown['org.matrix.msc2965.authentication'];
    expectSafe(issuer, baseUrl);
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const metadata = await get(url, onBehalfOf(send, baseUrl));
    if (fits(AuthServer, metadata) && metadata.issuer === issuer) return metadata;
  }
  return undefined;
}

/** Requires https if the homeserver has it. */
export function expectSafe(url: string, baseUrl: string): void {
  const protocol = URL.parse(url)?.protocol;
  if (protocol === 'https:' || (protocol === 'http:' && baseUrl.startsWith('http:'))) return;
  throw new ConnectionFailure(
    'refused',
    /*i18n*/ "The sign-in page isn't encrypted: {url}. Use https for the authentication service.",
    { url },
  );
}

/** Client metadata for the authorization server. */
export type Client = {
  clientUri: string;
  redirectUri: string;
  /** Whether the redirect leads to this computer. */
  isNative: boolean;
  /** The part of the redirect's URL with its parameters. A fragment isn't sent to the page's server. */
  responseMode: 'query' | 'fragment';
};

/** The registered client, and its token endpoints. */
type OAuthClient = Pick<OAuthSession, 'clientId' | 'tokenEndpoint' | 'revocationEndpoint'>;

const Registered = Type.Object({ client_id: Type.String({ maxLength: 2_000 }) });

/** State of a sign-in in progress, needed to finish it after the redirect. */
export const PendingSignIn = Type.Object({
  issuer: Type.String(),
  clientId: Type.String(),
  tokenEndpoint: Type.String(),
  revocationEndpoint: Type.Optional(Type.String()),
  redirectUri: Type.String(),
  state: Type.String(),
  codeVerifier: Type.String(),
});
export type PendingSignIn = Static<typeof PendingSignIn>;

/**
 * Registers the app and returns the page to open in a browser.
 *
 * @param redirectUri target of the redirect; a port on this computer isn't part of the registration
 */
export async function beginSignIn(
  send: Send,
  authServer: FoundAuthServer,
  { clientUri, redirectUri, isNative, responseMode }: Client,
): Promise<{ url: string; pending: PendingSignIn }> {
  const registered = new URL(redirectUri);
  if (isNative) registered.port = '';
  const client = await register(send, authServer, {
    client_uri: clientUri,
    redirect_uris: [registered.href],
    application_type: isNative ? 'native' : 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  });
  const pending: PendingSignIn = {
    issuer: authServer.issuer,
    ...client,
    redirectUri,
    state: randomText(),
    codeVerifier: randomText(),
  };
  const url = new URL(authServer.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    response_mode: responseMode,
    client_id: pending.clientId,
    redirect_uri: redirectUri,
    scope: scopesFor(authServer),
    state: pending.state,
    code_challenge: await challenge(pending.codeVerifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, pending };
}

/** Registers the app (RFC 7591), with metadata that depends on the grant. */
export async function register(
  send: Send,
  authServer: FoundAuthServer,
  metadata: Record<string, unknown>,
): Promise<OAuthClient> {
  const { registration_endpoint, revocation_endpoint, token_endpoint } = authServer;
  if (registration_endpoint === undefined) {
    throw new ConnectionFailure(
      'login_type_unsupported',
      /*i18n*/ "The authentication service doesn't register apps. Sign in with an access token.",
    );
  }
  const reply = await send({
    method: 'POST',
    url: registration_endpoint,
    body: { client_name: 'Gatehouse', token_endpoint_auth_method: 'none', ...metadata },
  });
  if (fits(OAuthError, reply.body)) throw oauthFailure(reply.body);
  return {
    clientId: expectReply(Registered, reply).client_id,
    tokenEndpoint: token_endpoint,
    ...(revocation_endpoint !== undefined && { revocationEndpoint: revocation_endpoint }),
  };
}

/** Returns 43 random characters: letters, digits, `-` and `_`. */
export const randomText = () => base64Url(crypto.getRandomValues(new Uint8Array(32)));

const base64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

export function scopesFor(authServer: FoundAuthServer): string {
  const client = authServer.isEarly ? 'urn:matrix:org.matrix.msc2967.client' : 'urn:matrix:client';
  const scopes = [`${client}:api:*`, `${client}:device:${newDeviceId()}`, adminScope];
  return (isMas(authServer) ? [...scopes, masAdminScope] : scopes).join(' ');
}

/** MAS documents letters, digits and `-`, and at least 10 of them. */
const newDeviceId = () => randomText().slice(0, 20).replaceAll('_', '-');

async function challenge(codeVerifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));
  return base64Url(new Uint8Array(digest));
}

export type Tokens = { accessToken: string; oauth: OAuthSession };
/** `scope`: undefined if it's the requested one. */
export type GrantedTokens = Tokens & { scope: string | undefined };

/**
 * Exchanges the redirect's code for tokens.
 *
 * @throws ConnectionFailure `cancelled` if the user declined; `not_administrator` if the tokens don't allow administration,
 *   after revoking them
 */
export async function finishSignIn(
  send: Send,
  pending: PendingSignIn,
  answer: URLSearchParams,
  now: number,
): Promise<GrantedTokens> {
  const issuer = answer.get('iss');
  if (answer.get('state') !== pending.state || (issuer !== null && issuer !== pending.issuer)) {
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ 'This response belongs to another sign-in. Sign in again.',
    );
  }
  const error = answer.get('error');
  if (error !== null) {
    throw oauthFailure({ error, error_description: answer.get('error_description') ?? undefined });
  }
  const { clientId, tokenEndpoint, revocationEndpoint, redirectUri, codeVerifier } = pending;
  const reply = await postForm(send, tokenEndpoint, {
    grant_type: 'authorization_code',
    code: answer.get('code') ?? '',
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: codeVerifier,
  });
  const client = { clientId, tokenEndpoint, ...(revocationEndpoint !== undefined && { revocationEndpoint }) };
  return acceptTokens(send, reply, client, now);
}

/** Returns the granted tokens; revokes them and throws `not_administrator` if they don't allow administration. */
export async function acceptTokens(
  send: Send,
  reply: IncomingReply,
  client: OAuthClient,
  now: number,
): Promise<GrantedTokens> {
  const { tokens, scope } = readTokens(reply, client, now);
  if (scope !== undefined && !scope.split(' ').includes(adminScope)) {
    await revoke(send, tokens).catch(() => {});
    throw new ConnectionFailure(
      'not_administrator',
      /*i18n*/ "The authentication service doesn't grant {scope}. Sign in with an account that may request it.",
      { scope: adminScope },
    );
  }
  return { ...tokens, scope };
}

const TokenReply = Type.Object({
  access_token: Type.String({ pattern: '^[\\x21-\\x7e]{1,10000}$' }),
  token_type: Type.String(),
  expires_in: Type.Optional(Type.Number()),
  refresh_token: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
});

function readTokens(reply: IncomingReply, server: OAuthSession, now: number) {
  if (fits(OAuthError, reply.body)) throw oauthFailure(reply.body);
  const { access_token, expires_in, refresh_token, scope } = expectReply(TokenReply, reply);
  const oauth: OAuthSession = {
    ...server,
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(expires_in !== undefined && { expiresAt: now + expires_in * 1000 }),
  };
  return { tokens: { accessToken: access_token, oauth }, scope };
}

/**
 * Exchanges the refresh token for new tokens. Returns undefined if it's no longer valid: the session has ended, or another
 * tab used it.
 *
 * @throws ConnectionFailure if the authorization server doesn't answer
 */
export async function refreshTokens(
  send: Send,
  { expiresAt: _, ...oauth }: OAuthSession,
  now: number,
): Promise<Tokens | undefined> {
  const { clientId, tokenEndpoint, refreshToken } = oauth;
  if (refreshToken === undefined) return undefined;
  const reply = await postForm(send, tokenEndpoint, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: clientId,
  });
  if (fits(OAuthError, reply.body) && /^(invalid|unauthorized)_/.test(reply.body.error)) return undefined;
  return readTokens(reply, oauth, now).tokens;
}

/** Ends the session: all of its tokens (RFC 7009). */
export async function revoke(send: Send, { accessToken, oauth }: Pick<Session, 'accessToken' | 'oauth'>) {
  if (oauth?.revocationEndpoint === undefined) return;
  const { clientId, revocationEndpoint, refreshToken } = oauth;
  const reply = await postForm(send, revocationEndpoint, {
    token: refreshToken ?? accessToken,
    token_type_hint: refreshToken === undefined ? 'access_token' : 'refresh_token',
    client_id: clientId,
  });
  if (reply.status >= 400) throw failureOf(reply);
}

export const postForm = (send: Send, url: string, fields: Record<string, string>) =>
  send({
    method: 'POST',
    url,
    content: {
      type: 'application/x-www-form-urlencoded',
      bytes: new TextEncoder().encode(new URLSearchParams(fields).toString()),
    },
  });

export const OAuthError = Type.Object({
  error: Type.String(),
  error_description: Type.Optional(Type.String()),
});

/** @param error one of RFC 6749's codes */
function oauthFailure({ error, error_description }: Static<typeof OAuthError>): ConnectionFailure {
  if (error === 'access_denied') {
    return new ConnectionFailure('cancelled', /*i18n*/ 'Sign-in declined in the browser.');
  }
  return new ConnectionFailure(
    'refused',
    /*i18n*/ 'The authentication service refused the sign-in: {error}',
    { error: (error_description || error).slice(0, 500) },
  );
}
