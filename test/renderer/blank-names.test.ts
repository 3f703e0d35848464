/** Rooms and users named only with spaces are visible and can be opened. */
import { expect, test } from 'vitest';
import { acting } from './acting.ts';

const box = acting();

test('a room named with spaces is visible in the list and opens', async () => {
  const { homeserver, page } = box;
  const alice = homeserver.as('alice');
  const created = await alice.post('/_chat/client/v3/createRoom', { name: ' \u00A0\u2003 ' });
  await box.open('/rooms');
  await page.getByRole('link', { name: 'only spaces' }).click();
  await page.getByRole('heading', { name: 'only spaces' }).waitFor();
  expect(decodeURIComponent(page.url())).toContain(created.body.room_id);
});

test('a user named with spaces is shown as such', async () => {
  const { homeserver, page } = box;
  const bob = homeserver.as('bob');
  const name = `/_chat/client/v3/profile/${encodeURIComponent(bob.userId)}/displayname`;
  await bob.put(name, { displayname: '\u2800 \u2800' });
  await box.open(`/users/${bob.userId}`);
  await page.getByRole('heading', { name: 'only spaces' }).waitFor();
});
