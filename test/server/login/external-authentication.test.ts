import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { crossSigning } from '../encryption/keys.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';

const secret = 'shared-secret';
const clock = manualClock();
const seconds = () => Math.floor(clock.now() / 1000);
const api = 'urn:matrix:client:api:*';

/** A stand-in authentication service; each test sets its replies. */
type Service = {
  endpoint: string;
  introspections: { token: string | null; headers: IncomingMessage['headers'] }[];
  tokens: Map<string, object>;
  /** Reply of the version endpoint: a status or a version. */
  version: number | string;
  fault: 'none' | 'status' | 'nonsense' | 'hang up';
  close(): Promise<void>;
};

async function startService(): Promise<Service> {
  const service: Service = {
    endpoint: '',
    introspections: [],
    tokens: new Map(),
    version: 'v1.4.0',
    fault: 'none',
    close: () => new Promise((done) => server.close(() => done())),
  };
  const server: Server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    if (request.url === '/auth/api/admin/v1/version') {
      if (typeof service.version === 'number') return response.writeHead(service.version).end('{}');
      return response.end(JSON.stringify({ version: service.version }));
    }
    if (request.url === '/auth/.well-known/openid-configuration') {
      return response.end(JSON.stringify({ account_management_uri: 'https://account.example/me' }));
    }
    if (request.url !== '/auth/oauth2/introspect' || request.method !== 'POST') {
      return response.writeHead(404).end();
    }
    if (request.headers.authorization !== `Bearer ${secret}`) return response.writeHead(401).end();
    if (service.fault === 'status') return response.writeHead(500).end();
    if (service.fault === 'nonsense') return response.end('{"active": "perhaps"}');
    if (service.fault === 'hang up') return request.socket.destroy();
    const token = new URLSearchParams(text).get('token');
    service.introspections.push({ token, headers: request.headers });
    return response.end(JSON.stringify(service.tokens.get(token ?? '') ?? { active: false }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  service.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/auth`;
  return service;
}

let service: Service;
let homeserver: TestHomeserver;

beforeAll(async () => {
  service = await startService();
  homeserver = await startHomeserver({
    clock,
    config: {
      externalAuthentication: { endpoint: service.endpoint, secret },
      registration: { enabled: true, requiresToken: false, sharedSecret: 'x' },
      loginViaExistingSession: { requireUiAuth: false, tokenTimeoutMs: 1000 },
      appServices: [
        {
          id: 'bridge',
          token: 'bridge',
          senderUserId: '@bot:localhost',
          rateLimited: true,
          userNamespaces: [{ pattern: '@_b_.*', exclusive: true }],
          aliasNamespaces: [],
          roomNamespaces: [],
          url: undefined,
          hsToken: 'home',
          receivesEphemeral: false,
          protocols: [],
        },
      ],
    },
  });
});
afterAll(async () => {
  await homeserver.remove();
  await service.close();
});
afterEach(() => {
  service.fault = 'none';
  service.introspections = [];
});

const whoami = (token: string, chat = '/_chat') =>
  call(homeserver.url, 'GET', `${chat}/client/v3/account/whoami`, token);
const users = (token: string) => call(homeserver.url, 'GET', '/_service/admin/v2/users', token);

test("the service's metadata is passed on", async () => {
  const metadata = () => call(homeserver.url, 'GET', '/_matrix/client/v1/auth_metadata');
  expect(await metadata()).toMatchObject({
    status: 200,
    body: { account_management_uri: 'https://account.example/me' },
  });
});

test('cross-signing keys are replaced once the service has allowed it', async () => {
  service.tokens.set('keys', { active: true, username: 'keys', scope: api, device_id: 'KEYS' });
  service.tokens.set('ruler', { active: true, username: 'ruler', scope: `${api} urn:synapse:admin:*` });
  await whoami('keys');
  const upload = () =>
    call(homeserver.url, 'POST', '/_chat/client/v3/keys/device_signing/upload', 'keys', {
      ...crossSigning('@keys:localhost').upload,
    });
  expect(await upload()).toMatchObject({ status: 200 });
  const action = 'org.matrix.cross_signing_reset';
  const url = `https://account.example/me?action=${action}`;
  const refused = await upload();
  expect(refused).toMatchObject({
    status: 401,
    body: {
      session: 'dummy',
      // Older clients know the second stage.
      flows: [{ stages: ['m.oauth'] }, { stages: [action] }],
      params: { 'm.oauth': { url }, [action]: { url } },
    },
  });
  expect(refused.body).not.toHaveProperty('errcode');
  const allow = '/_service/admin/v1/users/@keys:localhost/_allow_cross_signing_replacement_without_uia';
  expect(await call(homeserver.url, 'POST', allow, 'ruler', {})).toMatchObject({ status: 200 });
  expect(await upload()).toMatchObject({ status: 200 });
});

describe('a token', () => {
  test.each(['/_chat', '/_matrix'])('is introspected with the shared secret (%s)', async (chat) => {
    const token = `dora${chat}`;
    service.tokens.set(token, {
      active: true,
      username: 'dora',
      scope: `openid ${api} urn:matrix:client:device:KITCHEN`,
      exp: seconds() + 3600,
    });
    expect(await whoami(token, chat)).toMatchObject({
      status: 200,
      body: { user_id: '@dora:localhost', device_id: 'KITCHEN', is_guest: false },
    });
    expect(service.introspections).toEqual([
      { token, headers: expect.objectContaining({ authorization: `Bearer ${secret}` }) },
    ]);
    const { devices } = (await call(homeserver.url, 'GET', `${chat}/client/v3/devices`, token)).body;
    expect(devices).toMatchObject([{ device_id: 'KITCHEN' }]);
  });

  test.each<[string, object]>([
    ['that is not active', { active: false }],
    ['that is over', { active: true, username: 'eve', scope: api, exp: seconds() }],
    ['with another scope', { active: true, username: 'eve', scope: 'openid' }],
    ['without a scope', { active: true, username: 'eve' }],
    ['without a user', { active: true, scope: api }],
    ['of a user whose name is invalid here', { active: true, username: 'Eve:x', scope: api }],
  ])('%s is refused', async (name, answer) => {
    service.tokens.set(name, answer);
    expect(await whoami(encodeURIComponent(name))).toMatchObject({ status: 401 });
    const token = name.replaceAll(' ', '-');
    service.tokens.set(token, answer);
    expect(await whoami(token)).toMatchObject({ status: 401, body: { errcode: 'M_UNKNOWN_TOKEN' } });
  });

  test('makes an admin only by its scope', async () => {
    service.tokens.set('root', { active: true, username: 'root', scope: `${api} urn:synapse:admin:*` });
    service.tokens.set('admin', { active: true, username: 'admin', scope: api });
    expect((await users('root')).status).toBe(200);
    expect((await users('admin')).status).toBe(403);
    // Admins can't sign out sessions here: they end at the authentication service.
    const admin = '/_service/admin/v2/users/@admin:localhost';
    expect((await call(homeserver.url, 'GET', `${admin}/devices`, 'root')).status).toBe(200);
    for (const method of ['GET', 'POST']) {
      expect(
        await call(
          homeserver.url,
          method,
          `${admin}/delete_devices`,
          'root',
          method === 'POST' ? {} : undefined,
        ),
      ).toMatchObject({ status: 404, body: { errcode: 'M_UNRECOGNIZED' } });
    }
  });

  test('takes the device from the response or the older scope', async () => {
    service.tokens.set('d1', { active: true, username: 'dev', scope: api, device_id: 'a:b' });
    service.tokens.set('d2', {
      active: true,
      username: 'dev',
      scope: 'urn:matrix:org.matrix.msc2967.client:api:* urn:matrix:org.matrix.msc2967.client:device:OLD',
    });
    expect((await whoami('d1')).body.device_id).toBe('a:b');
    expect((await whoami('d2')).body.device_id).toBe('OLD');
  });

  test('is cached for two minutes, and no longer than it lasts', async () => {
    const asked = () => service.introspections.length;
    service.tokens.set('long', { active: true, username: 'dora', scope: api });
    service.tokens.set('short', { active: true, username: 'dora', scope: api, exp: seconds() + 60 });
    await whoami('long');
    await whoami('short');
    service.tokens.delete('long');
    service.tokens.delete('short');
    clock.advance(59_000);
    expect([(await whoami('long')).status, (await whoami('short')).status, asked()]).toEqual([200, 200, 2]);
    clock.advance(1_000);
    expect([(await whoami('long')).status, (await whoami('short')).status, asked()]).toEqual([200, 401, 3]);
    clock.advance(60_000);
    expect([(await whoami('long')).status, asked()]).toEqual([401, 4]);
  });

  test('that is invalid is introspected each time', async () => {
    expect((await whoami('later')).status).toBe(401);
    service.tokens.set('later', { active: true, username: 'dora', scope: api });
    expect((await whoami('later')).status).toBe(200);
  });

  test('issued by this server is invalid', async () => {
    expect((await homeserver.as('admin').get('/_service/admin/v2/users')).status).toBe(401);
  });

  test.each(['status', 'nonsense', 'hang up'] as const)(
    "can't be checked while the service fails (%s)",
    async (fault) => {
      service.fault = fault;
      expect(await whoami('unjudged')).toMatchObject({ status: 503, body: { errcode: 'M_UNKNOWN' } });
      service.fault = 'none';
      expect((await whoami('unjudged')).status).toBe(401);
    },
  );

  test('of a user locked or deactivated here is invalid at once', async () => {
    service.tokens.set('root', { active: true, username: 'root', scope: `${api} urn:synapse:admin:*` });
    service.tokens.set('fred', { active: true, username: 'fred', scope: api });
    expect((await whoami('fred')).status).toBe(200);
    const put = (body: unknown) =>
      call(homeserver.url, 'PUT', '/_service/admin/v2/users/@fred:localhost', 'root', body);
    await put({ locked: true });
    expect(await whoami('fred')).toMatchObject({ status: 401, body: { errcode: 'M_USER_LOCKED' } });
    await put({ locked: false, deactivated: true });
    expect(await whoami('fred')).toMatchObject({ status: 401, body: { errcode: 'M_UNKNOWN_TOKEN' } });
  });
});

describe('this server issues no tokens', () => {
  const guest = () => homeserver.as('guest');
  const as = (token: string) => (path: string, body?: unknown) =>
    call(homeserver.url, 'POST', path, token, body);

  test('and lists no login flows', async () => {
    expect((await guest().get('/_chat/client/v3/login')).body).toEqual({ flows: [] });
  });

  test.each<[string, string, unknown, number, string]>([
    [
      'by password',
      'login',
      { type: 'm.login.password', user: 'alice', password: 'x' },
      400,
      'M_INVALID_PARAM',
    ],
    ['by JWT', 'login', { type: 'org.vendor.login.jwt', token: 'x' }, 400, 'M_INVALID_PARAM'],
    ['by token', 'login', { type: 'm.login.token', token: 'x' }, 400, 'M_INVALID_PARAM'],
    ['by registering', 'register', { username: 'x', password: 'x' }, 403, 'M_FORBIDDEN'],
  ])('%s', async (_, path, body, status, errcode) => {
    expect(await guest().post(`/_chat/client/v3/${path}`, body)).toMatchObject({ status, body: { errcode } });
  });

  test('by the shared secret for registrations', async () => {
    expect((await guest().get('/_service/admin/v1/register')).status).toBe(400);
  });

  test('by another session or an admin', async () => {
    service.tokens.set('root', { active: true, username: 'root', scope: `${api} urn:synapse:admin:*` });
    expect((await as('root')('/_chat/client/v1/login/get_token')).status).toBe(404);
    const login = '/_service/admin/v1/users/@alice:localhost/login';
    expect((await as('root')(login)).status).toBe(404);
    // Consoles offer actions unless the endpoint replies 404 here.
    expect((await call(homeserver.url, 'GET', login, 'root')).status).toBe(404);
    expect((await as('root')('/_chat/client/v3/account/password', { new_password: 'x' })).status).toBe(404);
  });

  test.each([
    ['/_chat', 'IO.VENDOR.MSC4190.M_APPSERVICE_LOGIN_UNSUPPORTED'],
    ['/_matrix', 'IO.ELEMENT.MSC4190.M_APPSERVICE_LOGIN_UNSUPPORTED'],
  ])('to application services (%s)', async (chat, errcode) => {
    const username = `_b_${chat.slice(2)}`;
    const type = 'm.login.application_service';
    const path = `${chat}/client/v3/register`;
    for (const inhibit_login of [undefined, false]) {
      expect(await as('bridge')(path, { type, username, inhibit_login })).toMatchObject({
        status: 400,
        body: { errcode },
      });
    }
    const { status, body } = await as('bridge')(path, { type, username, inhibit_login: true });
    expect({ status, body }).toEqual({
      status: 200,
      body: { user_id: `@${username}:localhost`, home_server: 'localhost' },
    });
    expect(await as('bridge')(`${chat}/client/v3/login`, { type, user: username })).toMatchObject({
      status: 400,
      body: { errcode },
    });
    expect((await whoami('bridge')).body.user_id).toBe('@bot:localhost');
  });
});

describe('the service at startup', () => {
  const start = async (change: { endpoint?: string; secret?: string } = {}) => {
    const externalAuthentication = { endpoint: service.endpoint, secret, ...change };
    const started = await startHomeserver({ clock, config: { externalAuthentication } });
    await started.remove();
  };

  test.each(['v0.20.0', '0.20.0', '0.20.1', '0.21.0-rc.0', 'v1.0.0', 'v1.4.0-rc.1', '0.20.0+build'])(
    'may be %s',
    async (version) => {
      service.version = version;
      await start();
    },
  );

  test.each(['v0.19.9', '0.2.0', '0.20.0-rc.0', 'v0.12.0', 'latest', ''])(
    'may not be %j',
    async (version) => {
      service.version = version;
      await expect(start()).rejects.toThrow(
        `external_authentication_service.endpoint: version ${version}, but 0.20.0 or later is required; upgrade the service`,
      );
    },
  );

  test.each([401, 403, 404])('may hide its version (%i) if it accepts the secret', async (status) => {
    service.version = status;
    await start();
    await expect(start({ secret: 'wrong' })).rejects.toThrow(
      /^external_authentication_service\.secret: rejected by the service \(401\); .*0\.20\.0/,
    );
    await expect(start({ secret: 'wrong' })).rejects.not.toThrow(/wrong/);
  });

  test('has to be reachable', async () => {
    const gone = await startService();
    await gone.close();
    await expect(start({ endpoint: gone.endpoint })).rejects.toThrow(
      /^external_authentication_service\.endpoint: can't reach the service \(ECONNREFUSED\); start the service first/,
    );
  });
});
