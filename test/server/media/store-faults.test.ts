/** A media store that can't take uploads: its disk is full, read-only or missing. */
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startHomeserver } from '../homeserver.ts';
import { connectTo } from '../raw-connection.ts';
import { makeSmallDisk } from '../small-disk.ts';
import { png } from './images.ts';
import { download, sendContent, thumbnail, upload } from './uploads.ts';

const first = 100_000;
const rest = 3_000_000;

test("a connection continues after an upload that didn't fit on the disk", async ({ skip }) => {
  const disk = await makeSmallDisk(256 * 1024);
  if (!disk) return skip('this user may not mount a disk');
  const homeserver = await startHomeserver({ config: { mediaStorePath: disk.directory } });
  await disk.fill();
  const { socket, write, received } = await connectTo(homeserver.url);
  await write(
    [
      'POST /_matrix/media/v3/upload HTTP/1.1',
      'host: localhost',
      `authorization: Bearer ${homeserver.as('alice').accessToken}`,
      `content-length: ${first + rest}\r\n\r\n${'x'.repeat(first)}`,
    ].join('\r\n'),
  );
  await expect.poll(received).toMatch(/^HTTP\/1.1 507 /);
  socket.write(`${'x'.repeat(rest)}GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  await expect.poll(received).toMatch(/HTTP\/1.1 200 /);
  socket.destroy();
  await disk.empty();
  await homeserver.remove();
});

test('uploads can be retried when the store is writable, and existing media can be read', async ({
  skip,
}) => {
  const disk = await makeSmallDisk(256 * 1024);
  if (!disk) return skip('this user may not mount a disk');
  const homeserver = await startHomeserver({ config: { mediaStorePath: disk.directory } });
  const kept = await upload(homeserver, 'alice', 'kept');
  disk.setWritable(false);
  const reply = await sendContent(homeserver, 'alice', 'POST', '/_chat/media/v3/upload', 'lost');
  expect(reply).toMatchObject({ status: 503, body: { errcode: 'M_UNKNOWN' } });
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await (await download(homeserver, 'bob', kept)).text()).toBe('kept');
  disk.setWritable(true);
  await upload(homeserver, 'alice', 'kept, too');
  await homeserver.remove();
});

test.each([
  ['nothing', async () => {}],
  ['an empty folder, as where its disk was mounted,', (store: string) => mkdir(store)],
])('while there is %s in its place, nothing is stored that would disappear later', async (_, leave) => {
  const homeserver = await startHomeserver();
  const { mediaStorePath: store } = homeserver.config;
  const kept = await upload(homeserver, 'alice', 'kept');
  const picture = await upload(homeserver, 'alice', png(40, 40), 'image/png');
  await rename(store, `${store}-away`);
  await leave(store);
  const reply = await sendContent(homeserver, 'alice', 'POST', '/_chat/media/v3/upload', 'lost');
  expect(reply).toMatchObject({ status: 503, body: { errcode: 'M_UNKNOWN' } });
  // The store may come back.
  expect((await download(homeserver, 'bob', kept)).status).toBe(503);
  expect((await thumbnail(homeserver, 'bob', picture, 'width=32&height=32&method=crop')).status).toBe(503);
  const deletion = await homeserver.as('admin').delete(`/_service/admin/v1/media/localhost/${picture}`);
  expect(deletion.status).toBe(503);
  expect(await readdir(store).catch(() => [])).toEqual([]);
  await rm(store, { recursive: true, force: true });
  await rename(`${store}-away`, store);
  expect(await (await download(homeserver, 'bob', kept)).text()).toBe('kept');
  await upload(homeserver, 'alice', 'kept, too');
  // The deletion completes at the latest when the server restarts.
  await homeserver.restart();
  expect((await download(homeserver, 'bob', picture)).status).toBe(404);
  expect(
    (await readdir(store, { recursive: true })).filter((name) => name.endsWith(picture.slice(4))),
  ).toEqual([]);
  await homeserver.remove();
});
