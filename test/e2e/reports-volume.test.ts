/** A list longer than one page, on the built-in homeserver. */
import { expect, test } from 'vitest';
import { isMatrix } from '../matrix.ts';
import { gatehouse } from '../server/gatehouse.ts';
import { administratorOf } from './homeserver-client.ts';
import { hosts, openScreen } from './hosts.ts';

const reports = '/_service/admin/v1/event_reports';
const many = isMatrix ? 5_000 : 1_200;
const manyReports = `${many.toLocaleString('en')} reports`;

test('the end of a long report list loads fast, groups have exact counts, and the export is complete', async () => {
  const browser = hosts.find(({ name }) => name === 'browser');
  if (!browser) throw new Error('no host is a browser');
  await using running = await browser.start();
  const { page, dataDir } = running;
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  const administrator = await administratorOf(running);
  const filled = await gatehouse('sample-data', '--reports', String(many), '--data-dir', dataDir);
  expect(filled).toMatchObject({ code: 0 });
  await page.reload();
  await openScreen(page, 'Reports');
  const list = page.getByRole('listbox', { name: 'Reports' });
  await list.getByRole('option').first().waitFor();
  await page.getByText(manyReports).waitFor();

  const { body: oldest } = await administrator.get(`${reports}?dir=f&limit=1`);
  await list.press('End');
  await expect.poll(() => page.url()).toContain(`report=${oldest.event_reports[0].id}`);
  await list.locator(`[aria-posinset="${many}"]`).waitFor();

  await page.getByRole('button', { name: 'Group reports' }).click();
  await page.getByRole('menuitemradio', { name: 'By sender' }).click();
  const { body: ofMallory } = await administrator.get(
    `${reports}?event_sender_user_id=@mallory:localhost&limit=1`,
  );
  const groups = page.getByRole('list', { name: 'Grouped reports' });
  await groups
    .getByRole('button', { name: new RegExp(`@mallory ${ofMallory.total.toLocaleString('en')} reports`) })
    .waitFor();

  await page.getByRole('button', { name: 'Export reports' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
  await page.getByText(`${manyReports} exported`).waitFor();
});
