/** Registration tokens, from the screen to the built-in homeserver. */
import { afterEach, expect, test } from 'vitest';
import { consoleOnHomeserver } from './console-on-homeserver.ts';
import { withoutEndpointList } from './probed-before.ts';

const console = consoleOnHomeserver();
const path = '/_service/admin/v1/registration_tokens';

type Token = { token: string; uses_allowed: number | null; expiry_time: number | null };
const admin = () => console.homeserver.as('admin');
const tokens = async (): Promise<Token[]> => (await admin().get(path)).body.registration_tokens;
const add = (token: object) => admin().post(`${path}/new`, token);

afterEach(async () => {
  for (const { token } of await tokens()) await admin().delete(`${path}/${token}`);
});

const listed = () =>
  console.page.getByRole('table', { name: 'Registration tokens' }).locator('[data-row] a').allInnerTexts();

test("a custom and a random token are created, and a refusal shows the server's message", async () => {
  const { page } = console;
  await console.open('/tokens');
  await page.getByRole('heading', { name: 'No tokens' }).waitFor();
  await page.keyboard.press('n');
  const panel = page.getByRole('dialog', { name: 'Create token' });
  // The first field has the focus.
  await expect
    .poll(() =>
      panel.getByRole('radio', { name: 'Random' }).evaluate((field) => field === document.activeElement),
    )
    .toBe(true);
  await panel.getByText('Custom').click();
  await panel.getByRole('textbox', { name: 'Token' }).fill('not allowed');
  await panel.getByRole('button', { name: 'Create token' }).click();
  await panel.getByText(/token must consist only of/).waitFor();
  await panel.getByRole('textbox', { name: 'Token' }).fill('..');
  await panel.getByText(/A token of only dots can't be changed or deleted\./).waitFor();
  // The rejected value and its error message are gone.
  expect(await panel.getByRole('alert').filter({ hasText: 'must consist' }).count()).toBe(0);
  await panel.getByRole('textbox', { name: 'Token' }).fill('open-day');
  await panel.getByRole('textbox', { name: 'Uses' }).fill('3');
  await panel.getByRole('textbox', { name: 'Uses' }).press('Enter');
  const made = page.getByRole('dialog', { name: 'Token', exact: true });
  await made.getByRole('button', { name: 'Copy token' }).click();
  await made.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('open-day');
  expect(await tokens()).toMatchObject([{ token: 'open-day', uses_allowed: 3, expiry_time: null }]);

  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Create token' }).click();
  await panel.getByRole('textbox', { name: 'Length' }).fill('0');
  await panel.getByText('Enter a whole number from 1 to 64.').waitFor();
  await panel.getByRole('textbox', { name: 'Length' }).fill('24');
  await panel.getByRole('button', { name: 'Create token' }).click();
  await page.getByText('2 tokens', { exact: true }).waitFor();
  expect((await tokens()).some(({ token }) => token.length === 24)).toBe(true);
  await console.open('/reports/log');
  const log = page.getByRole('table', { name: 'Moderation log' });
  await log.getByText('uses: 3, expires: never').waitFor();
  expect(await log.textContent()).not.toContain('open-day');
  expect(console.problems).toEqual([]);
});

test("several are created at once, each with a link that the server's registration page reads", async () => {
  const { page } = console;
  await console.open('/tokens?make=true');
  const panel = page.getByRole('dialog', { name: 'Create token' });
  await panel.getByRole('textbox', { name: 'Number of tokens' }).fill('101');
  await panel.getByText('Enter a whole number from 1 to 100.').waitFor();
  await panel.getByRole('textbox', { name: 'Number of tokens' }).fill('3');
  await panel.getByRole('textbox', { name: 'Uses' }).fill('1');
  await panel.getByRole('button', { name: 'Create 3 tokens' }).click();
  await panel.getByText('3 tokens created', { exact: true }).waitFor();
  const made = await tokens();
  expect(made.map(({ uses_allowed }) => uses_allowed)).toEqual([1, 1, 1]);
  const invitation = panel.getByRole('region', { name: 'Invitation' });
  await invitation.getByText(`Registration token: ${made[0]?.token}`).waitFor();
  await invitation.getByRole('textbox').fill('https://example.org/join?t={token}');
  await invitation.getByText(`https://example.org/join?t=${made[2]?.token}`).waitFor();
});

test('tokens are filtered by state, changed, and deleted after a confirmation', async () => {
  await add({ token: 'valid-one', uses_allowed: 5 });
  await add({ token: 'used-up', uses_allowed: 0 });
  await add({ token: 'for-ever' });
  const { page } = console;
  await console.open('/tokens?show=used');
  await expect.poll(listed).toEqual(['used-up']);
  await page.getByText('Expired', { exact: true }).click();
  await page.getByRole('heading', { name: 'No matching tokens' }).waitFor();
  await page.getByText('Valid', { exact: true }).first().click();
  await expect.poll(listed).toEqual(['for-ever', 'valid-one']);

  await page.getByRole('link', { name: 'valid-one' }).click();
  const panel = page.getByRole('dialog', { name: 'Token', exact: true });
  expect(await panel.getByRole('button', { name: 'Change token' }).isDisabled()).toBe(true);
  await expect
    .poll(() =>
      panel.getByRole('textbox', { name: 'Uses' }).evaluate((field) => field === document.activeElement),
    )
    .toBe(true);
  for (const misspelt of ['abc', '1.5', '-5', '9'.repeat(20)]) {
    await panel.getByRole('textbox', { name: 'Uses' }).fill(misspelt);
    await panel.getByText('Enter a whole number from 0 to 999,999,999.').waitFor();
    await panel.getByRole('button', { name: 'Change token' }).click();
    expect(await panel.getByText('Changed').count()).toBe(0);
  }
  await panel.getByRole('textbox', { name: 'Uses' }).fill('');
  await panel.getByLabel('Expires').fill('2100-01-01T12:00');
  await panel.getByRole('button', { name: 'Change token' }).click();
  await panel.getByText('Changed').waitFor();
  const changed = (await tokens()).find(({ token }) => token === 'valid-one');
  expect(changed).toMatchObject({ uses_allowed: null, expiry_time: new Date('2100-01-01T12:00').getTime() });

  await panel.getByRole('button', { name: 'Delete token' }).click();
  const question = page.getByRole('dialog', { name: 'Delete token' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await tokens()).toHaveLength(3);
  await panel.getByRole('button', { name: 'Delete token' }).click();
  // Escape closes the confirmation but not the token.
  await question.getByRole('textbox', { name: 'Reason' }).press('Escape');
  await question.waitFor({ state: 'detached' });
  await panel.getByRole('button', { name: 'Delete token' }).click();
  await question.getByText('No one can register with valid-one.').waitFor();
  await question.getByRole('textbox', { name: 'Reason' }).fill('Leaked');
  await question.getByRole('textbox', { name: 'Reason' }).press('Control+Enter');
  await panel.waitFor({ state: 'detached' });
  await page.getByText('valid-one deleted').waitFor();
  await expect.poll(listed).toEqual(['for-ever']);
  expect((await tokens()).map(({ token }) => token)).toEqual(['for-ever', 'used-up']);
});

test('Escape closes a token that was just changed, with any focus', async () => {
  await add({ token: 'valid-one', uses_allowed: 5 });
  const { page } = console;
  await console.open('/tokens');
  await page.getByRole('link', { name: 'valid-one' }).click();
  const panel = page.getByRole('dialog', { name: 'Token', exact: true });
  await panel.getByRole('textbox', { name: 'Uses' }).fill('7');
  await panel.getByRole('button', { name: 'Change token' }).click();
  await panel.getByText('Changed').waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
});

test('an open token deleted elsewhere is shown as deleted and leaves the list', async () => {
  await add({ token: 'early' });
  await add({ token: 'late' });
  const { page } = console;
  await console.open('/tokens?token=early');
  const panel = page.getByRole('dialog', { name: 'Token', exact: true });
  await panel.getByRole('textbox', { name: 'Uses' }).waitFor();
  await admin().delete(`${path}/early`);
  await panel.getByRole('textbox', { name: 'Uses' }).fill('3');
  await panel.getByRole('textbox', { name: 'Uses' }).press('Enter');
  await panel.getByText('Token not found').waitFor();
  await panel.getByRole('button', { name: 'Close' }).last().click();
  await expect.poll(listed).toEqual(['late']);
});

test('several are deleted together after a preview, with failures and earlier deletions listed', async () => {
  for (const token of ['first', 'second', 'third', 'fourth']) await add({ token });
  const { page } = console;
  await console.open('/tokens');
  await expect.poll(listed).toHaveLength(4);
  for (const token of ['first', 'second', 'third']) {
    await page.getByRole('checkbox', { name: `Select ${token}` }).click();
  }
  await page.route('**/registration_tokens/second', (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 500, json: { errcode: 'M_UNKNOWN', error: 'Broken' } })
      : route.continue(),
  );
  await page
    .getByRole('region', { name: 'Selection' })
    .getByRole('button', { name: 'Delete 3 tokens' })
    .click();
  const question = page.getByRole('dialog', { name: 'Delete 3 tokens' });
  await question.getByText(/No one can register with 3 tokens\./).waitFor();
  for (const token of ['first', 'second', 'third']) await question.getByText(token).first().waitFor();
  await admin().delete(`${path}/first`);
  await question.getByRole('button', { name: 'Delete 3 tokens' }).click();
  await expect.poll(async () => (await tokens()).map(({ token }) => token)).toEqual(['fourth', 'second']);
  const job = page.getByRole('region', { name: 'Jobs' }).getByRole('article');
  await job.getByText('2 of 3 done, 1 failed').waitFor();
  // The log contains the token and the user.
  const logged = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  for (const token of ['first', 'third']) expect(logged).toContain(`\\"detail\\":\\"${token}\\"`);
  await job.getByRole('button', { name: 'One failure' }).click();
  await job.getByText(/Broken/).waitFor();
  await expect.poll(listed).toEqual(['fourth', 'second']);
});

test('a server without tokens is reported, and the screen is removed from the rail', async () => {
  const { page } = console;
  await page.route('**/registration_tokens**', (route) =>
    route.fulfill({ status: 404, json: { errcode: 'M_UNRECOGNIZED', error: 'Unrecognized request' } }),
  );
  await withoutEndpointList(page);
  await console.open('/tokens', 'vendor', { isProbed: false });
  await page.getByRole('heading', { name: "This server doesn't support registration tokens" }).waitFor();
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('checkbox', { name: 'Select @admin:localhost' }).click();
  await page.getByRole('toolbar', { name: 'Actions' }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Tokens' }).count()).toBe(0);
});
