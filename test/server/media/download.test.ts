import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { download, fetchContent, idOf, sendContent, thumbnail, upload } from './uploads.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({ config: { maxUploadSize: 1000 } });
});
afterAll(() => homeserver.remove());

describe.each([
  ['vendor', '/_chat'],
  ['matrix', '/_matrix'],
])('in the %s dialect', (_, chat) => {
  test("a user downloads another's upload, byte for byte", async () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
    for (const version of ['r0', 'v1', 'v3']) {
      const path = `${chat}/media/${version}/upload?filename=photo.png`;
      const { status, body } = await sendContent(homeserver, 'alice', 'POST', path, bytes, 'image/png');
      expect({ status, body }).toEqual({
        status: 200,
        body: { content_uri: expect.stringMatching(/^mxc:\/\/localhost\/\w+$/) },
      });
      const { accessToken } = homeserver.as('bob');
      const response = await fetch(
        `${homeserver.url}${chat}/client/v1/media/download/localhost/${idOf(body.content_uri)}`,
        { headers: { authorization: `Bearer ${accessToken}` } },
      );
      expect(response.headers.get('content-type')).toBe('image/png');
      expect(response.headers.get('content-disposition')).toBe("inline; filename*=utf-8''photo.png");
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    }
  });

  test.each([
    ['media/v3/preview_url?url=https://example.org', 404],
    ['client/v1/media/preview_url?url=https://example.org', 404],
  ])('URL previews are off: %s', async (path, status) => {
    const reply = await homeserver.as('alice').get(`${chat}/${path}`);
    expect(reply).toMatchObject({ status, body: { errcode: 'M_UNRECOGNIZED' } });
  });
});

test.each([
  'text/html',
  'TEXT/HTML',
  'image/svg+xml',
  'text/html; charset=utf-8',
  'application/javascript',
  'application/xhtml+xml',
  'text/xml',
  'application/pdf',
  'text/html, image/png',
  'image/png,text/html',
  'nonsense',
])("%s can't run as a page of this server", async (type) => {
  const mediaId = await upload(
    homeserver,
    'alice',
    '<script>alert(1)</script>',
    type,
    '?filename=%22%3B%0d%0a.html',
  );
  const { headers } = await download(homeserver, 'bob', mediaId);
  expect(headers.get('content-disposition')).toMatch(/^attachment;/);
  expect(headers.get('content-disposition')).not.toMatch(/[\r\n"]/);
  expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test("a file missing on the disk isn't found", async () => {
  const mediaId = await upload(homeserver, 'alice', 'lost');
  const { mediaStorePath } = homeserver.config;
  await rm(join(mediaStorePath, mediaId.slice(0, 2), mediaId.slice(2, 4), mediaId.slice(4)));
  const response = await download(homeserver, 'bob', mediaId);
  expect({ status: response.status, body: await response.json() }).toMatchObject({
    status: 404,
    body: { errcode: 'M_NOT_FOUND' },
  });
});

describe('a range of the content', () => {
  let mediaId: string;
  beforeAll(async () => {
    mediaId = await upload(homeserver, 'alice', '0123456789', 'audio/mpeg');
  });

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-30', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=10-', 416, undefined, 'bytes */10'],
    ['bytes=-0', 416, undefined, 'bytes */10'],
    ['bytes=5-2', 200, '0123456789', null],
    ['bytes=0-1,3-4', 200, '0123456789', null],
    ['bytes=-', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
    [`bytes=${'9'.repeat(40)}-`, 200, '0123456789', null],
  ])('%s', async (range, status, text, contentRange) => {
    const path = `client/v1/media/download/localhost/${mediaId}`;
    const response = await fetchContent(homeserver, 'bob', path, { range });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(contentRange);
    if (text !== undefined) expect(await response.text()).toBe(text);
  });
});

describe('refuses', () => {
  test.each([
    ['a download without a token', 'guest', 'localhost/whatever', 401],
    ['missing media', 'bob', 'localhost/whatever', 404],
    ['media of another server', 'bob', 'elsewhere.org/whatever', 404],
    ['a way out of the store', 'bob', 'localhost/..%2f..%2fsigning.key', 404],
    ['NUL', 'bob', 'localhost/a%00b', 404],
    ['a name that is too long', 'bob', `localhost/${'a'.repeat(1000)}`, 404],
    ['half a character', 'bob', 'localhost/%ed%a0%80', 400],
    ['waiting backwards', 'bob', 'localhost/whatever?timeout_ms=-1', 400],
  ])('%s', async (_, person, address, status) => {
    const response = await fetchContent(homeserver, person, `client/v1/media/download/${address}`);
    expect(response.status).toBe(status);
  });
});

describe('without authentication', () => {
  const legacy = (path: string, mediaId: string, query = '') =>
    fetchContent(homeserver, 'guest', `media/${path}/localhost/${mediaId}${query}`);

  test("new uploads aren't found", async () => {
    const mediaId = await upload(homeserver, 'alice', 'for us');
    for (const version of ['r0', 'v1', 'v3']) {
      expect((await legacy(`${version}/download`, mediaId)).status).toBe(404);
      expect((await legacy(`${version}/thumbnail`, mediaId, '?width=1&height=1')).status).toBe(404);
    }
    expect((await thumbnail(homeserver, 'guest', mediaId, 'width=1&height=1')).status).toBe(401);
  });

  test('uploads from before authenticated media stay reachable, and all while it is off', async () => {
    const inside = await upload(homeserver, 'alice', 'for us');
    homeserver.config.enableAuthenticatedMedia = false;
    await homeserver.restart();
    const before = await upload(homeserver, 'alice', '<script>alert(1)</script>', 'text/html');
    expect(await (await legacy('v3/download', inside)).text()).toBe('for us');

    homeserver.config.enableAuthenticatedMedia = true;
    await homeserver.restart();
    expect((await legacy('v3/download', inside)).status).toBe(404);
    for (const version of ['r0', 'v1', 'v3']) {
      const response = await legacy(`${version}/download`, before, '/page.html?allow_remote=false');
      expect(await response.text()).toBe('<script>alert(1)</script>');
      expect(response.headers.get('content-disposition')).toMatch(/^attachment;/);
      expect(response.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    }
    expect(await (await download(homeserver, 'bob', before)).text()).toBe('<script>alert(1)</script>');
  });
});
