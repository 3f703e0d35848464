import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manualClock } from '../manual-clock.ts';
import { type MasStandIn, startMas } from '../mas-stand-in.ts';
import { startHomeserver, type TestHomeserver } from '../server/homeserver.ts';
import { until } from '../until.ts';
import { type App, startApp } from './app.ts';
import { shellAlone } from './build.ts';
import { RemoteHomeserver } from './remote-homeserver.ts';

/** The homeserver's introspection cache lifetime, in milliseconds. */
const introspectionLifetime = 120_000;

const clock = manualClock();
let mas: MasStandIn;
let homeserver: TestHomeserver;
let app: App;

beforeAll(async () => {
  mas = await startMas();
  homeserver = await startHomeserver({
    clock,
    config: { externalAuthentication: { endpoint: mas.url, secret: mas.secret } },
  });
  app = await startApp({ dist: shellAlone });
});
afterAll(async () => {
  await app.dispose();
  await homeserver.remove();
  await mas.close();
});

test('the system browser signs in and redirects to a local port, and the app refreshes and ends the session', async () => {
  const methods = app.invoke('connections:methods', { address: homeserver.url });
  await (await app.nextDialog()).answer('Connect');
  expect(await methods).toMatchObject({ ok: true, value: { browser: { kind: 'oauth' }, password: false } });

  const adding = app.invoke('connections:add', {
    address: homeserver.url,
    credentials: { type: 'browser' },
  });
  // The authentication service has a different address than the server.
  await (await app.nextDialog()).answer('Connect');
  const page = await until(async () => {
    const [opened] = await app.command('openedExternally');
    if (opened === undefined) throw new Error('Nothing was opened yet');
    return opened;
  });
  const redirectUri = new URL(page).searchParams.get('redirect_uri') ?? '';
  expect(redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  expect((await fetch(`${redirectUri}?state=guessed&code=x`)).status).toBe(404);
  mas.accessTokenLifetime = 20;
  expect(await (await fetch(page)).text()).toContain('Return to Gatehouse');
  const outcome = await adding;
  if (!outcome.ok) throw new Error(outcome.failure.message);
  const connection = outcome.value;
  expect(connection).toMatchObject({ userId: '@admin:localhost' });
  expect(JSON.stringify(outcome)).not.toMatch(/ma[tr]_/);
  await expect(fetch(redirectUri)).rejects.toThrow();

  // The token is about to expire.
  mas.tokenRequests = [];
  mas.accessTokenLifetime = 300;
  const path = '/_chat/client/v3/account/whoami';
  expect(await app.invoke('request', { connectionId: connection.id, method: 'GET', path })).toMatchObject({
    ok: true,
    value: { status: 200 },
  });
  expect(mas.tokenRequests).toEqual(['refresh_token']);

  // Tokens that the authentication service revoked are renewed when the server rejects them.
  const { id: connectionId } = connection;
  for (const ask of [
    () => app.invoke('request', { connectionId, method: 'GET', path }),
    () => app.invoke('media', { connectionId, uri: 'mxc://localhost/gone' }),
  ]) {
    mas.expireAccessTokens();
    clock.advance(introspectionLifetime);
    expect(JSON.stringify(await ask())).not.toMatch(/401/);
  }
  expect(mas.tokenRequests).toEqual(Array(3).fill('refresh_token'));

  await app.invoke('connections:remove', { connectionId: connection.id });
  expect(mas.sessions.at(-1)?.ended).toBe(true);
});

test('a device code signs in after it was entered elsewhere, unless the sign-in is canceled', async () => {
  const credentials = { type: 'code' } as const;
  const cancelled = app.invoke('connections:add', { address: homeserver.url, credentials });
  await until(async () => expect(mas.devices.size).toBe(1));
  await app.invoke('connections:cancel', undefined);
  expect(await cancelled).toMatchObject({ ok: false, failure: { code: 'cancelled' } });

  const adding = app.invoke('connections:add', { address: homeserver.url, credentials });
  await until(async () => expect(mas.devices.size).toBe(2));
  for (const device of mas.devices.values()) device.outcome = 'approved';
  expect(await adding).toMatchObject({ ok: true, value: { userId: '@admin:localhost' } });
  expect(mas.sessions.filter(({ ended }) => !ended)).toHaveLength(1);
});

test('a .well-known redirect that names the authentication service is followed', async () => {
  const paths: string[] = [];
  const site = createServer(({ url = '', headers }, response) => {
    paths.push(url);
    expect(headers.authorization).toBeUndefined();
    const issuer = { 'org.matrix.msc2965.authentication': { issuer: `${mas.url}/` } };
    if (url === '/.well-known/matrix/client') response.writeHead(301, { location: '/published' }).end();
    else if (url === '/_matrix/client/versions') response.end('{"versions":["v1.11"]}');
    else if (url === '/published') response.end(JSON.stringify(issuer));
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  try {
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    const methods = app.invoke('connections:methods', { address });
    await (await app.nextDialog()).answer('Connect');
    expect(await methods).toMatchObject({ ok: true, value: { browser: { host: new URL(mas.url).host } } });
    expect(paths).toContain('/published');
  } finally {
    site.close();
  }
});

test('SSO opens the system browser and returns a login token to a local port', async () => {
  await using remote = await RemoteHomeserver.start();
  remote.loginTokens.add('once');
  const opened = (await app.command('openedExternally')).length;
  const adding = app.invoke('connections:add', { address: remote.url, credentials: { type: 'browser' } });
  await (await app.nextDialog()).answer('Connect');
  const page = await until(async () => {
    const url = (await app.command('openedExternally'))[opened];
    if (url === undefined) throw new Error('Nothing was opened yet');
    return new URL(url);
  });
  expect(page.origin + page.pathname).toBe(`${remote.url}/_matrix/client/v3/login/sso/redirect`);
  // Simulates the identity provider's redirect. The port accepts only the response to its own sign-in.
  const back = new URL(page.searchParams.get('redirectUrl') ?? '');
  expect(back.hostname).toBe('127.0.0.1');
  back.searchParams.set('loginToken', 'once');
  const guessed = new URL(back);
  guessed.searchParams.set('sso_state', 'guessed');
  expect((await fetch(guessed)).status).toBe(404);
  expect(await (await fetch(back)).text()).toContain('Return to Gatehouse');
  const outcome = await adding;
  if (!outcome.ok) throw new Error(outcome.failure.message);
  expect(outcome.value).toMatchObject({ userId: '@admin:remote', baseUrl: remote.url });
  expect(remote.loginTokens.size).toBe(0);
  await app.invoke('connections:remove', { connectionId: outcome.value.id });
  expect(remote.tokens).toEqual([]);
});
