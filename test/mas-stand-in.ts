/**
 * A stand-in for Matrix Authentication Service, with the endpoints and rules of its documentation and default policy.
 * Its sign-in page signs the user in immediately.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Send } from '../shared/connection.ts';
import { parseJson } from '../shared/reply-content.ts';
import { failure, masAdmin } from './mas-admin-stand-in.ts';

/** Sends requests as the console does, without a host. */
export const send: Send = async ({ method, url, accessToken, body, content }) => {
  const reply = await fetch(url, {
    method,
    headers: {
      ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
      ...(content && { 'content-type': content.type }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: content?.bytes ?? (body === undefined ? null : JSON.stringify(body)),
  });
  return { status: reply.status, body: parseJson(new Uint8Array(await reply.arrayBuffer())) };
};

type ClientMetadata = {
  client_uri?: string;
  redirect_uris?: string[];
  application_type?: string;
  grant_types?: string[];
};
type DeviceGrant = { deviceCode: string; clientId: string; scope: string; outcome: DeviceOutcome };
export type DeviceOutcome =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'approved';
const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';

type Grant = { clientId: string; redirectUri: string; challenge: string; scope: string; username: string };
type OAuthSession = { id: string; clientId: string; scope: string; username: string; ended: boolean };

export type MasStandIn = Awaited<ReturnType<typeof startMas>>;

/** @param homeserver URL of a Synapse to provision with accounts */
export async function startMas({ port = 0, homeserver }: { port?: number; homeserver?: string } = {}) {
  const mas = {
    url: '',
    /** Secret for the homeserver's introspection requests. */
    secret: 'shared-secret',
    /** The user signed in to the browser. */
    user: { username: 'admin', canRequestAdmin: true },
    /** Shows the sign-in page and waits there. */
    asksForPassword: false,
    declines: false,
    /** Enables the admin API. */
    exposesAdminApi: true,
    admin: masAdmin({
      provision: (endpoint, body) => tellHomeserver(endpoint, body),
      onEnded: (sessionId) => {
        const session = mas.sessions.find(({ id }) => id === sessionId);
        if (session) session.ended = true;
      },
    }),
    /** Versions before 0.18 accept only the scope names of MSC2967. */
    scopeNames: 'client' as 'client' | 'org.matrix.msc2967.client',
    /** Requested scopes that aren't granted. */
    withheldScopes: [] as string[],
    /** In seconds. */
    accessTokenLifetime: 300,
    /** Grant types of the requests to the token endpoint. */
    tokenRequests: [] as string[],
    clients: new Map<string, ClientMetadata>(),
    /** Device code grants by code; pending until a test changes the outcome. */
    devices: new Map<string, DeviceGrant>(),
    sessions: [] as OAuthSession[],
    /** Issues an access token without a sign-in page. */
    async issue(username: string, scope: string): Promise<string> {
      const token = `mat_${randomUUID()}`;
      accessTokens.set(token, await openSession(username, 'no-client', scope, false));
      return token;
    },
    /** Revokes all access tokens; refresh tokens stay valid. */
    expireAccessTokens: () => accessTokens.clear(),
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  const grants = new Map<string, Grant>();
  const accessTokens = new Map<string, OAuthSession>();
  const refreshTokens = new Map<string, OAuthSession>();

  const metadata = () => ({
    issuer: `${mas.url}/`,
    authorization_endpoint: `${mas.url}/authorize`,
    token_endpoint: `${mas.url}/oauth2/token`,
    registration_endpoint: `${mas.url}/oauth2/registration`,
    revocation_endpoint: `${mas.url}/oauth2/revoke`,
    device_authorization_endpoint: `${mas.url}/oauth2/device`,
    introspection_endpoint: `${mas.url}/oauth2/introspect`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token', deviceGrantType],
    response_modes_supported: ['query', 'fragment'],
    code_challenge_methods_supported: ['S256'],
    account_management_uri: `${mas.url}/account/`,
    'org.matrix.matrix-authentication-service.graphql_endpoint': `${mas.url}/graphql`,
  });

  function register(client: ClientMetadata): Answer {
    const isAllowed = (uri: string) =>
      client.application_type === 'native' && isLoopback(uri)
        ? new URL(uri).port === ''
        : isPublic(uri) && new URL(uri).hostname.endsWith(new URL(client.client_uri ?? '').hostname);
    const redirects = client.grant_types?.includes('authorization_code') ? client.redirect_uris : [];
    if (!client.client_uri || !isPublic(client.client_uri) || !redirects?.every(isAllowed)) {
      return json(400, { error: 'invalid_redirect_uri', error_description: 'Not allowed by the policy' });
    }
    const clientId = randomUUID();
    mas.clients.set(clientId, client);
    return json(201, { client_id: clientId, ...client });
  }

  const violationOf = (scopes: string[]) =>
    scopes.find(
      (scope) =>
        !new RegExp(`^urn:matrix:${mas.scopeNames}:(api:\\*|device:[\\w.~-]{10,})$`).test(scope) &&
        !(mas.user.canRequestAdmin && ['urn:synapse:admin:*', 'urn:mas:admin'].includes(scope)),
    );

  function authorizeDevice(form: URLSearchParams): Answer {
    const clientId = form.get('client_id') ?? '';
    if (!mas.clients.get(clientId)?.grant_types?.includes(deviceGrantType)) {
      return json(401, { error: 'unauthorized_client' });
    }
    const deviceCode = randomUUID();
    const userCode = randomBytes(3).toString('hex').toUpperCase();
    const scope = form.get('scope') ?? '';
    mas.devices.set(userCode, { deviceCode, clientId, scope, outcome: 'authorization_pending' });
    return json(200, {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: `${mas.url}/link`,
      expires_in: 1200,
      interval: 1,
    });
  }

  function authorize(query: URLSearchParams): Answer {
    const asked = (name: string) => query.get(name) ?? '';
    const redirectUri = new URL(asked('redirect_uri'));
    const registered = new URL(redirectUri);
    if (isLoopback(registered.href)) registered.port = '';
    if (!mas.clients.get(asked('client_id'))?.redirect_uris?.includes(registered.href)) {
      return json(400, { error: 'invalid_request' });
    }
    if (asked('code_challenge_method') !== 'S256' || asked('response_type') !== 'code') {
      return json(400, { error: 'invalid_request' });
    }
    const scopes = asked('scope').split(' ');
    const violation = violationOf(scopes);
    if (violation)
      return { status: 403, type: 'text/html', body: `<h1>scope '${violation}' not allowed</h1>` };
    if (mas.asksForPassword) return { status: 200, type: 'text/html', body: '<h1>Password?</h1>' };
    const answer = new URLSearchParams({ state: asked('state'), iss: metadata().issuer });
    if (mas.declines) answer.set('error', 'access_denied');
    else {
      const code = randomUUID();
      grants.set(code, {
        clientId: asked('client_id'),
        redirectUri: redirectUri.href,
        challenge: asked('code_challenge'),
        scope: scopes.filter((scope) => !mas.withheldScopes.includes(scope)).join(' '),
        username: mas.user.username,
      });
      answer.set('code', code);
    }
    if (asked('response_mode') === 'fragment') redirectUri.hash = answer.toString();
    else for (const [name, value] of answer) redirectUri.searchParams.set(name, value);
    return { status: 302, location: redirectUri.href };
  }

  function tokensOf(session: OAuthSession): Answer {
    const [accessToken, refreshToken] = [`mat_${randomUUID()}`, `mar_${randomUUID()}`];
    accessTokens.set(accessToken, session);
    refreshTokens.set(refreshToken, session);
    return json(200, {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'Bearer',
      expires_in: mas.accessTokenLifetime,
      scope: session.scope,
    });
  }

  async function token(form: URLSearchParams): Promise<Answer> {
    const invalid = json(400, { error: 'invalid_grant' });
    const asked = (name: string) => form.get(name) ?? '';
    mas.tokenRequests.push(asked('grant_type'));
    if (asked('grant_type') === 'refresh_token') {
      const session = refreshTokens.get(asked('refresh_token'));
      if (!session || session.ended || session.clientId !== asked('client_id')) return invalid;
      // Refresh tokens are single-use. Using one revokes earlier access tokens.
      refreshTokens.delete(asked('refresh_token'));
      for (const [before, of] of accessTokens) if (of === session) accessTokens.delete(before);
      return tokensOf(session);
    }
    if (asked('grant_type') === deviceGrantType) {
      const device = [...mas.devices.values()].find((each) => each.deviceCode === asked('device_code'));
      if (device?.clientId !== asked('client_id')) return invalid;
      if (device.outcome !== 'approved') return json(400, { error: device.outcome });
      const { username, canRequestAdmin } = mas.user;
      return tokensOf(await openSession(username, device.clientId, device.scope, canRequestAdmin));
    }
    const grant = grants.get(asked('code'));
    grants.delete(asked('code'));
    const challenge = createHash('sha256').update(asked('code_verifier')).digest('base64url');
    if (
      asked('grant_type') !== 'authorization_code' ||
      grant?.clientId !== asked('client_id') ||
      grant.redirectUri !== asked('redirect_uri') ||
      grant.challenge !== challenge
    ) {
      return invalid;
    }
    const { username, clientId, scope } = grant;
    return tokensOf(await openSession(username, clientId, scope, mas.user.canRequestAdmin));
  }

  async function openSession(username: string, clientId: string, scope: string, isAdmin: boolean) {
    const user = mas.admin.addUser(username, isAdmin);
    await mas.admin.provisionUser(user);
    const device = /client:device:(\S+)/.exec(scope)?.[1];
    await tellHomeserver('upsert_device', { localpart: username, device_id: device });
    const { id } = mas.admin.add('oauth2-sessions', {
      user_id: user.id,
      client_id: clientId,
      scope,
      finished_at: null,
    });
    const session = { id, clientId, scope, username, ended: false };
    mas.sessions.push(session);
    return session;
  }

  function introspect(form: URLSearchParams, authorization: string | undefined): Answer {
    if (authorization !== `Bearer ${mas.secret}`) return json(401, { error: 'invalid_client' });
    const session = accessTokens.get(form.get('token') ?? '');
    const user = session && mas.admin.addUser(session.username).attributes;
    if (!session || session.ended || user?.locked_at || user?.deactivated_at)
      return json(200, { active: false });
    return json(200, {
      active: true,
      sub: session.username,
      username: session.username,
      scope: session.scope,
      expires_in: mas.accessTokenLifetime,
      device_id: /client:device:(\S+)/.exec(session.scope)?.[1] ?? null,
    });
  }

  async function tellHomeserver(endpoint: string, body: object) {
    if (homeserver === undefined) return;
    const reply = await fetch(`${homeserver}/_synapse/mas/${endpoint}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${mas.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${endpoint}: ${reply.status} ${await reply.text()}`);
  }

  async function answerAdministrator(
    method: string,
    path: string,
    query: URLSearchParams,
    text: string,
    authorization = '',
  ): Promise<Answer> {
    const session = accessTokens.get(authorization.replace('Bearer ', ''));
    if (!mas.exposesAdminApi) return { status: 404 };
    if (!session || session.ended) return failure(401, 'Unknown access token');
    if (!session.scope.split(' ').includes('urn:mas:admin')) {
      return failure(401, 'Missing urn:mas:admin scope');
    }
    const body = text === '' ? {} : JSON.parse(text);
    return (await mas.admin.answer(method, path, query, body)) ?? { status: 404 };
  }

  async function answer(
    method: string,
    path: string,
    query: URLSearchParams,
    text: string,
    request: IncomingMessage,
  ) {
    const adminPath = /^\/api\/admin\/v1(\/.*)/.exec(path)?.[1];
    if (adminPath !== undefined && adminPath !== '/version') {
      return answerAdministrator(method, adminPath, query, text, request.headers.authorization);
    }
    const form = new URLSearchParams(text);
    switch (`${method} ${path}`) {
      case 'GET /.well-known/openid-configuration':
        return json(200, metadata());
      case 'GET /api/admin/v1/version':
        return json(200, { version: 'v1.4.0' });
      case 'POST /oauth2/registration':
        return register(JSON.parse(text));
      case 'GET /authorize':
        return authorize(query);
      case 'POST /oauth2/device':
        return authorizeDevice(form);
      case 'POST /oauth2/token':
        return token(form);
      case 'POST /oauth2/revoke': {
        const given = form.get('token') ?? '';
        const session = refreshTokens.get(given) ?? accessTokens.get(given);
        if (session) session.ended = true;
        return json(200, {});
      }
      case 'POST /oauth2/introspect':
        return introspect(form, request.headers.authorization);
      default:
        return json(404, { error: 'not_found' });
    }
  }

  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    let text = '';
    for await (const chunk of request) text += chunk;
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'content-type, authorization');
    response.setHeader('access-control-allow-methods', '*');
    if (request.method === 'OPTIONS') return response.writeHead(204).end();
    const { status, type, body, location } = await answer(
      request.method ?? '',
      pathname,
      searchParams,
      text,
      request,
    );
    if (type) response.setHeader('content-type', type);
    if (location) response.setHeader('location', location);
    return response.writeHead(status).end(body);
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  mas.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return mas;
}

type Answer = { status: number; type?: string; body?: string; location?: string };

const json = (status: number, body: unknown): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

const isLoopback = (uri: string) => /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(uri);
const isPublic = (uri: string) => uri.startsWith('https://') && !/^https:\/\/(localhost|127\.|0\.)/.test(uri);
