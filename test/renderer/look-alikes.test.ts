/** Users who imitate another name with letters of another script are flagged in decisions about them. */
import { expect, test } from 'vitest';
import { consoleOnHomeserver } from './console-on-homeserver.ts';
import { makeScene } from './report-scene.ts';

const console = consoleOnHomeserver();

/** The first letter and the third vowel are Cyrillic. */
const imitated = '\u0410da L\u043Evelace';
const warning = 'Suspicious: Mixes look-alike Latin and Cyrillic letters';

async function imitation() {
  const scene = await makeScene({
    url: console.homeserver.url,
    dialect: 'vendor',
    adminToken: console.homeserver.as('admin').accessToken ?? '',
  });
  const { bob, administer, client } = scene;
  await administer('PUT', `/v2/users/${encodeURIComponent(bob.userId)}`, { displayname: imitated });
  // Also sets the name in the room.
  await client('PUT', `/profile/${encodeURIComponent(bob.userId)}/displayname`, bob, {
    displayname: imitated,
  });
  return scene;
}

test("a report shows its sender's name in the room and why it's suspicious", async () => {
  const { page } = console;
  const { say, alice, bob, report } = await imitation();
  await say(alice, 'Who are you?');
  const sent = await say(bob, 'Send me your password, I am the admin');
  await console.open(`/reports?report=${await report(alice, sent)}`);

  const head = page.getByRole('article', { name: 'Reported message' }).locator('header');
  await head.getByText(imitated).waitFor();
  await head.getByText(bob.userId).waitFor();
  await head.getByRole('img', { name: warning }).waitFor();

  const chip = page.getByRole('button', { name: `Sender: ${imitated}` }).first();
  await chip.getByRole('img', { name: warning }).waitFor();
  // The user is on the first screen.
  expect((await chip.boundingBox())?.y).toBeLessThan(500);

  const conversation = page.getByRole('list', { name: 'Message context' });
  await conversation.scrollIntoViewIfNeeded();
  const reported = conversation.locator('[aria-current="true"]');
  await reported.getByText(imitated).waitFor();
  await reported.getByRole('img', { name: warning }).waitFor();
  const other = conversation.getByRole('button', { name: 'Sender: Alice' }).first();
  await other.waitFor();
  expect(await other.getByRole('img').count()).toBe(0);
  expect(console.problems).toEqual([]);
});

test("a row shows the name of its sender's account and why it's suspicious", async () => {
  const { page } = console;
  const { say, alice, bob, report } = await imitation();
  await report(alice, await say(bob, 'Send me your password, I am the admin'));
  await report(bob, await say(alice, 'No'));
  await console.open('/reports');
  const accused = (id: string) => page.getByRole('option').locator(`[data-accused][title="${id}"]`);
  const imitator = accused(bob.userId).first();
  await imitator.getByText(imitated).waitFor();
  await imitator.getByRole('img', { name: warning }).waitFor();
  const other = accused(alice.userId).first();
  await other.getByText('Alice', { exact: true }).waitFor();
  expect(await other.getByRole('img').count()).toBe(0);
  expect(console.problems).toEqual([]);
});

test('mixed-script names are marked in the user list and on their page', async () => {
  const { page } = console;
  const { alice, bob, administer } = await imitation();
  await administer('PUT', `/v2/users/${encodeURIComponent(alice.userId)}`, { displayname: 'Ada Lovelace' });
  await console.open('/users');
  const row = (id: string) => page.getByRole('row').filter({ hasText: id });
  const sign = row(bob.userId).getByRole('img', { name: warning });
  await sign.hover();
  await page.getByRole('tooltip', { name: 'Mixes look-alike Latin and Cyrillic letters' }).waitFor();
  expect(await row(alice.userId).getByRole('img').count()).toBe(0);

  await console.open(`/users/${bob.userId}`);
  await page.getByRole('heading', { level: 1 }).getByRole('img', { name: warning }).waitFor();
  expect(console.problems).toEqual([]);
});

test('a look-alike is found on a homeserver and stays current after an action', async () => {
  const { page } = console;
  const { alice, bob, administer } = await imitation();
  await administer('PUT', `/v2/users/${encodeURIComponent(alice.userId)}`, { displayname: 'Ada Lovelace' });
  await console.open(`/users/look-alikes?search=${alice.userId}`);
  const row = page.getByRole('row').filter({ hasText: bob.userId });
  await row.getByRole('img', { name: warning }).waitFor();
  expect(await page.getByRole('row').filter({ hasText: alice.userId }).count()).toBe(0);
  await row.getByRole('checkbox').check();
  const looked = () => console.requests.filter(({ path }) => path.includes('/v2/users?')).length;
  await page.getByRole('toolbar').getByRole('button', { name: 'Lock user' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Lock user' }).click();
  await row.getByText('Locked').waitFor();
  expect(await row.getByRole('img', { name: warning }).count()).toBe(1);
  // The action doesn't repeat the scan.
  expect(looked()).toBe(1);
  expect(console.problems).toEqual([]);
});
