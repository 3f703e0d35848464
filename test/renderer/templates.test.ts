/** Text templates by keyboard: `/` and a few letters, as in other editors. */
import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { acting } from './acting.ts';

const on = acting();

const optionsIn = (panel: Locator) => panel.getByRole('listbox', { name: 'Templates' }).getByRole('option');

/** Opens a report on a new user and the panel that suspends them. */
async function suspending() {
  const scene = await on.scene();
  await on.open(`/reports?report=${scene.reportIds[0]}`);
  await on.ready();
  await on.page.keyboard.press('s');
  const panel = await on.panel();
  return {
    ...scene,
    panel,
    reason: panel.getByRole('textbox', { name: 'Reason' }),
    options: optionsIn(panel),
    isSuspended: async () => (await on.user(scene.userId)).suspended,
  };
}

test('letters after / filter templates, and Enter or Tab only inserts one', async () => {
  const { page } = on;
  const { panel, reason, options, isSuspended, userId } = await suspending();
  await page.keyboard.type('/sp');
  await expect.poll(() => options.allTextContents()).toEqual(['Spam']);
  expect(await reason.inputValue()).toBe('/sp');
  await page.keyboard.press('Enter');
  await expect.poll(() => reason.inputValue()).toBe('Spam');
  await expect.poll(() => options.count()).toBe(0);
  expect(await panel.isVisible()).toBe(true);
  expect(await isSuspended()).toBe(false);

  // Replaces the selected text; arrow keys reach the other templates.
  await reason.selectText();
  await page.keyboard.type('/i');
  await expect
    .poll(() => options.allTextContents())
    .toEqual(['Illegal content', 'Impersonation', 'Disruptive behavior']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await expect.poll(() => reason.inputValue()).toBe('Impersonation');
  expect(await reason.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await isSuspended()).toBe(false);

  await page.keyboard.press('Enter');
  await on.said(`${userId} suspended`);
  expect((await on.log()).map((entry) => entry.reason)).toEqual(['Impersonation']);
});

test('without a matching template Enter and Ctrl+Enter do nothing, and fewer letters match again', async () => {
  const { page } = on;
  const { panel, reason, options, isSuspended } = await suspending();
  await page.keyboard.type('/spx');
  await panel.getByText('No matching templates').waitFor();
  for (const key of ['Enter', 'Control+Enter', 'Tab', 'Enter']) await page.keyboard.press(key);
  expect(await panel.isVisible()).toBe(true);
  expect(await reason.inputValue()).toBe('/spx');
  await page.keyboard.press('Backspace');
  await expect.poll(() => options.allTextContents()).toEqual(['Spam']);
  expect(await isSuspended()).toBe(false);
  for (const _ of '/sp') await page.keyboard.press('Backspace');
  await expect.poll(() => options.count()).toBe(0);
  expect(await panel.isVisible()).toBe(true);
});

test('a reason may begin with a slash: Escape closes the list and keeps the text', async () => {
  const { page } = on;
  const { panel, reason, options, userId } = await suspending();
  await page.keyboard.type('/s');
  await options.first().waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => options.count()).toBe(0);
  await page.keyboard.type('lash');
  expect(await reason.inputValue()).toBe('/slash');
  expect(await options.count()).toBe(0);
  expect(await panel.isVisible()).toBe(true);
  await page.keyboard.press('Enter');
  await on.said(`${userId} suspended`);
  expect((await on.log()).map((entry) => entry.reason)).toEqual(['/slash']);
});

test("a held Enter inserts a template and doesn't confirm", async () => {
  const { page } = on;
  const { panel, reason, isSuspended } = await suspending();
  await page.keyboard.type('/sp');
  await page.keyboard.down('Enter');
  await page.keyboard.down('Enter');
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect.poll(() => reason.inputValue()).toBe('Spam');
  expect(await panel.isVisible()).toBe(true);
  expect(await isSuspended()).toBe(false);
});

test('a multi-line notice inserts a template the same way and keeps its lines', async () => {
  const { page } = on;
  const scene = await on.scene();
  // Makes the server seem to support server notices.
  await page.route('**/admin/v1/send_server_notice', (route) =>
    route.fulfill({ status: 400, json: { errcode: 'M_UNKNOWN', error: 'Not a local user' } }),
  );
  await on.asOlderServer();
  await on.open(`/reports?report=${scene.reportIds[0]}`, { isProbed: false });
  const panel = await on.choose(/^Send server notice/);
  const notice = panel.getByRole('textbox', { name: 'Message' });
  await notice.focus();
  await page.keyboard.type('/suspended');
  await expect.poll(() => optionsIn(panel).count()).toBe(1);
  await page.keyboard.press('Enter');
  await expect.poll(() => notice.inputValue()).toMatch(/^Hello \{user\}, your account .* about it\.$/);
  await page.keyboard.press('Enter');
  await page.keyboard.type('And a line');
  const preview = panel.getByRole('region', { name: 'Preview' });
  await preview.getByText(`Hello ${scene.userId}, your account on localhost is suspended: .`).waitFor();
  await panel.getByText("Replaces {reason} in the user's message. Recorded under Activity.").waitFor();
  await panel.getByRole('textbox', { name: 'Reason' }).fill('spam');
  await preview.getByText(`Hello ${scene.userId}, your account on localhost is suspended: spam.`).waitFor();
  await notice.focus();
  expect(await notice.inputValue()).toMatch(/about it\.\nAnd a line$/);
});
