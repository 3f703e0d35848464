/** Policy lists from the screen to the built-in homeserver: watch, preview, apply, undo, publish. */
import { expect, test } from 'vitest';
import { consoleOnHomeserver } from './console-on-homeserver.ts';

const console = consoleOnHomeserver();
const client = '/_chat/client/v3';
const as = (name: string) => console.homeserver.as(name);

const isSuspended = async (userId: string) =>
  (await as('admin').get(`/_service/admin/v2/users/${encodeURIComponent(userId)}`)).body.suspended;

test('a list is watched, previewed, applied to an account and undone', async () => {
  const { page } = console;
  const { body: created } = await as('bob').post(`${client}/createRoom`, {
    preset: 'public_chat',
    name: 'Spam list',
    room_alias_name: 'spam-list',
  });
  const { userId } = as('alice');
  const ban = { entity: userId.replace('alice', 'ali?e'), recommendation: 'm.ban', reason: 'floods rooms' };
  await as('bob').put(`${client}/rooms/${created.room_id}/state/m.policy.rule.user/1`, ban);

  await console.open('/reports/lists');
  await page.getByRole('button', { name: 'Watch list' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Watch policy list' });
  const alias = `#spam-list:${userId.split(':')[1]}`;
  await dialog.getByRole('textbox').fill(`https://matrix.to/#/${encodeURIComponent(alias)}`);
  await dialog.getByRole('button', { name: 'Watch list' }).click();
  await page.getByRole('heading', { name: 'Spam list' }).waitFor();
  await page.getByText('floods rooms').waitFor();
  // Read through the admin API, because a local user is already in the room.
  expect(console.requests.some(({ path }) => path.includes('/join'))).toBe(false);

  await page.getByRole('link', { name: 'Matches' }).click();
  await page.getByRole('button', { name: 'Find matches' }).click();
  await page.getByText('1 match', { exact: true }).waitFor();
  await page.locator('[data-row="0"]').getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Suspend user' }).click();
  const panel = page.getByRole('dialog', { name: 'Suspend user' });
  await panel.getByRole('button', { name: 'Suspend user' }).click();
  await page.locator('[data-row="0"]').getByText('Suspended').waitFor();
  expect(await isSuspended(userId)).toBe(true);

  await page.goto(`${console.homeserver.url}/console/reports/log`);
  await page.getByText(`Policy list Spam list: ban ${ban.entity}, floods rooms`).waitFor();
  // Columns in which no entry has a value leave their room to others.
  expect(await page.getByRole('columnheader').allTextContents()).not.toContain('Rule');
  await page.keyboard.press('z');
  await expect.poll(() => isSuspended(userId)).toBe(false);
  expect(console.problems).toEqual([]);
});

test('a list is created, gets a rule from a user’s page, and the rule is removed and restored', async () => {
  const { page } = console;
  await console.open('/reports/lists?add=create');
  const dialog = page.getByRole('dialog', { name: 'Create policy list' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Ours');
  await dialog.getByRole('textbox', { name: 'Shortcode' }).fill('ours');
  await dialog.getByRole('button', { name: 'Create list' }).click();
  await page.getByRole('heading', { name: 'No rules' }).waitFor();
  const roomId = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  const rules = async (): Promise<Record<string, unknown>[]> =>
    (await as('admin').get(`${client}/rooms/${roomId}/state`)).body
      .filter(({ type }: { type: string }) => type.startsWith('m.policy.rule.'))
      .map(({ content }: { content: object }) => content);

  const { userId } = as('alice');
  await page.goto(`${console.homeserver.url}/console/users/${encodeURIComponent(userId)}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: /Add to policy list/ }).click();
  const panel = page.getByRole('dialog', { name: 'Add to policy list' });
  await panel.getByRole('textbox', { name: 'Public reason' }).fill('spam');
  await panel.getByRole('textbox', { name: 'Reason', exact: true }).fill('internal');
  await panel.getByRole('button', { name: 'Add to policy list' }).click();
  const published = { entity: userId, recommendation: 'm.ban', reason: 'spam' };
  await expect.poll(rules).toEqual([published]);

  await page.goto(`${console.homeserver.url}/console/reports/lists/${encodeURIComponent(roomId)}`);
  await page.locator('[data-row="0"]').getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Remove rule' }).click();
  await page
    .getByRole('dialog', { name: 'Remove rule' })
    .getByRole('button', { name: 'Remove rule' })
    .click();
  await page.getByRole('heading', { name: 'No rules' }).waitFor();
  expect(await rules()).toEqual([{}]);
  await page.keyboard.press('z');
  await expect.poll(rules).toEqual([published]);
  await page.getByRole('link', { name: 'Policy lists' }).click();
  await page.getByRole('link', { name: 'Ours' }).waitFor();
  expect(console.problems).toEqual([]);
});

test('the servers of a list are denied in a chosen room and allowed again', async () => {
  const { page } = console;
  const bob = as('bob');
  const create = async (name: string) =>
    (await bob.post(`${client}/createRoom`, { preset: 'public_chat', name })).body.room_id;
  const [list, room] = [await create('Servers'), await create('Guarded')];
  const ban = { entity: 'Evil.example', recommendation: 'm.ban', reason: 'floods' };
  await bob.put(`${client}/rooms/${list}/state/m.policy.rule.server/1`, ban);
  const own = as('admin').userId.split(':')[1];
  await bob.put(`${client}/rooms/${list}/state/m.policy.rule.server/2`, { ...ban, entity: own });
  const acl = `${client}/rooms/${room}/state/m.room.server_acl`;
  const before = { allow: ['*'], deny: ['other.example'], allow_ip_literals: false };
  await bob.put(`${acl}/`, before);

  await console.open(`/reports/lists/${encodeURIComponent(list)}?tab=acl&text=Guarded`);
  await page.getByText('1 server to deny').waitFor();
  expect(
    await page
      .locator('nav [aria-current]')
      .filter({ hasText: /^(Rules|Server ACL)$/ })
      .allInnerTexts(),
  ).toEqual(['Server ACL']);
  await page.locator('[data-row="0"]').getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Deny servers' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deny servers' });
  await dialog.getByRole('button', { name: /Preview of the ACL/ }).click();
  await expect
    .poll(async () => JSON.parse(await dialog.getByRole('textbox', { name: /Preview/ }).inputValue()))
    .toEqual({ ...before, deny: ['other.example', 'evil.example'] });
  await dialog.getByRole('checkbox', { name: /Make me/ }).click();
  await dialog.getByRole('button', { name: 'Deny servers' }).click();
  await expect.poll(async () => (await bob.get(acl)).body.deny).toEqual(['other.example', 'evil.example']);
  await dialog.waitFor({ state: 'hidden' });
  await page.keyboard.press('z');
  await expect.poll(async () => (await bob.get(acl)).body).toEqual(before);
  expect(console.problems).toEqual([]);
});
