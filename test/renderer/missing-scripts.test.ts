/** A screen whose script fails to load shows an error, loses no input, and loads once the server is back. */
import { beforeEach, expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReports } from './sample-reports.ts';

const console = consoleUnderTest();

const missing = () => console.page.getByRole('heading', { name: "Couldn't load this screen" });
const statistics = () => console.page.getByRole('link', { name: 'Report statistics' });
const heading = () => console.page.getByRole('heading', { name: 'Report statistics', exact: true });

/** Marks the page, because a reload would lose unsaved state. */
const remember = () => console.page.evaluate(() => Object.assign(window, { isTheSamePage: true }));
const isTheSamePage = () => console.page.evaluate(() => 'isTheSamePage' in window);

async function openReports() {
  await console.open('/reports');
  await console.page.getByRole('option').first().waitFor();
  await remember();
}

let isAway = false;

beforeEach(async () => {
  isAway = false;
  console.homeserver.reports = sampleReports(3);
  await console.pageWithClock();
  // The browser's cache isn't used either.
  await console.page.route('**/*', (route) => (isAway ? route.abort('connectionrefused') : route.fallback()));
});

test('a screen loads when its server is back, and the keyboard focus stays until then', async () => {
  const { page } = console;
  await openReports();
  isAway = true;
  await statistics().click();
  await missing().waitFor();
  const button = page.getByRole('button', { name: 'Retry', exact: true });
  await button.focus();
  await page.clock.fastForward(16_000);
  await page.getByText('Still no response.').waitFor();
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  isAway = false;
  await page.clock.fastForward(16_000);
  await heading().waitFor();
});

test("a proxy's error page isn't mistaken for the console", async () => {
  const { page } = console;
  await openReports();
  await page.route('**/console/**', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await statistics().click();
  await missing().waitFor();
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await page.getByText('Still no response.').waitFor();
  expect(await isTheSamePage()).toBe(true);
});

test("a script missing in the new version isn't retried forever", async () => {
  const { page } = console;
  await openReports();
  await page.route(/assets\/StatisticsScreen-.*js$/, (route) =>
    route.fulfill({ status: 404, body: 'Not found' }),
  );
  await statistics().click();
  await missing().waitFor();
  await remember();
  await page.clock.fastForward(16_000);
  await expect.poll(isTheSamePage).toBe(false);
  await missing().waitFor();
  await remember();
  const asked = page.waitForResponse((response) => response.request().method() === 'HEAD');
  await page.clock.fastForward(16_000);
  await asked;
  await page.clock.runFor(1_000);
  expect(await isTheSamePage()).toBe(true);
});

test('a report whose script is missing loads when the server is back', async () => {
  const { page } = console;
  await openReports();
  isAway = true;
  await page.getByRole('option').first().click();
  await missing().waitFor();
  isAway = false;
  await page.clock.fastForward(16_000);
  await page.getByRole('article', { name: 'Reported message' }).waitFor();
});
