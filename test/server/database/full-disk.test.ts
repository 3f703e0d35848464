import { globSync } from 'node:fs';
import { chown, rm, stat } from 'node:fs/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { serve } from '../gatehouse.ts';
import { makeSmallDisk } from '../small-disk.ts';
import { type Data, makeData } from './data.ts';
import { signIn } from './logged-in-user.ts';

test('with a full disk, reads work, writes are refused with the reason, and work again with space', async ({
  skip,
}) => {
  const disk = await makeSmallDisk(24 * 1024 * 1024);
  if (!disk) return skip('only root can make a disk that is small enough to fill');
  const data = await makeData();
  // Connections may be scarce for a while on a busy machine. This test is about the replies after that.
  await data.configure({ cp_wait: 60 });
  const remove = inject('postgres') ? await moveDatabase(data, disk.directory) : data.remove;
  const source = inject('postgres') ? data.source : [...data.source, '--data-dir', disk.directory];
  const served = await serve(...source);
  // Runs on failure too: a missing tablespace breaks PostgreSQL for every other test.
  onTestFinished(async () => {
    await served.end('SIGKILL');
    await remove();
  });
  const person = await signIn(served.url);
  const newcomer = await signIn(served.url, 'newcomer');
  const room = encodeURIComponent((await person.post('/createRoom', { preset: 'public_chat' })).body.room_id);
  const uploaded = await person.upload('hello');
  let sent = 0;
  const say = () =>
    person.put(`/rooms/${room}/send/m.room.message/${++sent}`, {
      msgtype: 'm.text',
      body: 'x'.repeat(30_000),
    });
  expect((await say()).status).toBe(200);

  await disk.fill();
  // Space that's already allocated still takes some messages.
  await expect.poll(say, { interval: 0 }).toMatchObject({
    status: 507,
    body: { errcode: 'M_RESOURCE_LIMIT_EXCEEDED', error: expect.stringMatching(/out of disk space/) },
  });
  for (const path of [
    '/account/whoami',
    `/rooms/${room}/messages?dir=b`,
    `/rooms/${room}/state`,
    '/joined_rooms',
  ]) {
    expect({ path, status: (await person.get(path)).status }).toEqual({ path, status: 200 });
  }
  // This token is unused, so its last-seen data must still be saved.
  expect((await newcomer.get('/account/whoami')).status).toBe(200);
  // This file was never fetched, so its access time must still be saved.
  expect(await person.download(uploaded)).toEqual({ status: 200, content: 'hello' });
  expect((await say()).status).toBe(507);
  // New PostgreSQL connections would now have to write a file, as after catalog changes.
  for (const file of globSync(`${disk.directory}/**/pg_internal.init`)) await rm(file, { force: true });
  await disk.fill();
  // Concurrent failing writes don't affect reads.
  const { next_batch: since } = (await person.get('/sync?timeout=0')).body;
  const attempts = Array.from({ length: 8 }, async () => {
    const refused = say();
    const read = [`/rooms/${room}/messages?dir=b`, `/sync?timeout=0&since=${since}`].map((path) =>
      person.get(path),
    );
    return [(await refused).status, ...(await Promise.all(read)).map(({ status }) => status)];
  });
  for (const statuses of await Promise.all(attempts)) expect(statuses).toEqual([507, 200, 200]);

  await disk.empty();
  await expect.poll(async () => (await say()).status).toBe(200);
  expect(await served.end('SIGTERM')).toBe(0);
  const errors = await served.errors;
  expect(errors).toMatch(/is out of disk space: .*(disk is full|No space left)/);
  expect(errors).not.toMatch(/cannot rollback/);
});

/** Moves a PostgreSQL database to a directory. Returns a function that removes both. */
async function moveDatabase({ database, ...data }: Data, directory: string) {
  const administrator = await data.connect('postgres');
  const { rows } = await administrator.query('show data_directory');
  const { uid, gid } = await stat(rows[0].data_directory);
  await chown(directory, uid, gid);
  await administrator.query(`create tablespace ${database}_disk location '${directory}'`);
  await administrator.query(`alter database ${database} set tablespace ${database}_disk`);
  return async () => {
    await data.remove();
    await administrator.query(`drop tablespace ${database}_disk`);
    await administrator.end();
  };
}
