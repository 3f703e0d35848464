import { scrypt } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { download, sendContent, upload } from './uploads.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({ config: { maxUploadSize: 1000 } });
});
afterAll(() => homeserver.remove());

const files = async () => {
  const entries = await readdir(homeserver.config.mediaStorePath, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
};

describe.each([
  ['vendor', '/_chat'],
  ['matrix', '/_matrix'],
])('in the %s dialect', (_, chat) => {
  test('returns the maximum upload size', async () => {
    for (const path of ['client/v1/media/config', 'media/v3/config', 'media/v1/config', 'media/r0/config']) {
      expect(await homeserver.as('alice').get(`${chat}/${path}`)).toMatchObject({
        status: 200,
        body: { 'm.upload.size': 1000 },
      });
    }
  });
});

test('a restart keeps uploads', async () => {
  const mediaId = await upload(homeserver, 'alice', 'kept');
  await homeserver.restart();
  expect(await (await download(homeserver, 'bob', mediaId)).text()).toBe('kept');
});

test('an empty upload is accepted', async () => {
  const mediaId = await upload(homeserver, 'alice', '');
  const response = await download(homeserver, 'bob', mediaId);
  expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: '' });
});

test('an oversized upload is refused and leaves nothing behind', async () => {
  const before = await files();
  const path = '/_chat/media/v3/upload';
  expect(await sendContent(homeserver, 'alice', 'POST', path, 'x'.repeat(1001))).toMatchObject({
    status: 413,
    body: { errcode: 'M_TOO_LARGE' },
  });
  expect(await files()).toEqual(before);
});

test('an aborted upload leaves nothing behind', async () => {
  const before = await files();
  const { promise, resolve } = Promise.withResolvers<void>();
  const upload = request(`${homeserver.url}/_chat/media/v3/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${homeserver.as('alice').accessToken}`, 'content-length': 1000 },
  });
  upload.on('error', () => resolve());
  upload.write('half', () => upload.destroy());
  await promise;
  await expect.poll(files).toEqual(before);
});

test('an upload aborted before the disk is ready leaves nothing behind', async () => {
  const diskIsSlow = Array.from({ length: 8 }, () => promisify(scrypt)('password', 'salt', 64));
  const { hostname, port } = new URL(homeserver.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const head = [
    'POST /_chat/media/v3/upload HTTP/1.1',
    `Host: ${hostname}`,
    `Authorization: Bearer ${homeserver.as('alice').accessToken}`,
    'Content-Length: 1000',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\nhalf`, () => socket.resetAndDestroy());
  await Promise.all(diskIsSlow);
  await expect.poll(() => readdir(join(homeserver.config.mediaStorePath, 'unfinished'))).toEqual([]);
});

describe('refuses', () => {
  test('uploads without a token', async () => {
    expect(await homeserver.as('guest').post('/_chat/media/v3/upload', 'x')).toMatchObject({
      status: 401,
      body: { errcode: 'M_MISSING_TOKEN' },
    });
  });

  test('a file name with NUL', async () => {
    const path = '/_chat/media/v3/upload?filename=a%00b';
    expect(await sendContent(homeserver, 'alice', 'POST', path, 'x')).toMatchObject({
      status: 400,
      body: { errcode: 'M_INVALID_PARAM' },
    });
  });
});
