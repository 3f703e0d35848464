import { expect } from 'vitest';
import { createRoom, login, send } from './bot.ts';
import { test } from './homeserver.ts';

test('the bot sends to its room', async ({ homeserver }) => {
  const { bot } = homeserver.users;
  const roomId = await createRoom(homeserver.url, bot?.accessToken ?? '');
  await send(homeserver.url, bot?.accessToken ?? '', roomId, 'Hello');
  const request = await homeserver.waitForRequest({ path: '/send/m.room.message/*', user: 'bot' });
  expect(request.body).toEqual({ msgtype: 'm.text', body: 'Hello' });
});

test('the bot retries when it is rate-limited', async ({ homeserver }) => {
  const { bot } = homeserver.users;
  const roomId = await createRoom(homeserver.url, bot?.accessToken ?? '');
  await homeserver.fail({ path: '/send/*', retryAfter: 10, times: 1 });
  await send(homeserver.url, bot?.accessToken ?? '', roomId, 'Hello');
  const sent = await homeserver.requests({ path: '/send/*' });
  expect(sent.map(({ status }) => status)).toEqual([429, 200]);
});

test('a token logs in until it expires', async ({ homeserver }) => {
  const token = await homeserver.jwt('alice');
  expect(await login(homeserver.url, token)).toMatchObject({ user_id: '@alice:localhost' });
  await homeserver.advance('2h');
  expect(await login(homeserver.url, token)).toMatchObject({ errcode: 'M_FORBIDDEN' });
});
