/** The screen and the open report after an action on reports. */
import { expect, test } from 'vitest';
import { acting } from './acting.ts';

const on = acting();

const inRoom = (roomId: string) => `/reports?room=${encodeURIComponent(roomId)}`;
const focused = () => on.page.evaluate(() => document.activeElement?.getAttribute('role'));

test('a status change shows its undo, so does the undo, and repeated ones share a line', async () => {
  const { page } = on;
  const { roomId, reportIds } = await on.scene({ messages: 4 });
  const [first, second, third, fourth] = reportIds;
  await on.open(`${inRoom(roomId)}&report=${fourth}`);
  await page.getByRole('heading', { name: `Report ${fourth}` }).waitFor();
  await on.ready();
  await page.keyboard.press('e');
  await on.said(`Report ${fourth} resolved`);
  await page.keyboard.press('U');
  await on.said(`Status of report ${fourth} restored`);
  await page.getByRole('heading', { name: `Report ${fourth}` }).waitFor();

  for (const next of [third, second, first]) {
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: `Report ${next}` }).waitFor();
  }
  const lines = page
    .getByRole('status')
    .filter({ hasText: /^(Report|Status of report) \d+ (resolved|restored)/ });
  await expect.poll(() => lines.allTextContents()).toEqual([`Report ${second} resolvedUndo`]);
  await lines.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: `Report ${second}` }).waitFor();
  await expect.poll(() => lines.allTextContents()).toEqual([`Status of report ${second} restored`]);
});

test('after a bulk action the next open report is selected, with the focus in the list', async () => {
  const { page } = on;
  const { roomId, reportIds } = await on.scene({ messages: 3 });
  await on.open(inRoom(roomId));
  const rows = page.getByRole('option');
  await rows.nth(2).waitFor();
  for (const row of [0, 1]) await rows.nth(row).click({ modifiers: ['Control'] });
  await page.getByText('2 selected').waitFor();
  await on.ready();
  await page.keyboard.press('r');
  await on.panel();
  await on.takePower();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `Report ${reportIds[0]}` }).waitFor();
  await expect.poll(focused).toBe('listbox');
});

test('Enter opens nothing without an open report', async () => {
  const { page } = on;
  const { roomId } = await on.scene();
  await on.open(inRoom(roomId));
  await page.getByRole('option').first().waitFor();
  await page.getByText('No report open').waitFor();
  await page.getByRole('listbox').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(focused).toBe('listbox');
});
