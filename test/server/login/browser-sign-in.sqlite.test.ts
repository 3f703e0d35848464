/** The console's sign-in through an authorization server: shared code, on the built-in homeserver. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  beginBrowserSignIn,
  findSignInMethods,
  finishBrowserSignIn,
} from '../../../shared/browser-sign-in.ts';
import { signInWithCode } from '../../../shared/code-sign-in.ts';
import type { IncomingReply, Send } from '../../../shared/connection.ts';
import { dialects } from '../../../shared/dialect.ts';
import { type Client, revoke } from '../../../shared/oauth.ts';
import type { Session } from '../../../shared/session.ts';
import { signIn } from '../../../shared/sign-in.ts';
import { tokenRefresh } from '../../../shared/token-refresh.ts';
import { manualClock } from '../../manual-clock.ts';
import { type DeviceOutcome, type MasStandIn, send as sendUnchecked, startMas } from '../../mas-stand-in.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';

const clock = manualClock();
let mas: MasStandIn;
let homeserver: TestHomeserver;

beforeAll(async () => {
  mas = await startMas();
  homeserver = await startHomeserver({
    clock,
    config: { externalAuthentication: { endpoint: mas.url, secret: mas.secret } },
  });
});
afterAll(async () => {
  await homeserver.remove();
  await mas.close();
});
afterEach(() => {
  Object.assign(mas, {
    declines: false,
    withheldScopes: [],
    tokenRequests: [],
    exposesAdminApi: true,
    scopeNames: 'client',
  });
  mas.user = { username: 'admin', canRequestAdmin: true };
});

const clients: Record<string, Client> = {
  app: {
    clientUri: 'https://gatehouse.example/',
    redirectUri: 'http://127.0.0.1:4711/',
    isNative: true,
    responseMode: 'query',
  },
  page: {
    clientUri: 'https://admin.example.org/console/',
    redirectUri: 'https://admin.example.org/console/',
    isNative: false,
    responseMode: 'fragment',
  },
};
const app = clients.app as Client;

/** Checks that requests to the authorization server, and only those, are marked as sent for the homeserver. */
const send: Send = (request) => {
  expect(request.homeserver).toBe(request.url.startsWith(mas.url) ? homeserver.url : undefined);
  return sendUnchecked(request);
};

/** Returns the parameters with which a page redirects the browser back. */
async function visit(url: string): Promise<URLSearchParams> {
  const location = (await fetch(url, { redirect: 'manual' })).headers.get('location');
  const { search, hash } = new URL(location ?? 'about:blank');
  return new URLSearchParams(hash.slice(1) || search);
}

async function signInAs(username: string): Promise<Session> {
  mas.user.username = username;
  const { url, pending } = await beginBrowserSignIn(send, homeserver.url, app);
  const signedIn = await finishBrowserSignIn(send, pending, await visit(url), clock.now());
  const { accessToken, userId, oauth, server } = signedIn;
  const connection = {
    id: username,
    baseUrl: server.baseUrl,
    dialect: server.dialect.name,
    userId,
    local: false,
  };
  return { connection, accessToken, ...(oauth && { oauth }) };
}

const whoami = (token: string) =>
  call(homeserver.url, 'GET', '/_matrix/client/v3/account/whoami', token).then(({ status }) => status);

test('only the browser is offered if the server delegates authentication', async () => {
  expect(await findSignInMethods(send, homeserver.url)).toEqual({
    browser: { kind: 'oauth', host: new URL(mas.url).host },
    code: true,
    password: false,
    jwt: false,
  });
});

test.each(Object.entries(clients))('the %s signs in and is an admin', async (_, client) => {
  const { url, pending } = await beginBrowserSignIn(send, homeserver.url, client);
  const answer = await visit(url);
  const signedIn = await finishBrowserSignIn(send, pending, answer, clock.now());
  expect(signedIn).toMatchObject({ userId: '@admin:localhost', oauth: { expiresAt: clock.now() + 300_000 } });
  expect(await whoami(signedIn.accessToken)).toBe(200);
  // The code works once, and only with its own verifier.
  await expect(finishBrowserSignIn(send, pending, answer, clock.now())).rejects.toMatchObject({
    code: 'refused',
  });
});

test("detects if the session may use MAS's admin API", async () => {
  const masOf = async () => {
    const { url, pending } = await beginBrowserSignIn(send, homeserver.url, app);
    return (await finishBrowserSignIn(send, pending, await visit(url), clock.now())).mas;
  };
  const accountId = mas.admin.find('users', { username: 'admin' })?.id;
  expect(await masOf()).toEqual({ url: mas.url, accountId });
  mas.exposesAdminApi = false;
  expect(await masOf()).toBeUndefined();
  Object.assign(mas, { exposesAdminApi: true, withheldScopes: ['urn:mas:admin'] });
  expect(await masOf()).toBeUndefined();
});

test("another sign-in's response is refused", async () => {
  const one = await beginBrowserSignIn(send, homeserver.url, app);
  const other = await beginBrowserSignIn(send, homeserver.url, app);
  const answer = await visit(one.url);
  await expect(finishBrowserSignIn(send, other.pending, answer, clock.now())).rejects.toMatchObject({
    code: 'refused',
  });
  answer.set('iss', 'https://elsewhere.example/');
  await expect(finishBrowserSignIn(send, one.pending, answer, clock.now())).rejects.toMatchObject({
    code: 'refused',
  });
});

test('a code is worthless without its verifier', async () => {
  const { url, pending } = await beginBrowserSignIn(send, homeserver.url, app);
  const stolen = { ...pending, oauth: pending.oauth && { ...pending.oauth, codeVerifier: 'x'.repeat(43) } };
  await expect(finishBrowserSignIn(send, stolen, await visit(url), clock.now())).rejects.toMatchObject({
    code: 'refused',
  });
});

test('a declined sign-in is canceled', async () => {
  mas.declines = true;
  const { url, pending } = await beginBrowserSignIn(send, homeserver.url, app);
  await expect(finishBrowserSignIn(send, pending, await visit(url), clock.now())).rejects.toMatchObject({
    code: 'cancelled',
  });
});

test('tokens without the admin scope are revoked, and the error names the scope', async () => {
  mas.withheldScopes = ['urn:synapse:admin:*'];
  const { url, pending } = await beginBrowserSignIn(send, homeserver.url, app);
  await expect(finishBrowserSignIn(send, pending, await visit(url), clock.now())).rejects.toMatchObject({
    code: 'not_administrator',
    values: { scope: 'urn:synapse:admin:*' },
  });
  expect(mas.sessions.at(-1)?.ended).toBe(true);
});

/** Signs in with a device code. Each poll returns the next outcome. */
async function signInWithOutcomes(...outcomes: DeviceOutcome[]) {
  const waits: number[] = [];
  let code = '';
  const stop = new AbortController();
  const signedIn = await signInWithCode(send, homeserver.url, {
    clientUri: app.clientUri,
    signal: stop.signal,
    onCode: (given) => {
      expect(given.page).toBe(`${mas.url}/link`);
      code = given.code;
    },
    now: () => clock.now(),
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      const device = mas.devices.get(code);
      const outcome = outcomes.shift();
      if (device && outcome) device.outcome = outcome;
      else stop.abort();
    },
  });
  return { signedIn, waits };
}

test('a device code signs in once entered elsewhere, polling more slowly on request', async () => {
  const { signedIn, waits } = await signInWithOutcomes('authorization_pending', 'slow_down', 'approved');
  expect(waits).toEqual([1_000, 1_000, 6_000]);
  expect(signedIn).toMatchObject({ userId: '@admin:localhost', oauth: { expiresAt: clock.now() + 300_000 } });
  expect(await whoami(signedIn.accessToken)).toBe(200);
});

test.each([['access_denied'], ['expired_token'], []] as DeviceOutcome[][])(
  'a device code that ends with %s signs in no one',
  async (...outcomes) => {
    await expect(signInWithOutcomes(...outcomes)).rejects.toMatchObject({ code: 'cancelled' });
    expect(mas.tokenRequests).toHaveLength(outcomes.length);
  },
);

test('an access token without the admin scope is refused, and the error names the scope', async () => {
  const accessToken = await mas.issue('plain', 'urn:matrix:client:api:* urn:matrix:client:device:ABCDEFGHIJ');
  const server = { baseUrl: homeserver.url, dialect: dialects.matrix };
  await expect(signIn(send, server, { type: 'access_token', accessToken })).rejects.toMatchObject({
    code: 'not_administrator',
    values: { scope: 'urn:synapse:admin:*' },
  });
});

/**
 * A homeserver before Matrix 1.15 that publishes either its metadata or only its issuer. With a status, a proxy
 * rejects the other paths.
 */
function early(published: 'metadata' | 'issuer', status = 404): Send {
  const notFound = { status, body: { errcode: 'M_UNRECOGNIZED', error: 'Unrecognized request' } };
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (published === 'metadata' && pathname.endsWith('/unstable/org.matrix.msc2965/auth_metadata')) {
      return sendUnchecked({ method: 'GET', url: `${mas.url}/.well-known/openid-configuration` });
    }
    if (published === 'issuer' && pathname === '/.well-known/matrix/client') {
      return { status: 200, body: { 'org.matrix.msc2965.authentication': { issuer: `${mas.url}/` } } };
    }
    return /auth_metadata$|^\/\.well-known\/matrix/.test(pathname) ? notFound : send(request);
  };
}

test.each(['metadata', 'issuer'] as const)(
  'the scopes of MSC2967 are requested from a server before Matrix 1.15 that publishes its %s',
  async (published) => {
    mas.scopeNames = 'org.matrix.msc2967.client';
    const { url, pending } = await beginBrowserSignIn(early(published), homeserver.url, app);
    const signedIn = await finishBrowserSignIn(send, pending, await visit(url), clock.now());
    expect(signedIn).toMatchObject({ userId: '@admin:localhost' });
  },
);

test.each([401, 403, 405, 500, 502])(
  'a proxy that replies %i to the metadata hides no sign-in method',
  async (status) => {
    expect(await findSignInMethods(early('issuer', status), homeserver.url)).toMatchObject({
      browser: { kind: 'oauth' },
    });
    const behindProxy: Send = async ({ url }) => {
      if (url.endsWith('/versions')) return { status: 200, body: { versions: ['v1.11'] } };
      if (!url.endsWith('/login')) return { status, body: undefined };
      return { status: 200, body: { flows: [{ type: 'm.login.password' }] } };
    };
    expect(await findSignInMethods(behindProxy, 'https://chat.example')).toMatchObject({ password: true });
  },
);

test('the issuer can be entered if it delegates to the server', async () => {
  const auth = 'https://auth.example.org';
  const replies: Record<string, unknown> = {
    'https://example.org/.well-known/matrix/client': {
      'm.homeserver': { base_url: 'https://matrix.example.org' },
      'org.matrix.msc2965.authentication': { issuer: `${auth}/` },
    },
    'https://matrix.example.org/_matrix/client/versions': { versions: ['v1.11'] },
    [`${auth}/.well-known/openid-configuration`]: {
      issuer: `${auth}/`,
      authorization_endpoint: `${auth}/authorize`,
      token_endpoint: `${auth}/oauth2/token`,
    },
  };
  const delegated: Send = async ({ url }) =>
    url in replies ? { status: 200, body: replies[url] } : { status: 404, body: undefined };
  expect(await findSignInMethods(delegated, 'example.org')).toMatchObject({
    browser: { kind: 'oauth', host: 'auth.example.org' },
  });
});

test("metadata of a different issuer isn't followed", async () => {
  const other: Send = async (request): Promise<IncomingReply> => {
    const { status, body } = await early('issuer')(request);
    if (!request.url.endsWith('/openid-configuration')) return { status, body };
    return { status, body: { ...Object(body), issuer: 'https://elsewhere.example/' } };
  };
  expect(await findSignInMethods(other, homeserver.url)).not.toHaveProperty('browser');
});

test('an authentication service without https is refused if the server has https', async () => {
  const metadata = (await call(homeserver.url, 'GET', '/_matrix/client/v1/auth_metadata')).body;
  const secure: Send = async ({ url }) =>
    url.endsWith('/versions')
      ? { status: 200, body: { versions: ['v1.16'] } }
      : { status: 200, body: url.endsWith('auth_metadata') ? metadata : { flows: [] } };
  await expect(findSignInMethods(secure, 'https://chat.example')).rejects.toMatchObject({ code: 'refused' });
});

test('SSO returns a login token only to the sign-in that requested it', async () => {
  const bodies: unknown[] = [];
  const sso: Send = async ({ method, url, body }) => {
    if (url.endsWith('/versions')) return { status: 200, body: { versions: ['v1.16'] } };
    if (url.endsWith('/auth_metadata'))
      return { status: 404, body: { errcode: 'M_UNRECOGNIZED', error: '' } };
    if (!url.endsWith('/login')) return { status: 200, body: {} };
    if (method === 'GET') return { status: 200, body: { flows: [{ type: 'm.login.sso' }] } };
    bodies.push(body);
    return { status: 200, body: { access_token: 'syt_x', user_id: '@ada:chat.example' } };
  };
  expect(await findSignInMethods(sso, 'https://chat.example')).toMatchObject({
    browser: { kind: 'sso', host: 'chat.example' },
    password: false,
  });
  const { url, pending } = await beginBrowserSignIn(sso, 'https://chat.example', app);
  expect(url).toMatch(/^https:\/\/chat\.example\/_\w+\/client\/v3\/login\/sso\/redirect\?redirectUrl=/);
  const back = new URL(new URL(url).searchParams.get('redirectUrl') ?? '');
  back.searchParams.set('loginToken', 'once');
  expect(await finishBrowserSignIn(sso, pending, back.searchParams, 0)).toMatchObject({
    accessToken: 'syt_x',
    userId: '@ada:chat.example',
  });
  expect(bodies).toMatchObject([{ type: 'm.login.token', token: 'once' }]);
  back.searchParams.set('sso_state', 'guessed');
  await expect(finishBrowserSignIn(sso, pending, back.searchParams, 0)).rejects.toMatchObject({
    code: 'refused',
  });
});

/** Stores sessions like a browser tab. */
function tab(session: Session, others?: { find(): Session }) {
  let kept = session;
  const refresh = tokenRefresh({
    find: () => kept,
    save: (renewed) => {
      kept = renewed;
    },
    send,
    now: () => clock.now(),
    ...(others && { renewedElsewhere: async () => others.find() }),
  });
  return { ...refresh, find: () => kept };
}

test('a token is refreshed before it expires, once for all requests', async () => {
  const { current, find } = tab(await signInAs('renata'));
  const first = find();
  expect(await current(first)).toBe(first);
  clock.advance(280_000);
  mas.tokenRequests = [];
  const renewed = await Promise.all([current(first), current(first), current(first)]);
  expect(mas.tokenRequests).toEqual(['refresh_token']);
  expect(new Set(renewed.map(({ accessToken }) => accessToken)).size).toBe(1);
  expect(renewed[0]?.accessToken).not.toBe(first.accessToken);
  expect(await whoami(find().accessToken)).toBe(200);
  // A request with the old token gets the new one without another refresh.
  expect((await current(first)).accessToken).toBe(find().accessToken);
  expect(mas.tokenRequests).toHaveLength(1);
});

test('a request with a refused token is retried once with a refreshed one', async () => {
  const { authorized, find } = tab(await signInAs('retta'));
  const refused = find().accessToken;
  const sent: string[] = [];
  const reply = await authorized(find(), async ({ accessToken }) => {
    sent.push(accessToken);
    return { status: accessToken === refused ? 401 : await whoami(accessToken) };
  });
  expect(reply.status).toBe(200);
  expect(sent).toEqual([refused, find().accessToken]);
});

test('a tab whose refresh token was used by another takes over its tokens', async () => {
  const session = await signInAs('tabea');
  const [one, other] = [tab(session), tab(session)];
  await one.renew(session);
  const late = tab(session, one);
  expect((await late.renew(session))?.accessToken).toBe(one.find().accessToken);
  expect(await other.renew(session)).toBeUndefined();
});

test("an ended session isn't refreshed again and again", async () => {
  const session = await signInAs('ended');
  const { renew } = tab(session);
  await revoke(sendUnchecked, session);
  expect(mas.sessions.at(-1)?.ended).toBe(true);
  mas.tokenRequests = [];
  expect(await renew(session)).toBeUndefined();
  expect(await renew(session)).toBeUndefined();
  expect(mas.tokenRequests).toHaveLength(1);
});
