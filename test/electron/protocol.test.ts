import { readdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, startApp } from './app.ts';
import { shellAlone } from './build.ts';

let app: App;
beforeAll(async () => {
  app = await startApp({ dist: shellAlone });
});
afterAll(() => app?.dispose());

const get = (url: string, method = 'GET') => app.command('requestScheme', { url, method });

test.each([
  ['the start', 'app://gatehouse/console/', 'text/html; charset=utf-8', 'A page of the console'],
  ['a screen', 'app://gatehouse/console/reports/12?room=!a:b', 'text/html; charset=utf-8', 'A page of'],
  ['a screen of a user', 'app://gatehouse/console/users/@a.b:c.org', 'text/html; charset=utf-8', 'A page of'],
  [
    'a screen of a user whose ID has a backslash',
    'app://gatehouse/console/users/%40..%5Ca%3Ac.org',
    'text/html; charset=utf-8',
    'A page of',
  ],
  ['a script', 'app://gatehouse/console/assets/page.js', 'text/javascript; charset=utf-8', "'Ready'"],
])('serves %s', async (_, url, type, text) => {
  const reply = await get(url);
  expect(reply).toMatchObject({ status: 200, headers: { 'content-type': type } });
  expect(reply.body).toContain(text);
});

test.each([
  ['a file next to the console', 'app://gatehouse/console/../secret.txt'],
  ['the same, encoded', 'app://gatehouse/console/%2e%2e/secret.txt'],
  ['the same, with the slash encoded', 'app://gatehouse/console/..%2fsecret.txt'],
  ['the same, from the assets', 'app://gatehouse/console/assets/../../secret.txt'],
  ['the same, from the assets, encoded', 'app://gatehouse/console/assets/..%2f..%2fsecret.txt'],
  ['the same, with backslashes', 'app://gatehouse/console/..\\secret.txt'],
  ['the same, with backslashes encoded', 'app://gatehouse/console/..%5csecret.txt'],
  ['the preload script', 'app://gatehouse/console/..%2felectron/preload.cjs'],
  ['an absolute path', 'app://gatehouse/console//etc/passwd'],
  ['an absolute path of assets', 'app://gatehouse/console/assets//etc/passwd.txt'],
  ['a null byte', 'app://gatehouse/console/assets/page.js%00.png'],
  ['encoding that is broken', 'app://gatehouse/console/%zz.js'],
  ['a missing asset', 'app://gatehouse/console/assets/gone.js'],
  ['a directory', 'app://gatehouse/console/assets/'],
  ['an address outside of the console', 'app://gatehouse/'],
  ['an address with a similar beginning', 'app://gatehouse/consolex/assets/page.js'],
  ['another host', 'app://elsewhere/console/'],
  ['a host with a user', 'app://a:b@gatehouse/console/'],
])("doesn't serve %s", async (_, url) => {
  const reply = await get(url);
  expect(reply.body).not.toContain('Nobody is served this');
  expect(reply.body).not.toContain('root:');
  expect(reply.body).not.toContain('contextBridge');
  expect([404, 200]).toContain(reply.status);
  // Only the console's fallback page for unknown screens is allowed.
  if (reply.status === 200) expect(reply.body).toContain('A page of the console');
});

test('a path out of the directory is refused', async () => {
  const link = join(shellAlone, 'renderer/assets/link.txt');
  symlinkSync(join(shellAlone, 'secret.txt'), link);
  try {
    expect(await get('app://gatehouse/console/assets/link.txt')).toMatchObject({ status: 404, body: '' });
  } finally {
    unlinkSync(link);
  }
});

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])("%s isn't a valid request for files", async (method) => {
  expect(await get('app://gatehouse/console/', method)).toMatchObject({ status: 405 });
});

test('HEAD returns only headers', async () => {
  const reply = await get('app://gatehouse/console/', 'HEAD');
  expect(reply).toMatchObject({ status: 200, body: '', headers: { 'content-type': /html/ } });
});

test.each(['app://gatehouse/console/', 'app://gatehouse/console/assets/page.js', 'app://gatehouse/nowhere'])(
  '%s has its content security policy',
  async (url) => {
    const { headers } = await get(url);
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  },
);

test("the page can't read files that aren't served", async () => {
  const statuses = await app.page.evaluate(() =>
    Promise.all(
      ['/secret.txt', '/console/..%2fsecret.txt', '/console/assets/gone.js'].map(
        async (path) => (await fetch(path)).status,
      ),
    ),
  );
  expect(statuses).toEqual(
    [404, 200, 404].map((status, index) => (index === 1 ? expect.any(Number) : status)),
  );
  expect(readdirSync(shellAlone)).toContain('secret.txt');
});
