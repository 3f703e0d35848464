import { expect, test } from 'vitest';
import { acting } from './acting.ts';
import { uploads } from './acting-scene.ts';

const box = acting();
const inBasket = (count: number) =>
  box.page.getByRole('status', { name: `${count} in basket`, exact: true }).waitFor();
const row = (text: string) => box.page.getByRole('row').filter({ hasText: text });

test('subjects of several screens are acted on together, removed, and gone after signing out', async () => {
  const { page, homeserver } = box;
  const [one, other] = [await box.scene(), await box.scene()];
  const [file = ''] = await uploads(one, 1);

  await box.open(`/reports?report=${one.reportIds[0]}`);
  await box.ready();
  expect(await page.getByRole('link', { name: 'Basket' }).count()).toBe(0);
  await page.keyboard.press('Shift+B');
  await inBasket(1);
  await box.said(`Added to basket: ${one.userId}`);

  await box.open(`/users?search=${other.userId.slice(1).split(':')[0]}`);
  await page.getByRole('checkbox', { name: `Select ${other.userId}` }).check();
  await box.ready();
  await page.keyboard.press('Shift+B');
  await inBasket(2);

  await box.open(`/media/uploads/${file}`);
  await box.ready();
  await page.keyboard.press('m');
  await page.getByRole('menuitem', { name: 'Add file to basket' }).click();
  await inBasket(3);
  await homeserver.as('admin').delete(`/_service/admin/v1/media/${file}`);

  await box.open('/basket');
  await row(one.userId).waitFor();
  await page.getByText('1 file', { exact: true }).click();
  await row('Not found').waitFor();
  await page.getByText('2 users', { exact: true }).first().click();
  await page.getByRole('checkbox', { name: 'Select all matches' }).click();
  await box.ready();
  await page.keyboard.press('s');
  await box.panel();
  await page.keyboard.press('Enter');
  await row(one.userId).getByText('Suspended').waitFor();
  await row(other.userId).getByText('Suspended').waitFor();

  await box.tray().getByRole('link', { name: 'Details' }).click();
  await row(one.userId).getByText('Done', { exact: true }).waitFor();
  await row(other.userId).getByText('Done', { exact: true }).waitFor();
  // Loaded before, and so named.
  await row(one.userId)
    .getByRole('link', { name: one.userId.slice(1).split(':')[0], exact: true })
    .waitFor();
  await box.tray().getByRole('button', { name: 'Dismiss' }).click();
  await box.tray().waitFor({ state: 'detached' });
  await row(one.userId).getByText('Done', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Basket' }).click();

  await page.getByRole('checkbox', { name: `Select ${one.userId}` }).check();
  await box.ready();
  await page.keyboard.press('Shift+B');
  await row(one.userId).waitFor({ state: 'detached' });
  await inBasket(2);
  await page.getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' });
  await page.keyboard.press('z');
  await row(one.userId).waitFor();
  await inBasket(3);

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('textbox').fill('Sign out of');
  await page
    .getByRole('button', { name: /^Sign out of/ })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await page
    .getByRole('dialog', { name: /^Sign out/ })
    .getByRole('button', { name: 'Sign out' })
    .click();
  await page.waitForURL(/\/connect/);
  await expect
    .poll(() => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('basket'))))
    .toEqual([]);
});
