/** A hundred thousand reports: any position loads quickly, and partial counts are labeled. */
import { expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { manyReports } from './many-reports.ts';

const console = consoleUnderTest();

const many = 100_000;
const list = () => console.page.getByRole('listbox', { name: 'Reports' });
const row = (id: number) => list().getByText(`Reason ${id}`, { exact: true });
const press = (key: string) => console.page.keyboard.press(key);
const pages = () => console.homeserver.requests.filter((request) => request.includes('/event_reports?'));

async function openMany(search = '') {
  await console.open(`/reports${search}`);
  await console.page.getByRole('option').first().waitFor();
}

async function openFirstOfMany() {
  manyReports(console.homeserver, many);
  await openMany();
  await list().focus();
  await press('Home');
  await expect.poll(console.address).toContain('report=100000');
}

test('the end, the middle and a day load fast, and the scroll bar covers all reports', async () => {
  const { page, homeserver } = console;
  manyReports(homeserver, many);
  await openMany();
  await page.getByText('100,000 reports').waitFor();
  expect(await list().evaluate((element) => element.scrollHeight)).toBe(many * 74);

  await list().focus();
  await press('End');
  await row(1).waitFor();
  await expect.poll(console.address).toContain('report=1');
  await press('PageUp');
  await expect.poll(console.address).toContain('report=11');
  await press('Home');
  await expect.poll(console.address).toContain('report=100000');

  await press('g');
  await page.getByRole('button', { name: 'Middle', exact: true }).click();
  await row(50_000).waitFor();
  await expect.poll(console.address).toContain('report=50000');

  // With one report a minute since January 1: the last report of the tenth day.
  await press('g');
  await page.getByLabel('Day').fill('2026-01-10');
  const asked = pages().length;
  await page.getByRole('button', { name: 'Jump', exact: true }).click();
  const offset = await page.evaluate(() => new Date(2026, 0, 10).getTimezoneOffset());
  const lastOfDay = 10 * 1440 - 1 + offset;
  await row(lastOfDay).waitFor();
  await expect.poll(console.address).toContain(`report=${lastOfDay}`);
  expect(pages().length - asked).toBeLessThan(14);

  // A reload restores the position.
  await page.reload();
  await row(lastOfDay).waitFor();
  expect(console.problems).toEqual([]);
});

test("a part that failed to load doesn't get the keys: they apply to the open report", async () => {
  const { page } = console;
  await openFirstOfMany();
  const pressed = Promise.withResolvers<void>();
  await page.route(/event_reports\?.*from=[1-9]/, async (route) => {
    await pressed.promise;
    await route.fulfill({ status: 500, json: { errcode: 'M_UNKNOWN', error: 'The disk is on fire' } });
  });
  await press('End');
  // The key was for the last report, which fails to load.
  await press('x');
  pressed.resolve();
  await page.getByText("Couldn't load more").waitFor();
  await press('x');
  await page.getByText('1 of 100,000 selected').waitFor();
  await expect.poll(console.address).toContain('report=100000');
});

test('a key waiting for a distant report is shown as waiting, and Escape cancels it', async () => {
  const { page } = console;
  await openFirstOfMany();
  const furtherOn = Promise.withResolvers<void>();
  await page.route(/event_reports\?.*from=[1-9]/, async (route) => {
    await furtherOn.promise;
    await route.fallback();
  });
  const waits = page.getByRole('status').filter({ hasText: 'pending until the report loads.' });
  await press('End');
  await press('x');
  await waits.getByText('X pending until the report loads. Esc cancels.').waitFor();
  await press('Escape');
  await waits.waitFor({ state: 'detached' });
  await press('x');
  await press('e');
  await waits.getByText('X E pending until the report loads. Esc cancels.').waitFor();
  await press('Escape');
  await press('x');
  await waits.getByText('X pending until the report loads. Esc cancels.').waitFor();
  furtherOn.resolve();
  await expect.poll(console.address).toMatch(/report=1\b/);
  await waits.waitFor({ state: 'detached' });
  await page.getByText('1 of 100,000 selected').waitFor();
});

test('a million reports scroll to their end, more than a browser can draw', async () => {
  const { page, homeserver } = console;
  manyReports(homeserver, 1_000_000);
  await openMany();
  await list().evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await row(1).waitFor();
  await list().evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
  await expect
    .poll(async () => Number(await page.getByRole('option').first().getAttribute('aria-posinset')))
    .toSatisfy((number: number) => number > 490_000 && number < 510_000);
  const before = Number(await page.getByRole('option').first().getAttribute('aria-posinset'));
  await list().evaluate((element) => element.scrollBy(0, 222));
  await expect
    .poll(async () => Number(await page.getByRole('option').first().getAttribute('aria-posinset')))
    .toBe(before + 3);
});

test('memory holds visible rows, not all that were scrolled past', async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  manyReports(homeserver, many);
  await openMany();
  const before = pages().length;
  // The clock is paused, so no row stays visible long enough to load.
  await page.clock.pauseAt(Date.now() + 60_000);
  await list().evaluate(async (element) => {
    for (let place = 1; place < 40; place++) {
      const scrolled = new Promise((resolve) => element.addEventListener('scroll', resolve, { once: true }));
      element.scrollTo(0, place * 200 * 74);
      await scrolled;
    }
  });
  await page.clock.resume();
  await row(many - 39 * 200).waitFor();
  // Rows scrolled past weren't requested.
  expect(pages().length - before).toBeLessThan(10);
  expect(await page.getByRole('option').count()).toBeLessThan(60);
});

test("rows scrolled past aren't requested", async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  manyReports(homeserver, 1000, (id) => ({ sender: `@sender${id}:fake.example` }));
  const counted = () => new Set(homeserver.requests.filter((one) => one.includes('event_sender_user_id')));
  await openMany();
  await expect.poll(() => counted().size).toBeGreaterThan(5);
  await page.clock.pauseAt(Date.now() + 60_000);
  const before = counted().size;
  // Scrolls at reading speed: each row is visible for about half a second, on any machine.
  for (let step = 0; step < 60; step++) {
    await list().evaluate(async (element) => {
      const scrolled = new Promise((resolve) => element.addEventListener('scroll', resolve, { once: true }));
      element.scrollTop += 120;
      await scrolled;
    });
    await page.clock.runFor(67);
  }
  await page.clock.resume();
  await expect.poll(() => [...counted()].some((one) => one.includes('sender903'))).toBe(true);
  const passed = (60 * 120) / 74;
  expect(counted().size - before).toBeLessThan(passed / 2);
});
