import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../../server/about/openapi.ts';
import { keepPolicies } from '../../../server/http/keep-policies.ts';
import { anyone } from '../../../server/http/policy.ts';
import type { App } from '../../../server/http/routes.ts';
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
  test('what anyone may call is this and nothing else', async () => {
    const { body } = await call(homeserver.url, 'GET', `${administration}/openapi.json`);
    const document: OpenApiDocument = body;
    const open = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security }]) => security.length === 0)
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    // Without the dialect's own beginning, and without the names of parameters.
    const named = open.map((endpoint) => endpoint.replace(/\/[^/]+\//, '').replaceAll(/\{\w+\}/g, 'x'));
    const versioned = (method: string, path: string) =>
      ['r0', 'v3'].map((version) => `${method} client/${version}/${path}`);
    expect(named.sort()).toEqual(
      [
        ...['GET', 'POST'].flatMap((method) => [...versioned(method, 'login')]),
        ...versioned('POST', 'register'),
        ...versioned('GET', 'register/available'),
        ...versioned('GET', 'profile/x'),
        ...versioned('GET', 'profile/x/displayname'),
        ...versioned('GET', 'profile/x/avatar_url'),
        ...versioned('GET', 'directory/room/x'),
        ...versioned('GET', 'directory/list/room/x'),
        ...['GET admin/v1/register', 'POST admin/v1/register', 'GET client/versions'],
        'GET client/v1/register/m.login.registration_token/validity',
        ...['r0', 'v1', 'v3'].flatMap((version) =>
          ['download/x/x', 'download/x/x/x', 'thumbnail/x/x'].map((path) => `GET media/${version}/${path}`),
        ),
        ...['GET key/v2/server', 'GET federation/v1/version'],
      ].sort(),
    );
  });
});

describe('an app', () => {
  const start = async (addRoutes: (app: App) => void) => {
    const app = Fastify({ exposeHeadRoutes: false }) as unknown as App;
    keepPolicies(app, {
      identify: () => Promise.reject(new Error('nobody')),
      isUnlimited: () => false,
      rateLimiters: homeserver.services.rateLimiters,
    });
    addRoutes(app);
    await app.ready();
    return app;
  };

  test('with a route that declares no policy does not start', async () => {
    const starting = start((app) => {
      app.get('/declared', { config: { policy: anyone } }, () => 'for anyone');
      app.get('/forgotten', () => 'for nobody');
      app.register(async (scope) => void scope.put('/deeper', () => 'for nobody'), { prefix: '/below' });
    });
    await expect(starting).rejects.toThrow('No policy is declared on GET /forgotten, PUT /below/deeper');
  });

  test('lets no handler count what its route does not declare', async () => {
    const app = await start((bare) => {
      bare.get('/', { config: { policy: anyone } }, ({ limiter }) => limiter('reports').take('someone'));
    });
    expect((await app.inject('/')).json()).toMatchObject({
      message: "GET / doesn't declare the limit reports",
    });
    await app.close();
  });
});
