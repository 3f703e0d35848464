/** A store that can't take an upload: its disk is full, or takes no writes. */
import { expect, test } from 'vitest';
import { startHomeserver } from '../homeserver.ts';
import { connectTo } from '../raw-connection.ts';
import { makeSmallDisk } from '../small-disk.ts';
import { download, sendContent, upload } from './uploads.ts';

const first = 100_000;
const rest = 3_000_000;

test('a connection goes on after an upload that the disk had no room for', async ({ skip }) => {
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

test('uploads can be tried again where the store takes no writes, and what is kept can be read', async ({
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
