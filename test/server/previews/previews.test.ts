/** URL previews as a client receives them; the test runs the web server. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMetadata } from '../../../server/identity/previews/page-metadata.ts';
import { urlPreviews } from '../../../server/platform/config/url-previews.ts';
import { manualClock } from '../../manual-clock.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

const clock = manualClock();
let homeserver: TestHomeserver;
let web: string;
const asked: IncomingMessage[] = [];
const pages = new Map<string, RequestListener>();
const site = createServer((request, response) => {
  asked.push(request);
  const answer = pages.get(request.url ?? '');
  if (answer) answer(request, response);
  else response.writeHead(404).end();
});

const settings = {
  url_preview_enabled: true,
  url_preview_ip_range_whitelist: ['127.0.0.1/32'],
  url_preview_ip_range_blacklist: ['203.0.113.0/24'],
  url_preview_url_blacklist: [{ hostname: '*.example.org' }, { path: '^/secret', scheme: 'http' }],
  max_spider_size: '100K',
  url_preview_accept_language: ['de', 'en;q=0.5'],
};
const configured = (changes: object = {}) => urlPreviews.read({ ...settings, ...changes }, {} as never);

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  web = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  homeserver = await startHomeserver({ clock, config: await configured() });
});
afterAll(async () => {
  await homeserver.remove();
  site.close();
});

const page = (path: string, html: string | Buffer, type = 'text/html; charset=utf-8') => {
  pages.set(path, (_, response) => response.writeHead(200, { 'content-type': type }).end(html));
  return `${web}${path}`;
};
const redirect = (path: string, location: string) => {
  pages.set(path, (_, response) => response.writeHead(302, { location }).end());
  return `${web}${path}`;
};
const preview = (url: string, server = homeserver, path = '/_chat/client/v1/media/preview_url') =>
  server.as('alice').get(`${path}?url=${encodeURIComponent(url)}`);

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('content of unknown type has no preview', async () => {
  pages.set('/bare', (_, response) => response.writeHead(200).end('<title>Bare</title>'));
  const { status, body } = await preview(`${web}/bare`);
  expect([status, body]).toEqual([200, {}]);
});

test('a page is described, and its image is cached for a while', async () => {
  page('/one.png', picture, 'image/png');
  const url = page(
    '/og',
    '<head><title>Other</title><meta property="og:title" content="Caf&eacute; &amp; Co"><meta property=og:image content="one.png"><meta property="og:site_name" content="Web">',
  );
  const { status, body } = await preview(`${url}#part`);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      'og:title': 'Café & Co',
      'og:site_name': 'Web',
      'og:image': expect.stringMatching(/^mxc:\/\/localhost\/\w+$/),
      'og:image:type': 'image/png',
      'og:image:width': 1,
      'og:image:height': 1,
      'matrix:image:size': picture.length,
    },
  });
  expect(asked.at(-1)?.headers).toMatchObject({
    'accept-language': 'de, en;q=0.5',
    'accept-encoding': 'identity',
  });
  const download = () =>
    homeserver.as('bob').get(`/_chat/client/v1/media/download/${body['og:image'].slice('mxc://'.length)}`);
  expect((await download()).status).toBe(200);

  const times = asked.length;
  const again = await preview(url, homeserver, '/_chat/media/v3/preview_url');
  expect(again.body).toEqual(body);
  expect(asked).toHaveLength(times);
  clock.advance(61 * 60_000);
  expect((await preview(url)).body['og:title']).toBe('Café & Co');
  expect(asked.length).toBeGreaterThan(times);
  expect((await download()).status).toBe(200);
  clock.advance(49 * 60 * 60_000);
  await preview(url);
  expect((await download()).status).toBe(404);
});

test.each<[string, string | Buffer, string, object]>([
  [
    'title, description and the first image',
    '<title>\n A title </title><meta name=description content="What it is"><h1>H</h1><img src="/one.png">',
    'text/html',
    { 'og:title': 'A title', 'og:description': 'What it is', 'og:image': expect.stringMatching(/^mxc:/) },
  ],
  [
    'a heading and text, without the sidebar',
    '<html><head><style>p{}</style></head><body><nav>Menu</nav><h1>Heading</h1><p>One &lt;two&gt;</p><script>alert("<p>no</p>")</script><p>three',
    'text/html',
    { 'og:title': 'Heading', 'og:description': 'One <two> three' },
  ],
  ['nothing', '', 'text/html', {}],
  ['invalid characters', '<title>a\0b&#0;</title>', 'text/html', { 'og:title': 'a\ufffdb\ufffd' }],
  [
    'another encoding declared in the page',
    Buffer.concat([
      Buffer.from('<meta charset="windows-1252"><title>'),
      Buffer.from([0xe9, 0x80]),
      Buffer.from('</title>'),
    ]),
    'text/html',
    { 'og:title': 'é€' },
  ],
  ['an unknown encoding', '<title>Plain</title>', 'text/html; charset=klingon', { 'og:title': 'Plain' }],
  [
    'an invalid image',
    '<title>T</title><meta property="og:image" content="/og">',
    'text/html',
    { 'og:title': 'T' },
  ],
  [
    'an image on another server',
    '<title>T</title><meta property="og:image" content="http://10.1.2.3/x.png">',
    'text/html',
    { 'og:title': 'T' },
  ],
])('a page with %s gives a preview', async (name, html, type, expected) => {
  page('/one.png', picture, 'image/png');
  const url = page(`/${encodeURIComponent(name)}`, html, type);
  const { status, body } = await preview(url);
  expect(status).toBe(200);
  const {
    'og:image:type': _,
    'og:image:width': __,
    'og:image:height': ___,
    'matrix:image:size': ____,
    ...said
  } = body;
  expect(said).toEqual(expected);
});

test.each<[string, () => string, number, string]>([
  ['no web address', () => 'ftp://example.com/', 400, 'M_INVALID_PARAM'],
  ['an invalid URL', () => 'here', 400, 'M_INVALID_PARAM'],
  ['a private address', () => 'http://192.168.0.1/', 403, 'M_UNKNOWN'],
  ['one in another spelling', () => 'http://0x0a000001/', 403, 'M_UNKNOWN'],
  ['one in the clothes of IPv6', () => 'http://[::ffff:10.0.0.1]/', 403, 'M_UNKNOWN'],
  ['this machine by IPv6', () => 'http://[::1]/', 403, 'M_UNKNOWN'],
  ['a network that is blocked', () => 'http://203.0.113.9/', 403, 'M_UNKNOWN'],
  ['a redirection to a private address', () => redirect('/r1', 'http://10.0.0.1/'), 403, 'M_UNKNOWN'],
  ['a redirection to a file', () => redirect('/r2', 'file:///etc/passwd'), 400, 'M_INVALID_PARAM'],
  ['a redirection without end', () => redirect('/r3', '/r3'), 502, 'M_UNKNOWN'],
  ['a host that is blocked', () => 'http://www.example.org/', 403, 'M_UNKNOWN'],
  ['a path that is blocked', () => page('/secret/x', '<title>No'), 403, 'M_UNKNOWN'],
  ['a redirection to it', () => redirect('/r4', '/secret/x'), 403, 'M_UNKNOWN'],
  ['a missing page', () => `${web}/none`, 502, 'M_UNKNOWN'],
  ['a page that is too large', () => page('/large', 'x'.repeat(200_000)), 502, 'M_UNKNOWN'],
  ["content that isn't a page", () => page('/text', 'x', 'text/plain'), 502, 'M_UNKNOWN'],
])('refuses %s', async (_, url, status, errcode) => {
  expect(await preview(url())).toMatchObject({ status, body: { errcode } });
});

test('fetches a page once for concurrent requests, and few at once per user', async () => {
  let finish = () => {};
  const begun = Promise.withResolvers<void>();
  pages.set('/slow', (_, response) => {
    begun.resolve();
    finish = () => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Slow');
  });
  const times = asked.length;
  const first = preview(`${web}/slow`);
  await begun.promise;
  const others = [preview(`${web}/slow`), preview(`${web}/slow`), preview(`${web}/slow`)];
  const refused = await Promise.race(
    others.map((reply, index) => reply.then(({ status }) => ({ status, index }))),
  );
  expect(refused.status).toBe(429);
  finish();
  expect((await first).body).toEqual({ 'og:title': 'Slow' });
  const rest = await Promise.all(others.filter((_, index) => index !== refused.index));
  expect(rest.map(({ status }) => status)).toEqual([200, 200]);
  expect(asked).toHaveLength(times + 1);
});

test('a name is pinned to its address, and previews are off by default', async () => {
  const times = asked.length;
  const strict = await startHomeserver({ config: await configured({ url_preview_ip_range_whitelist: [] }) });
  expect(await preview(web.replace('127.0.0.1', 'localhost'), strict)).toMatchObject({
    status: 403,
    body: { errcode: 'M_UNKNOWN' },
  });
  expect(asked).toHaveLength(times);
  await strict.remove();
  const plain = await startHomeserver();
  for (const path of ['/_chat/client/v1/media/preview_url', '/_chat/media/r0/preview_url']) {
    expect(await preview(web, plain, path)).toMatchObject({
      status: 404,
      body: { errcode: 'M_UNRECOGNIZED' },
    });
  }
  await plain.remove();
});

const half = 512 * 1024;
test.each([
  ['deep', '<div>'.repeat(half / 5)],
  ['full of attributes', `<meta ${Array.from({ length: half / 8 }, (_, index) => `a${index}=1`).join(' ')}>`],
  ['full of comments', '<!--'.repeat(half / 4)],
  ['full of entities', '&amp'.repeat(half / 4)],
  ['full of titles', '<title>'.repeat(half / 7)],
  ['full of properties', '<meta property=og:x content=y>'.repeat(half / 30)],
])('a page that is %s is parsed fast', { timeout: 10_000 }, (_, html) => {
  const { properties } = readMetadata(html);
  expect(properties.size).toBeLessThanOrEqual(52);
});

test('network ranges are parsed', async () => {
  expect((await configured()).urlPreviews?.callable.allowed).toEqual([ipaddr.parseCIDR('127.0.0.1/32')]);
});
