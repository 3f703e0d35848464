import { expect, test } from 'vitest';
import { readAll, serveFixture } from '../../fixtures/read-data.ts';
import { copyFixture } from './fixture.ts';

test('data of version 0.1 opens with everything in it', async () => {
  const { dataDir, database, manifest, remove } = await copyFixture('version-0.1');
  const homeserver = await serveFixture(dataDir, manifest, database);
  const read = await readAll(homeserver.url, manifest);
  expect(read).toHaveLength(manifest.replies.length);
  for (const [index, kept] of manifest.replies.entries()) {
    // Later versions may return more, but not less.
    expect(read[index]).toMatchObject(kept);
  }
  await homeserver.stop();
  await remove();
});

test('its users log in and write', async () => {
  const { dataDir, database, manifest, remove } = await copyFixture('version-0.1');
  const homeserver = await serveFixture(dataDir, manifest, database);
  const send = async (method: string, path: string, body: object, token?: string) => {
    const reply = await fetch(`${homeserver.url}/_chat/client/v3/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    return { status: reply.status, body: await reply.json() };
  };
  const login = await send('POST', 'login', {
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: 'alice' },
    password: 'alice-password',
  });
  expect(login).toMatchObject({ status: 200, body: { user_id: '@alice:localhost' } });
  const made = await send('POST', 'createRoom', { name: 'New' }, login.body.access_token);
  expect(made.status).toBe(200);
  const room = encodeURIComponent(made.body.room_id);
  const message = { msgtype: 'm.text', body: 'Hello' };
  const sent = await send('PUT', `rooms/${room}/send/m.room.message/1`, message, manifest.tokens.alice);
  expect(sent).toMatchObject({ status: 200, body: { event_id: expect.any(String) } });
  await homeserver.stop();
  await remove();
});
