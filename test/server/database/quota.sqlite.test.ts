import { expect, test } from 'vitest';
import { makeFailingCalls } from '../failing-calls.ts';
import { serveWith } from '../gatehouse.ts';
import { makeData } from './data.ts';
import { signIn } from './logged-in-user.ts';

test('an exhausted quota is like a full disk, for the database and for media', async ({ skip }) => {
  const quota = await makeFailingCalls('QUOTA_IS_USED_UP');
  if (!quota) return skip('there is no compiler to make such a disk with');
  const data = await makeData();
  const served = await serveWith(quota.options, ...data.source);
  const person = await signIn(served.url);
  const room = encodeURIComponent((await person.post('/createRoom', {})).body.room_id);
  let sent = 0;
  const say = () =>
    person.put(`/rooms/${room}/send/m.room.message/${++sent}`, { msgtype: 'm.text', body: 'hello' });
  expect((await say()).status).toBe(200);

  const { body } = await person.post('/../../media/v1/create', {});
  const address = body.content_uri.replace('mxc://localhost/', '');

  await quota.fail();
  const noRoom = {
    status: 507,
    body: { errcode: 'M_RESOURCE_LIMIT_EXCEEDED', error: expect.stringMatching(/out of disk space/) },
  };
  expect(await say()).toMatchObject(noRoom);
  expect(await person.post('/createRoom', {})).toMatchObject(noRoom);
  expect((await person.get(`/rooms/${room}/messages?dir=b`)).status).toBe(200);
  expect(await person.fill(address, 'hello')).toBe(507);

  await quota.succeed();
  expect((await say()).status).toBe(200);
  expect(await person.download(await person.upload('hello'))).toEqual({ status: 200, content: 'hello' });
  expect(await served.end('SIGTERM')).toBe(0);
  expect(await served.errors).toMatch(/out of disk space/);
  await data.remove();
  await quota.remove();
});
