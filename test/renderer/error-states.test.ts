import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { axeFaults, darkContrastFaults } from './axe-faults.ts';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReports } from './sample-reports.ts';
import { timePasses } from './time-passes.ts';

const console = consoleUnderTest();

test('no matches differs from no data, and filters can be cleared', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(2);
  await console.open('/reports?sender=@nobody:fake.example');
  await page.getByText('No matching reports').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('2 reports', { exact: true }).waitFor();
});

test.each([
  ['/reports/log', "Couldn't load the log", 'No entries'],
  ['/reports/lists', "Couldn't load policy lists", 'No policy lists'],
  ['/reports/cases?queue=appeals', "Couldn't load appeals", 'No appeals'],
])("%s isn't called empty if the team room can't be read", async (path, failure, empty) => {
  const { page, homeserver } = console;
  homeserver.interfere = (_method, path) =>
    path.includes('/directory/room/')
      ? { status: 502, body: { errcode: 'M_UNKNOWN', error: 'Bad gateway' } }
      : undefined;
  await console.open(path);
  await page.getByRole('alert').getByText(failure).waitFor();
  expect(await page.getByText(empty, { exact: true }).count()).toBe(0);
  homeserver.interfere = () => undefined;
  await page.getByRole('alert').getByRole('button', { name: 'Retry', exact: true }).click();
  await page.getByText(empty, { exact: true }).waitFor();
});

test("appeals that couldn't be loaded have one button to retry", async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(2);
  homeserver.interfere = (_method, path) =>
    path.includes('/directory/room/')
      ? { status: 502, body: { errcode: 'M_UNKNOWN', error: 'Bad gateway' } }
      : undefined;
  await console.open('/reports/cases');
  await page.getByText("Couldn't load team status.").waitFor();
  await page.evaluate(() => history.pushState(null, '', '/console/reports/cases?queue=appeals'));
  await page.getByRole('alert').getByText("Couldn't load appeals").waitFor();
  expect(await page.getByRole('button', { name: 'Retry', exact: true }).count()).toBe(1);
});

test('a failing server is named, and retrying works', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(2);
  homeserver.interfere = (_method, path) =>
    path.endsWith('/event_reports')
      ? { status: 502, body: { errcode: 'M_UNKNOWN', error: 'Bad gateway' } }
      : undefined;
  await console.open('/reports');
  await page.getByRole('alert').getByText('Bad gateway').waitFor();
  homeserver.interfere = () => undefined;
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await page.getByText('2 reports', { exact: true }).waitFor();
});

test('a failing page keeps those before it and can be retried', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(350);
  await console.open('/reports');
  await page.getByText('350 reports').waitFor();
  const list = page.getByRole('listbox', { name: 'Reports' });
  await list.getByText('Reason 350', { exact: true }).waitFor();
  const failed = page.getByRole('alert').getByText("Couldn't load more");
  /** Scrolls until a locator is visible. Repeats if the list was still loading. */
  const scrolledUntil = (scroll: (element: Element) => void, shown: Locator) =>
    expect
      .poll(async () => {
        await list.evaluate(scroll);
        return shown.isVisible();
      })
      .toBe(true);
  await scrolledUntil(
    (element) => element.scrollTo(0, 100 * 74),
    list.getByText('Reason 250', { exact: true }),
  );
  homeserver.interfere = (_method, path) =>
    path.endsWith('/event_reports')
      ? { status: 503, body: { errcode: 'M_UNKNOWN', error: 'Busy' } }
      : undefined;
  await scrolledUntil((element) => element.scrollTo(0, element.scrollHeight), failed);
  await scrolledUntil(
    (element) => element.scrollTo(0, 50 * 74),
    list.getByText('Reason 300', { exact: true }),
  );
  // Returning retries, so the test waits for a new failure.
  await failed.waitFor({ state: 'hidden' });
  await scrolledUntil((element) => element.scrollTo(0, element.scrollHeight), failed);
  homeserver.interfere = () => undefined;
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await list.getByText('Reason 1', { exact: true }).waitFor();
});

test('a slow server is shown while loading, with the time it took to give up', async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  let answer = () => {};
  const held = new Promise<undefined>((resolve) => {
    answer = () => resolve(undefined);
  });
  homeserver.reports = sampleReports(2);
  homeserver.interfere = (_method, path) => (path.endsWith('/event_reports') ? held : undefined);
  await console.open('/reports');
  await page.getByText('Loading reports').waitFor({ state: 'attached' });
  await page.clock.fastForward(3_000);
  await page.getByText('Server is slow').first().waitFor();
  await page.getByRole('status', { name: 'Connection' }).getByText('Slow').waitFor();
  await page.clock.fastForward(8_000);
  const gaveUp = page.getByText('No response in 10 s. The server may be starting or busy.', { exact: true });
  await gaveUp.waitFor();
  // The timeout message stays after the automatic retry interval: the server set no retry delay.
  await page.clock.runFor(11_000);
  expect(await gaveUp.count()).toBe(1);
  // Once the server replies, the list also loads.
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  answer();
  await page.getByText('2 reports', { exact: true }).waitFor();
});

/** A version without a list of endpoints. */
const older = { status: 200, body: { server_version: '1.100.0' } };

test('a rate-limited request is retried automatically after the given time', async () => {
  const { page, homeserver } = console;
  const asked: number[] = [];
  homeserver.interfere = (_method, path) => {
    if (!path.endsWith('/server_version')) return undefined;
    asked.push(performance.now());
    const body = { errcode: 'M_LIMIT_EXCEEDED', error: 'Too many', retry_after_ms: 1500 };
    return asked.length === 1 ? { status: 429, body } : older;
  };
  await console.open('/media/clean-up', { isProbed: false });
  await page.getByText('Not supported by this server.').first().waitFor();
  const [first = 0, second = 0] = asked;
  expect(second - first).toBeGreaterThan(1400);
});

test('an unknown cleanup state can be retried', async () => {
  const { page, homeserver } = console;
  let failing = true;
  homeserver.interfere = (_method, path) =>
    path.endsWith('/server_version')
      ? failing
        ? { status: 500, body: { errcode: 'M_UNKNOWN', error: 'Out of memory' } }
        : older
      : undefined;
  await console.open('/media/clean-up', { isProbed: false });
  await page.getByText('Out of memory').waitFor();
  failing = false;
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await page.getByText('Not supported by this server.').first().waitFor();
});

test("the reason why an account didn't load stays visible", async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  let asked = 0;
  homeserver.interfere = (_method, path) => {
    if (!decodeURIComponent(path).endsWith('/v2/users/@ada:fake')) return undefined;
    asked += 1;
    return { status: 500, body: { errcode: 'M_UNKNOWN', error: 'Out of memory' } };
  };
  await console.open('/users/@ada:fake');
  await page.getByText('Out of memory').waitFor();
  await timePasses(page, 150_000);
  // A few requests: before and by the screen, and after a connection check. Not ten times as many.
  expect(asked).toBeLessThan(6);
  const before = asked;
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await expect.poll(() => asked).toBeGreaterThan(before);
});

test('a huge error message is shortened', async () => {
  const { page, homeserver } = console;
  homeserver.interfere = (_method, path) =>
    path.endsWith('/event_reports')
      ? { status: 500, body: { errcode: 'M_UNKNOWN', error: `No room. ${'E'.repeat(300_000)}` } }
      : undefined;
  await console.open('/reports');
  const failure = page.getByRole('alert').filter({ hasText: 'No room. E' });
  await failure.waitFor();
  expect((await failure.innerText()).length).toBeLessThan(2000);
});

test("an oversized reply doesn't mean that the server is unreachable", async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(2);
  const endless = { bytes: Buffer.alloc(65 * 1024 * 1024, ' '), contentType: 'application/json' };
  homeserver.interfere = (_method, path) => (/event_reports\/1$/.test(path) ? endless : undefined);
  await console.open('/reports?report=1');
  await page.getByText('Response too large to show.').waitFor();
  // A slow machine may really take long for a reply of this size.
  expect(['', 'Slow']).toContain(await page.getByRole('status', { name: 'Connection' }).innerText());
});

test('a screen whose script fails to load shows an error, can be left, and loads later', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(3);
  const script = '**/StatisticsScreen-*.js';
  await page.route(script, (route) => route.abort('connectionrefused'));
  await console.open('/reports');
  await page.getByRole('option').first().waitFor();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Report statistics' }).click();
  await page.getByRole('heading', { name: "Couldn't load this screen" }).waitFor();
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await page.getByText('Still no response').waitFor();
  await page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('link', { name: /^Reports/ })
    .click();
  await page.getByRole('option').first().waitFor();
  await page.getByRole('link', { name: 'Report statistics' }).click();
  await page.context().setOffline(false);
  await page.unroute(script);
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await page.getByRole('heading', { name: 'Report statistics' }).waitFor();
});

test("while a screen's script loads, the screen reports a slow server", async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.reports = sampleReports(3);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/StatisticsScreen-*.js', async (route) => {
    await released;
    await route.continue();
  });
  await console.open('/reports');
  await page.getByRole('option').first().waitFor();
  await page.getByRole('link', { name: 'Report statistics' }).click();
  await page.getByText('Loading', { exact: false }).first().waitFor({ state: 'attached' });
  await page.clock.runFor(3_000);
  await page.getByText('Server is slow. Still loading…').waitFor();
  expect(await page.getByRole('option').count()).toBe(0);
  await page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('link', { name: /^Reports/ })
    .click();
  await page.getByRole('option').first().waitFor();
  await page.getByRole('link', { name: 'Report statistics' }).click();
  release();
  await page.getByRole('heading', { name: 'Report statistics' }).waitFor();
});

test('reading and deciding a report works after the server became unreachable', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(3);
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: false } }),
  );
  await console.open('/reports?report=3');
  await page.getByRole('article', { name: 'Reported message' }).waitFor();
  // The script loads when the page is idle.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /JsonTree-.*js$/.test(name)),
  );
  await page.context().setOffline(true);
  await page.getByRole('region', { name: 'Event source' }).scrollIntoViewIfNeeded();
  await page.getByLabel('Search event_json').waitFor();
  await page.keyboard.press('x');
  await page.getByText('1 of 3 selected').waitFor();
  await page.getByRole('button', { name: 'Resolve', exact: true }).first().click();
  await page.getByRole('status', { name: '2 open' }).waitFor();
});

test('an unreachable server keeps loaded data and is shown as offline', async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.reports = sampleReports(2);
  await console.open('/reports');
  await page.getByText('2 reports', { exact: true }).waitFor();
  await homeserver.stop();
  await page.clock.fastForward(21_000);
  await page.getByRole('status', { name: 'Connection' }).getByText('Offline').waitFor();
  expect(await page.getByRole('option').count()).toBe(2);
});

test("a malformed reply isn't shown as data", async () => {
  const { page, homeserver } = console;
  homeserver.interfere = (_method, path) =>
    path.endsWith('/event_reports') ? { status: 200, body: { event_reports: 'many' } } : undefined;
  await console.open('/reports');
  await page.getByRole('alert').getByText('Unexpected response').waitFor();
});

test('a deleted report is shown as deleted', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(2);
  await console.open('/reports?report=99');
  await page.getByText('Report 99 not found').waitFor();
});

test("follows the system's color scheme", async () => {
  const { page } = console;
  await page.emulateMedia({ colorScheme: 'dark' });
  await console.open('/reports');
  await page.getByText('No reports', { exact: true }).waitFor();
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await background()).toBe('rgb(23, 26, 31)');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(background).toBe('rgb(255, 255, 255)');
});

test("a fully failing server isn't shown as connected, and nothing unknown is claimed", async () => {
  const { homeserver, page } = console;
  await console.open('/users');
  homeserver.interfere = () => ({
    status: 500,
    body: { errcode: 'M_UNKNOWN', error: 'The disk is on fire' },
  });
  const state = page.getByRole('status', { name: 'Connection' });
  await page.keyboard.press('1');
  await state.getByText('Failing').waitFor();
  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  await page.getByText("Couldn't load reports").waitFor();
  expect(await page.getByRole('group', { name: 'Queues' }).innerText()).not.toMatch(/\d/);
  expect(await page.getByText('Loading scans all').count()).toBe(0);
  homeserver.reports = sampleReports(2);
  homeserver.interfere = () => undefined;
  await expect.poll(() => state.innerText()).not.toBe('Failing');
  await page.getByText('2 reports', { exact: true }).waitFor();
});

test("while the team's statuses can't load, queues have no counts, and the list shows why", async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.reports = sampleReports(3);
  homeserver.interfere = (_method, path) =>
    path.includes('/directory/room/')
      ? { status: 500, body: { errcode: 'M_UNKNOWN', error: 'The disk is on fire' } }
      : undefined;
  await console.open('/reports?queue=unreviewed');
  await page.getByText('Reason 3', { exact: true }).waitFor();
  const notice = page.getByRole('complementary', { name: "Couldn't load team status" });
  await notice.waitFor();
  const queues = page.getByRole('group', { name: 'Queues' });
  // Narrow lists show a short number next to the full one for screen readers.
  const said = async () => (await queues.innerText()).replace(/\s+/g, ' ').replaceAll(/(\d+) \1/g, '$1');
  await expect.poll(said).toBe('All 3 Open Escalated Resolved');
  expect(await page.title()).not.toMatch(/\d/);
  await page.keyboard.press('j');
  await page.keyboard.press('e');
  await page.getByText('Reason 3', { exact: true }).waitFor({ state: 'detached' });

  // The paused clock prevents automatic retries.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 5_000);
  const asked = page.waitForRequest('**/directory/room/**');
  await notice.getByRole('button', { name: 'Retry' }).click();
  await asked;
  homeserver.interfere = () => undefined;
  await page.clock.resume();
  await timePasses(page, 31_000);
  await notice.waitFor({ state: 'detached' });
  await expect.poll(said).toBe('All 3 Open 2 Escalated 0 Resolved 1');
});

test('a server that comes back is noticed within two seconds, or sooner on retry', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(2);
  await console.open('/reports');
  await page.getByText('2 reports', { exact: true }).waitFor();
  const state = page.getByRole('status', { name: 'Connection' });
  await page.route('**/_service/**', (route) => route.abort());
  await page.getByRole('link', { name: 'Tasks' }).click();
  await page.getByRole('alert').getByText("Couldn't load tasks").waitFor();
  await state.getByText('Offline').waitFor();
  await page.getByRole('button', { name: 'Retry now' }).click();
  await state.getByText('Offline').waitFor();

  let noticed = Number.POSITIVE_INFINITY;
  homeserver.interfere = (_method, path) => {
    if (path.endsWith('/scheduled_tasks')) noticed = Math.min(noticed, Date.now());
    return undefined;
  };
  const started = Date.now();
  await page.unroute('**/_service/**');
  await page.getByText('No tasks', { exact: true }).waitFor();
  await state.getByText('Offline').waitFor({ state: 'detached' });
  // Only detection is timed: loading the screen depends on the machine.
  expect(noticed - started).toBeLessThan(15_000);
});

/** Signs in to two servers with the same name. */
const namesakes = (accessToken = 'admin-token') =>
  console.page.addInitScript(
    ([baseUrl, token]) => {
      const sessions = [baseUrl, 'http://127.0.0.1:1'].map((address, index) => ({
        connection: {
          id: `0a1b2c3d-0000-4000-8000-00000000000${index}`,
          baseUrl: address,
          dialect: 'vendor',
          userId: '@admin:fake.example',
          local: false,
        },
        accessToken: token,
      }));
      sessionStorage.setItem('gatehouse.sessions', JSON.stringify(sessions));
    },
    [console.homeserver.url, accessToken] as const,
  );

test('two servers with the same name are distinguishable, and no ID is shown as a name', async () => {
  const { page, homeserver } = console;
  await namesakes();
  await page.goto(`${homeserver.url}/console/settings`);
  await page.getByRole('button', { name: `Sign out of fake.example (${homeserver.url})` }).waitFor();
  await page.getByRole('button', { name: 'Sign out of fake.example (http://127.0.0.1:1)' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('button', { name: 'Switch to fake.example (http://127.0.0.1:1)' }).waitFor();
  await expect.poll(() => page.title()).toContain(`fake.example (${homeserver.url})`);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Server:/ }).click();
  const other = page.getByRole('menuitem', { name: /127\.0\.0\.1:1$/ });
  await other.getByTitle('Not contacted').waitFor();
  expect(await page.locator('body').innerText()).not.toContain('0a1b2c3d');
  await page.setViewportSize({ width: 640, height: 400 });
  await other.focus();
  expect(await axeFaults(page)).toEqual([]);
  expect(await darkContrastFaults(page)).toEqual([]);
});

test("an ended session is named with its server's address", async () => {
  const { page, homeserver } = console;
  await namesakes('ended-token');
  await page.goto(`${homeserver.url}/console/users`);
  const name = `fake.example (${homeserver.url})`;
  await page.getByRole('alert').getByText(`${name} rejected the session`).waitFor();
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.getByRole('heading', { name: `Sign in to ${name} again` }).waitFor();
});
