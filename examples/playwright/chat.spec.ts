import { expect } from 'playwright/test';
import { test } from './homeserver.ts';

test('a client sees the homeserver', async ({ homeserver, request }) => {
  // In a browser test: await page.goto(`http://localhost:5173/#/login?hs=${homeserver.url}`);
  const reply = await request.get(`${homeserver.url}/_matrix/client/v3/account/whoami`, {
    headers: { authorization: `Bearer ${homeserver.users.alice?.accessToken}` },
  });
  expect(await reply.json()).toMatchObject({ user_id: '@alice:localhost' });
  expect(await homeserver.requests({ user: 'alice' })).toHaveLength(1);
});
