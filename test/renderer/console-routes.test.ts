/** The console as served by a homeserver under /console/: files, headers, and nothing else. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';
import { contentSecurityPolicy } from '../../shared/content-security-policy.ts';
import { startHomeserver, type TestHomeserver } from '../server/homeserver.ts';

const built = join(projectRoot, 'dist/renderer');
const page = readFileSync(join(built, 'index.html'));
/** A script referenced by the page. */
const script = /assets\/[\w.-]+\.js/.exec(page.toString())?.[0] ?? '';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({ config: { console: true } });
});
afterAll(() => homeserver.remove());

/** Requests a path as written, without normalization. */
async function ask(path: string, encoding = 'identity') {
  const { hostname, port } = new URL(homeserver.url);
  const request = get({ hostname, port, path, headers: { 'accept-encoding': encoding } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

test.each(['/', '/console'])('%s opens the console', async (path) => {
  expect(await ask(path)).toMatchObject({ status: 302, headers: { location: '/console/' } });
});

test.each([
  '',
  'index.html',
  'reports?report=1',
  'users/@a.b:c.org',
  'users/%40..%2F..%2Fetc%2Fpasswd%3Ac.org',
  'users/%40a%5Cb%3Ac.org',
  'assets/gone.js',
])('/console/%s is the page and may load and run only its own files', async (path) => {
  const { status, headers, body } = await ask(`/console/${path}`);
  expect({ status, body: body.toString() }).toEqual({ status: 200, body: page.toString() });
  expect(headers).toMatchObject({
    'content-type': expect.stringMatching(/^text\/html/),
    'content-security-policy': contentSecurityPolicy('http: https:'),
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
  });
});

test.each([
  '/console/../package.json',
  '/console/%2e%2e/%2e%2e/package.json',
  '/console/..%2f..%2fpackage.json',
  '/console/assets/..%2f..%2f..%2fpackage.json',
  '/console/..%5c..%5cpackage.json',
  '/console//etc/passwd',
  '/console/assets/',
])("%s can't reach other files", async (path) => {
  const { status, body } = await ask(path);
  expect([200, 400, 403, 404]).toContain(status);
  if (status === 200) expect(body.toString()).toBe(page.toString());
  expect(body.toString()).not.toMatch(/"devDependencies"|root:/);
});

test("a server without the console doesn't mention it", async () => {
  const bare = await startHomeserver();
  try {
    const { status, body } = await bare.as('guest').get('/console/');
    expect({ status, errcode: body.errcode }).toEqual({ status: 404, errcode: 'M_UNRECOGNIZED' });
  } finally {
    await bare.remove();
  }
});

test('the console is compressed for clients that accept it', async () => {
  const ways = [
    [script, readFileSync(join(built, script)), /^(text|application)\/javascript/, /immutable/],
    ['reports?report=1', page, /^text\/html/, /no-cache/],
  ] as const;
  const fetchAs = async (path: string, encoding: string) => {
    const { headers, body } = await ask(`/console/${path}`, encoding);
    const { 'content-encoding': sent, 'content-type': type, 'cache-control': kept, vary } = headers;
    return { body, headers: { sent, type, kept, vary } };
  };
  for (const [path, content, type, kept] of ways) {
    const unpacked = { 'gzip, deflate': gunzipSync, 'gzip, deflate, br': brotliDecompressSync };
    for (const [encoding, unpack] of Object.entries(unpacked)) {
      const { body, headers } = await fetchAs(path, encoding);
      const sent = encoding.endsWith('br') ? 'br' : 'gzip';
      const vary = expect.stringMatching(/accept-encoding/i);
      const expected = { sent, type: expect.stringMatching(type), kept: expect.stringMatching(kept), vary };
      expect(headers).toEqual(expected);
      expect(unpack(body)).toEqual(content);
    }
    const plain = await fetchAs(path, 'identity');
    expect({ ...plain.headers, body: plain.body }).toMatchObject({ sent: undefined, body: content });
  }
});
