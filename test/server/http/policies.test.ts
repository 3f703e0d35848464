import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../../server/administration/about/openapi.ts';
import type { Identify } from '../../../server/platform/http/authentication.ts';
import { enforcePolicies } from '../../../server/platform/http/enforce-policies.ts';
import { anyone, user } from '../../../server/platform/http/policy.ts';
import type { App } from '../../../server/platform/http/routes.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

describe.each([
  ['vendor', '/_service'],
  ['matrix', '/_synapse'],
])('in the %s dialect', (_, administration) => {
  test('only these can be called by anyone', async () => {
    const { body } = await call(homeserver.url, 'GET', `${administration}/openapi.json`);
    const document: OpenApiDocument = body;
    const open = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security }]) => security.length === 0)
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    // Without the dialect's prefix and parameter names.
    const named = open.map((endpoint) => endpoint.replace(/\/[^/]+\//, '').replaceAll(/\{\w+\}/g, 'x'));
    const versioned = (method: string, path: string) =>
      ['r0', 'v3'].map((version) => `${method} client/${version}/${path}`);
    expect(named.sort()).toEqual(
      [
        ...['GET', 'POST'].flatMap((method) => [...versioned(method, 'login')]),
        ...versioned('POST', 'register'),
        ...versioned('GET', 'register/available'),
        // Rejected with a reason: the server doesn't support email or identity servers.
        ...['account/3pid', 'account/password', 'register'].flatMap((path) =>
          ['email', 'msisdn'].flatMap((medium) => versioned('POST', `${path}/${medium}/requestToken`)),
        ),
        ...versioned('POST', 'refresh'),
        ...versioned('GET', 'profile/x'),
        ...versioned('GET', 'profile/x/x'),
        ...versioned('GET', 'profile/x/displayname'),
        ...versioned('GET', 'profile/x/avatar_url'),
        ...versioned('GET', 'directory/room/x'),
        ...versioned('GET', 'directory/list/room/x'),
        ...['GET admin/v1/register', 'POST admin/v1/register', 'GET client/versions'],
        'GET client/v1/register/m.login.registration_token/validity',
        ...['r0', 'v1', 'v3'].flatMap((version) =>
          ['download/x/x', 'download/x/x/x', 'thumbnail/x/x'].map((path) => `GET media/${version}/${path}`),
        ),
        'GET client/v1/room_summary/x',
        'GET client/unstable/im.nheko.summary/rooms/x/summary',
        'GET client/unstable/im.nheko.summary/summary/x',
        'GET federation/v1/openid/userinfo',
        ...['GET key/v2/server', 'GET federation/v1/version', 'GET matrix/client'],
      ].sort(),
    );
  });
});

describe('an app', () => {
  const nobody: Identify = () => Promise.reject(new Error('nobody'));
  const start = async (addRoutes: (app: App) => void, identify = nobody) => {
    const app = Fastify({ exposeHeadRoutes: false }) as unknown as App;
    const rateLimiters = homeserver.services.rateLimiters;
    enforcePolicies(app, { identify, isUnlimited: () => false, rateLimiters });
    addRoutes(app);
    await app.ready();
    return app;
  };

  test("with a route without a policy doesn't start", async () => {
    const starting = start((app) => {
      app.get('/declared', { config: { policy: anyone } }, () => 'for anyone');
      app.get('/forgotten', () => 'for nobody');
      app.register(async (scope) => void scope.put('/deeper', () => 'for nobody'), { prefix: '/below' });
    });
    await expect(starting).rejects.toThrow('No policy is declared on GET /forgotten, PUT /below/deeper');
  });

  test("refuses handlers that count limits their route doesn't declare", async () => {
    const app = await start((bare) => {
      bare.get('/', { config: { policy: anyone } }, ({ limiter }) => limiter('reports').take('someone'));
    });
    expect((await app.inject('/')).json()).toMatchObject({
      message: "GET / doesn't declare the limit reports",
    });
    await app.close();
  });

  test("limits a user's concurrent calls as their routes declare", async () => {
    let begun = 0;
    const twoRun = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<string>();
    const policy = {
      ...user,
      concurrency: { name: 'slow', perUser: 2, queuedPerUser: 1, refusal: 'Three are enough' },
    };
    const handler = () => {
      if (++begun === 2) twoRun.resolve();
      return mayEnd.promise;
    };
    const app = await start(
      (bare) => {
        bare.get('/one', { config: { policy } }, handler);
        bare.get('/other', { config: { policy } }, handler);
      },
      async ({ token }) => ({
        ...{ userId: token, deviceId: null, actsFor: undefined },
        ...{ admin: false, suspended: false, shadowBanned: false },
      }),
    );
    const ask = async (name: string, url: string) =>
      app.inject({ url, headers: { authorization: `Bearer ${name}` } });

    const running = [ask('alice', '/one'), ask('alice', '/other')];
    await twoRun.promise;
    running.push(ask('alice', '/one'));
    expect((await ask('alice', '/one')).json()).toMatchObject({ message: 'Three are enough' });
    running.push(ask('bob', '/one'));
    mayEnd.resolve('done');
    for (const { body } of await Promise.all(running)) expect(body).toBe('done');
    expect((await ask('alice', '/one')).body).toBe('done');
    await app.close();
  });
});
