/** Download headers, and clients that stop reading. */
import { pbkdf2 } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { png } from './images.ts';
import { download, fetchContent, thumbnail, upload } from './uploads.ts';

const clock = manualClock();

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({ clock });
});
afterAll(() => homeserver.remove());

// Synapse encodes file names the same way, except that it leaves plain letters unencoded.
test.each([
  ['photo.png', "utf-8''photo.png"],
  ['a b.png', "utf-8''a%20b.png"],
  ['"q".png', "utf-8''%22q%22.png"],
  ['a\r\nSet-Cookie: b.png', "utf-8''a%0D%0ASet-Cookie%3A%20b.png"],
  ['ü€😀.png', "utf-8''%C3%BC%E2%82%AC%F0%9F%98%80.png"],
  ["a;b\\'()*.png", "utf-8''a%3Bb%5C%27%28%29%2A.png"],
  ['/../etc', "utf-8''%2F..%2Fetc"],
  ['100%.png', "utf-8''100%25.png"],
  ['\u007f\u0001', "utf-8''%7F%01"],
  ['\ufffe\uffff', "utf-8''%EF%BF%BE%EF%BF%BF"],
  ['x'.repeat(255), `utf-8''${'x'.repeat(255)}`],
  ['é'.repeat(255), `utf-8''${'%C3%A9'.repeat(255)}`],
])('a file named %j is saved under its own name', async (name, expected) => {
  const query = `?filename=${encodeURIComponent(name)}`;
  const mediaId = await upload(homeserver, 'alice', 'content', 'image/png', query);
  const { headers } = await download(homeserver, 'bob', mediaId);
  expect(headers.get('content-disposition')).toBe(`inline; filename*=${expected}`);
  const renamed = await fetchContent(
    homeserver,
    'bob',
    `client/v1/media/download/localhost/${await upload(homeserver, 'alice', 'content', 'image/png')}/${encodeURIComponent(name)}`,
  );
  expect(renamed.headers.get('content-disposition')).toBe(`inline; filename*=${expected}`);
});

describe('a client with a cached copy', () => {
  let path: string;
  let etag: string;
  beforeAll(async () => {
    const mediaId = await upload(homeserver, 'alice', '0123456789', 'audio/mpeg');
    path = `client/v1/media/download/localhost/${mediaId}`;
    etag = (await fetchContent(homeserver, 'bob', path)).headers.get('etag') ?? '';
  });

  test('gets a 304', async () => {
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const known of [etag, `"other", ${etag}`, '*']) {
      const response = await fetchContent(homeserver, 'bob', path, { 'if-none-match': known });
      expect({ status: response.status, body: await response.text() }).toEqual({ status: 304, body: '' });
      expect(response.headers.get('etag')).toBe(etag);
      expect(response.headers.get('cache-control')).toBe('private, max-age=86400, immutable');
    }
  });

  test('gets a 304 for thumbnails', async () => {
    const picture = await upload(homeserver, 'alice', png(40, 40), 'image/png');
    const sizes = ['width=32&height=32&method=crop', 'width=96&height=96&method=crop'];
    const [small, large] = await Promise.all(
      sizes.map(async (size) => (await thumbnail(homeserver, 'bob', picture, size)).headers.get('etag')),
    );
    expect(small).not.toBe(large);
    const again = `client/v1/media/thumbnail/localhost/${picture}?${sizes[0]}`;
    expect((await fetchContent(homeserver, 'bob', again, { 'if-none-match': small ?? '' })).status).toBe(304);
    expect((await fetchContent(homeserver, 'bob', again, { 'if-none-match': large ?? '' })).status).toBe(200);
  });

  test('gets changed content', async () => {
    const response = await fetchContent(homeserver, 'bob', path, { 'if-none-match': '"other"' });
    expect({ status: response.status, body: await response.text() }).toEqual({
      status: 200,
      body: '0123456789',
    });
  });

  test('resumes a range of the same, and restarts with another', async () => {
    for (const [known, status, body] of [
      [etag, 206, '56789'],
      ['"other"', 200, '0123456789'],
      ['Thu, 01 Jan 2026 00:00:00 GMT', 200, '0123456789'],
    ] as const) {
      const response = await fetchContent(homeserver, 'bob', path, { 'if-range': known, range: 'bytes=5-' });
      expect({ status: response.status, body: await response.text() }).toEqual({ status, body });
    }
  });

  test('learns nothing about quarantined or deleted media', async () => {
    const mediaId = await upload(homeserver, 'alice', 'evidence');
    const evidence = `client/v1/media/download/localhost/${mediaId}`;
    const response = () => fetchContent(homeserver, 'bob', evidence, { 'if-none-match': '*' });
    expect((await response()).status).toBe(304);
    await homeserver.as('admin').post(`/_service/admin/v1/media/quarantine/localhost/${mediaId}`);
    expect((await response()).status).toBe(404);
    await homeserver.as('admin').delete(`/_service/admin/v1/media/localhost/${mediaId}`);
    expect((await response()).status).toBe(404);
  });

  test("doesn't cache a refusal", async () => {
    const other = await upload(homeserver, 'alice', '0123456789');
    const refused = await fetchContent(homeserver, 'bob', `client/v1/media/download/localhost/${other}`, {
      range: 'bytes=10-',
    });
    expect(refused.status).toBe(416);
    expect(refused.headers.get('cache-control')).toBe(null);
  });
});

/** Sends a request over its own connection and reads only the beginning of the reply. */
async function askAndNotRead(path: string) {
  const { hostname, port } = new URL(homeserver.url);
  const socket = connect(Number(port), hostname);
  const token = homeserver.as('bob').accessToken;
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await once(socket, 'readable');
  /** Reads until the end or until `size` bytes have arrived. Returns the number of bytes. */
  const readAll = async (size: number) => {
    let received = 0;
    const enough = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        received += chunk.length;
        if (received >= size) resolve();
      });
    });
    socket.resume();
    await Promise.race([enough, once(socket, 'close')]);
    socket.destroy();
    return received;
  };
  return { socket, readAll };
}

describe('a download', () => {
  const size = 40_000_000;
  let path: string;
  beforeAll(async () => {
    const mediaId = await upload(homeserver, 'alice', Buffer.alloc(size), 'application/octet-stream');
    path = `/_chat/client/v1/media/download/localhost/${mediaId}`;
  });
  /** Gives the server several event loop turns. */
  const settle = async () => {
    for (let turn = 0; turn < 5; turn++) await homeserver.as('bob').get('/_chat/client/v3/account/whoami');
  };

  test('of a client that stops reading is aborted', async () => {
    const { readAll } = await askAndNotRead(path);
    // Some data flows at first, into the operating system's buffers.
    for (let minutes = 0; minutes < 20; minutes++) {
      await settle();
      clock.advance(60_000);
    }
    await settle();
    expect(await readAll(size)).toBeLessThan(size);
  });

  test('that was read to its end is never aborted', async () => {
    const mediaId = await upload(homeserver, 'alice', 'short', 'application/octet-stream');
    // The thread pool reads the file's end, later than the last byte is sent. Keeps the pool busy.
    let over = false;
    const busy = Array.from({ length: 8 }, async () => {
      while (!over) await promisify(pbkdf2)('', '', 10_000, 64, 'sha512');
    });
    const { socket, readAll } = await askAndNotRead(`/_chat/client/v1/media/download/localhost/${mediaId}`);
    let received = '';
    while (!received.endsWith('short')) {
      const [chunk] = (await once(socket.resume(), 'data')) as [Buffer];
      received += chunk.toString();
    }
    clock.advance(30 * 60_000);
    over = true;
    await Promise.all(busy);
    socket.write('GET /_chat/client/versions HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await readAll(1)).toBeGreaterThan(0);
  });

  test('that is slow completes', async () => {
    const { socket, readAll } = await askAndNotRead(path);
    for (let minutes = 0; minutes < 6; minutes++) {
      let received = 0;
      while (received < 2_000_000) {
        const [chunk] = (await once(socket.resume(), 'data')) as [Buffer];
        received += chunk.length;
      }
      socket.pause();
      await settle();
      clock.advance(60_000);
    }
    expect(await readAll(size - 12_500_000)).toBeGreaterThanOrEqual(size - 12_500_000);
  });
});
