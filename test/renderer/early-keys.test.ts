/** Early keys, pressed before their target has loaded: they apply only to the report that the user has moved to. */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { acting } from './acting.ts';

const on = acting();

/** Presses all keys before the page can process the first. */
const pressAtOnce = (page: Page, ...keys: string[]) =>
  page.evaluate((pressed) => {
    for (const key of pressed) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      (document.activeElement ?? document.body).dispatchEvent(event);
    }
  }, keys);

const heading = (id: number | undefined) => on.page.getByRole('heading', { name: `Report ${id}` });

/** Opens the newest report of a user with three reported messages. Returns all three IDs, newest first. */
async function openNewest() {
  const scene = await on.scene({ messages: 3 });
  const [first, second, third] = scene.reportIds;
  // Waits for the next report, because the status of a report that hasn't loaded can't be changed.
  const nextLoaded = on.page.waitForResponse((response) =>
    response.url().endsWith(`/event_reports/${second}`),
  );
  await on.open(`/reports?report=${third}&room=${encodeURIComponent(scene.roomId)}`);
  await heading(third).waitFor();
  await on.page.getByRole('option').nth(2).waitFor();
  await on.ready();
  await (await nextLoaded).finished();
  return { scene, ids: [third, second, first] };
}

test('a status key right after the next key applies to the next report', async () => {
  const { page } = on;
  const { ids } = await openNewest();
  await pressAtOnce(page, 'j', 'e');
  await heading(ids[2]).waitFor();
  const unreviewed = (row: number) =>
    page.getByRole('option').nth(row).getByRole('img', { name: 'Open', exact: true });
  await unreviewed(1).waitFor({ state: 'detached' });
  expect(await Promise.all([0, 2].map((row) => unreviewed(row).count()))).toEqual([1, 1]);
});

test('status and navigation keys typed at once run in order', async () => {
  const { page } = on;
  const { ids } = await openNewest();
  await pressAtOnce(page, 'x', 'j', 'j', 'x', 'k');
  await heading(ids[1]).waitFor();
  await page.getByText('2 selected').waitFor();
  const selected = () => page.getByRole('option').evaluateAll((rows) => rows.map((row) => row.ariaSelected));
  await expect.poll(selected).toEqual(['true', 'false', 'true']);
});

test("an event action right after the next key applies to the next report's event", async () => {
  const { page } = on;
  const { scene, ids } = await openNewest();
  await pressAtOnce(page, 'j', 'r');
  await on.panel();
  await heading(ids[1]).waitFor();
  await on.takePower();
  await page.keyboard.press('Enter');
  await on.said('redacted');
  const [, second = '', third = ''] = scene.eventIds;
  expect(await on.content(scene, second)).toEqual({});
  expect(await on.content(scene, third)).toMatchObject({ body: 'Message 3' });
});
