/** Keys that come before what they are for: they are done to the report that their person has gone to, and to no other. */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { acting } from './acting.ts';

const on = acting();

/** All of them before the page can do anything about the first. */
const pressAtOnce = (page: Page, ...keys: string[]) =>
  page.evaluate((pressed) => {
    for (const key of pressed) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      (document.activeElement ?? document.body).dispatchEvent(event);
    }
  }, keys);

const heading = (id: number | undefined) => on.page.getByRole('heading', { name: `Report ${id}` });

/** Opens the newest report of a sender of three messages; gives all three, the newest first. */
async function openNewest() {
  const scene = await on.scene({ messages: 3 });
  const [first, second, third] = scene.reportIds;
  // A mark on a report that hasn't loaded is refused: the next one is loaded ahead.
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

test('a mark right after the key for the next report is the mark of that one', async () => {
  const { page } = on;
  const { ids } = await openNewest();
  await pressAtOnce(page, 'j', 'e');
  await heading(ids[2]).waitFor();
  const unreviewed = (row: number) =>
    page.getByRole('option').nth(row).getByRole('img', { name: 'Open', exact: true });
  await unreviewed(1).waitFor({ state: 'detached' });
  expect(await Promise.all([0, 2].map((row) => unreviewed(row).count()))).toEqual([1, 1]);
});

test('marks and steps that come at once are done in their order', async () => {
  const { page } = on;
  const { ids } = await openNewest();
  await pressAtOnce(page, 'x', 'j', 'j', 'x', 'k');
  await heading(ids[1]).waitFor();
  await page.getByText('2 selected').waitFor();
  const selected = () => page.getByRole('option').evaluateAll((rows) => rows.map((row) => row.ariaSelected));
  await expect.poll(selected).toEqual(['true', 'false', 'true']);
});

test('what is done to an event right after the key for the next report is done to the event of that one', async () => {
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
