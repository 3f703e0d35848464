/** Making users of a pasted list when it does not go smoothly: nothing of it is lost, nor done behind one's back. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { call } from '../server/homeserver.ts';
import { acting } from './acting.ts';

const box = acting('matrix');

async function paste(names: string) {
  const { page } = box;
  await box.open('/users');
  await page.getByRole('button', { name: 'Create user' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create user' });
  await dialog.getByText('Several').click();
  await dialog.getByRole('textbox', { name: 'Names' }).fill(names);
  return dialog;
}

async function answerHeld(pattern: string) {
  const asked = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  await box.page.route(pattern, async (route) => {
    asked.resolve();
    await goesOn.promise;
    await route.continue();
  });
  return { asked: asked.promise, goesOn: () => goesOn.resolve() };
}

test('the way back loses no passwords while users are made, and afterwards only when one has been told', async () => {
  const { page } = box;
  const dialog = await paste('kept1\nkept2');
  const second = await answerHeld('**/v2/users/*kept2*');
  await dialog.getByRole('button', { name: 'Create 2 users' }).click();
  await second.asked;
  await page.goBack();
  await dialog.getByText('Closing discards the unsaved passwords.').waitFor();
  await page.goBack();
  second.goesOn();
  await dialog.getByText('2 of 2 created').waitFor();
  expect(await dialog.locator('td code').count()).toBe(2);

  await dialog.getByRole('button', { name: 'Close without saving' }).click();
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Create user' }).click();
  await dialog.getByText('Several').click();
  await dialog.getByRole('textbox', { name: 'Names' }).fill('kept3');
  await dialog.getByRole('button', { name: 'Create 1 user' }).click();
  await dialog.getByText('1 of 1 created').waitFor();
  await page.goBack();
  await dialog.getByText('Closing discards the unsaved passwords.').waitFor();
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
});

test('a page that is closed while users are made, or before their passwords are saved, asks first', async () => {
  const { page } = box;
  const dialog = await paste('asked1');
  const wouldAsk = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  expect(await wouldAsk()).toBe(false);
  const first = await answerHeld('**/v2/users/*asked1*');
  await dialog.getByRole('button', { name: 'Create 1 user' }).click();
  await first.asked;
  expect(await wouldAsk()).toBe(true);
  first.goesOn();
  await dialog.getByText('1 of 1 created').waitFor();
  expect(await wouldAsk()).toBe(true);
  await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  await expect.poll(wouldAsk).toBe(false);
});

test('those who could not be made are tried again, and whoever was made without an answer keeps the password', async () => {
  const { page } = box;
  const dialog = await paste('again1\nagain2\nagain3\nagain4\nagain5');
  // The first of the lost ones arrives: only its answer does not.
  let isGone = true;
  await page.route(/\/v2\/users\/.*again[2-5]|username_available\?.*again[3-5]/, async (route) => {
    if (!isGone) return route.continue();
    if (route.request().method() === 'PUT') await route.fetch();
    await route.abort('connectionrefused');
  });
  await dialog.getByRole('button', { name: 'Create 5 users' }).click();
  await dialog.getByText('1 of 5 created, 3 failed').waitFor();
  // A sentence beside it breaks no password in two, nor a name.
  const told = dialog.locator('tbody :is(td:first-child, code):not(:empty)');
  const linesOfEach = await told.evaluateAll((all) =>
    all.map((each) => {
      const range = document.createRange();
      range.selectNodeContents(each);
      return range.getClientRects().length;
    }),
  );
  expect([...new Set(linesOfEach)]).toEqual([1]);
  isGone = false;
  await dialog.getByRole('button', { name: 'Retry 4 users' }).click();
  await dialog.getByText('4 of 5 created, 1 failed').waitFor();
  const rows = dialog.getByRole('table').locator('tbody tr');
  expect(await rows.locator('td:first-child').allInnerTexts()).toEqual(
    [1, 2, 3, 4, 5].map((index) => `@again${index}:localhost`),
  );
  await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n').slice(1);
  for (const line of lines) {
    const [user = '', , , , password] = line.split(',');
    const login = { type: 'm.login.password', identifier: { type: 'm.id.user', user }, password };
    const reply = await call(box.homeserver.url, 'POST', '/_chat/client/v3/login', undefined, login);
    expect(reply.status, user).toBe(200);
  }
});

test('Escape keeps the pasted names for the next time, and a finished job clears them', async () => {
  const { page } = box;
  const dialog = await paste('escaped1,"One, Escaped"');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Create user' }).click();
  await dialog.getByText('1 user to create').waitFor();
  await dialog.getByRole('button', { name: 'Create 1 user' }).click();
  await dialog.getByText('1 of 1 created').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.getByRole('button', { name: 'Close without saving' }).click();
  await page.getByRole('button', { name: 'Create user' }).click();
  expect(await dialog.getByRole('textbox', { name: 'Names' }).inputValue()).toBe('');
});
