/** Accounts of the same person: compared one by one, after a click. */
import { beforeAll, expect, test } from 'vitest';
import { consoleOnHomeserver } from './console-on-homeserver.ts';

const console = consoleOnHomeserver();
const enc = encodeURIComponent;
const row = (userId: string) =>
  console.page.getByRole('row').filter({ has: console.page.locator(`[title="${userId}"]`) });

beforeAll(async () => {
  const { homeserver } = console;
  const admin = homeserver.as('admin');
  for (const name of ['alice', 'bob'])
    await homeserver.as(name).post('/_chat/media/v3/upload?filename=same.json', { same: 'file' });
  for (const [name, address] of [
    ['alice', 'mal@evil.example'],
    ['carol', 'mal+2@evil.example'],
  ] as const) {
    const path = `/_service/admin/v2/users/${enc(homeserver.as(name).userId)}`;
    const { status } = await admin.put(path, { threepids: [{ medium: 'email', address }] });
    expect(status).toBe(200);
  }
});

test('accounts with the same file or mailbox are found, those with only a local address are weak', async () => {
  const { page, homeserver, requests } = console;
  const [alice, bob, carol, admin] = ['alice', 'bob', 'carol', 'admin'].map(
    (name) => homeserver.as(name).userId,
  ) as [string, string, string, string];
  await console.open(`/users/${enc(alice)}`);
  await page.getByRole('button', { name: 'Find related accounts' }).click();
  await page.getByRole('heading', { name: 'Find accounts of the same person' }).waitFor();
  const asked = () => requests.filter(({ path }) => path.includes(`/whois/${bob}`));
  expect(asked()).toEqual([]);
  await page.getByRole('button', { name: 'Compare accounts' }).click();
  await page.getByText('3 of 3 accounts compared.').waitFor();
  await row(bob).getByText('Strong').waitFor();
  await row(bob).getByText('File').waitFor();
  await row(carol).getByText('Mailbox mal@evil.example').waitFor();
  await row(admin).getByText('Weak').waitFor();

  await page.getByRole('checkbox', { name: 'Strong signs only' }).check();
  await row(admin).waitFor({ state: 'detached' });
  for (const userId of [bob, carol]) await row(userId).getByRole('checkbox').check();
  await page.getByRole('button', { name: /^Suspend 2 users/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend 2 users' }).click();
  await row(bob).getByText('Suspended').waitFor();
  await row(carol).getByText('Suspended').waitFor();

  // The results stay.
  await row(bob).getByRole('link').click();
  await page.waitForURL((url) => decodeURIComponent(url.pathname).endsWith(`/users/${bob}`));
  await page.goBack();
  await row(carol).getByText('Mailbox').waitFor();
  expect(asked()).toHaveLength(1);
  expect(console.problems).toEqual([]);
});
