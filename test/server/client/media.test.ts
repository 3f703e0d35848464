import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({ config: { maxUploadSize: 1000 } });
});
afterAll(() => homeserver.remove());

async function upload(content: string | Uint8Array<ArrayBuffer>, contentType: string, query = '') {
  const response = await fetch(`${homeserver.url}/_chat/media/v3/upload${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${homeserver.as('alice').accessToken}`, 'content-type': contentType },
    body: content,
  });
  return { status: response.status, body: await response.json() };
}

const download = (person: string, address: string, client = '/_chat') => {
  const { accessToken } = homeserver.as(person);
  return fetch(`${homeserver.url}${client}/client/v1/media/download/${address.replace('mxc://', '')}`, {
    headers: accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` },
  });
};

test('what one user uploads another downloads, byte for byte, in either dialect', async () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
  const { status, body } = await upload(bytes, 'image/png', '?filename=photo.png');
  expect({ status, body }).toEqual({
    status: 200,
    body: { content_uri: expect.stringMatching(/^mxc:\/\/localhost\/\w+$/) },
  });
  for (const client of ['/_chat', '/_matrix']) {
    const response = await download('bob', body.content_uri, client);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-disposition')).toBe("inline; filename*=utf-8''photo.png");
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  }
});

test.each(['text/html', 'image/svg+xml', 'text/html; charset=utf-8', 'application/javascript', 'nonsense'])(
  '%s can never run as a page of this server',
  async (type) => {
    const { body } = await upload('<script>alert(1)</script>', type, '?filename=%22%3B%0d%0a.html');
    const { headers } = await download('bob', body.content_uri);
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(headers.get('content-disposition')).not.toMatch(/[\r\n"]/);
    expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  },
);

test('a restart keeps uploads', async () => {
  const { body } = await upload('kept', 'text/plain');
  await homeserver.restart();
  expect(await (await download('bob', body.content_uri)).text()).toBe('kept');
});

test('an upload that is too large is refused and leaves nothing behind', async () => {
  const files = async () => (await readdir(homeserver.config.mediaStorePath, { recursive: true })).sort();
  await upload('x', 'text/plain');
  const before = await files();
  expect(await upload('x'.repeat(1001), 'text/plain')).toMatchObject({
    status: 413,
    body: { errcode: 'M_TOO_LARGE' },
  });
  expect(await files()).toEqual(before);
});

describe('refuses', () => {
  test('uploads without a token', async () => {
    expect(await homeserver.as('guest').post('/_chat/media/v3/upload', 'x')).toMatchObject({
      status: 401,
      body: { errcode: 'M_MISSING_TOKEN' },
    });
  });

  test.each([
    ['a download without a token', 'guest', 'localhost/whatever', 401],
    ['what does not exist', 'bob', 'localhost/whatever', 404],
    ['media of another server', 'bob', 'elsewhere.org/whatever', 404],
    ['a way out of the store', 'bob', 'localhost/..%2f..%2fsigning.key', 404],
  ])('%s', async (_, person, address, status) => {
    expect((await download(person, address)).status).toBe(status);
  });
});

test('says how large an upload may be', async () => {
  for (const path of ['/_chat/client/v1/media/config', '/_chat/media/v3/config']) {
    expect(await homeserver.as('alice').get(path)).toMatchObject({
      status: 200,
      body: { 'm.upload.size': 1000 },
    });
  }
});
