/** The number of reports is requested once for all its places: title, badge, tabs, list and home. */
import { expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReports } from './sample-reports.ts';
import { timePasses } from './time-passes.ts';

const console = consoleUnderTest();

test('open report counts are requested once per interval for all of their places', async () => {
  const page = await console.pageWithClock();
  const { homeserver } = console;
  homeserver.reports = sampleReports(6);
  const list = Promise.withResolvers<undefined>();
  homeserver.interfere = (_method, path) => {
    if (path.endsWith('/event_reports')) return list.promise;
    if (path.endsWith('/federation/v1/version')) {
      return { status: 200, body: { server: { name: 'Gatehouse', version: '1' } } };
    }
    const [, kind, id] = /\/v1\/(user|room)_reports(\/.*)?$/.exec(path) ?? [];
    if (!kind) return undefined;
    return id
      ? { status: 404, body: { errcode: 'M_NOT_FOUND', error: 'No such report' } }
      : { status: 200, body: { [`${kind}_reports`]: [], total: 0 } };
  };
  /** Returns the number of counts of each kind since the last call. */
  const counted = () => {
    const since = homeserver.requests.splice(0);
    const of = (kind: string) =>
      since.filter((request) => request.includes(`/v1/${kind}_reports?`) && /limit=1(&|$)/.test(request));
    return [of('event').length, of('user').length, of('room').length];
  };
  const tabs = page.getByRole('navigation', { name: 'Related pages' });
  const tab = tabs.getByRole('link', { name: 'Event reports' });

  await console.open('/reports', { isProbed: false });
  // Counting starts before the list has loaded.
  await expect
    .poll(() => homeserver.requests.some((request) => request.includes('/v1/user_reports?')))
    .toBe(true);
  list.resolve(undefined);
  await expect.poll(() => page.title()).toBe('(6) Reports · fake.example · Gatehouse');
  await page.getByRole('status', { name: '6 open' }).waitFor();
  await expect.poll(() => tab.innerText()).toContain('6');
  await page.waitForLoadState('networkidle');
  // The list's reply included the number of event reports.
  expect(counted()).toEqual([0, 1, 1]);
  // Event reports are counted every 20 seconds, user and room reports every 30. A slow computer must not add to it.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3_000);
  await timePasses(page, 60_000);
  expect(counted()).toEqual([3, 2, 2]);
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('link', { name: 'Open reports', exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(counted()).toEqual([0, 0, 0]);
  expect(console.problems).toEqual([]);
});

test('the badge counts user reports before anyone opens the reports', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(1);
  homeserver.interfere = (_method, path) => {
    const [, id] = /\/v1\/user_reports(\/.*)?$/.exec(path) ?? [];
    if (id) return { status: 404, body: { errcode: 'M_NOT_FOUND', error: 'No such report' } };
    if (!path.endsWith('/user_reports')) return undefined;
    const newest = { id: 7, received_ts: 1, target_user_id: '@a:b', user_id: '@c:d', reason: '' };
    return { status: 200, body: { user_reports: [newest], total: 2 } };
  };
  await console.open('/settings', { isProbed: false });
  await page.getByRole('status', { name: '3 open' }).waitFor();
});

test('a row counts other open reports against its sender, without resolved ones', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(4).map((report) => ({ ...report, event_id: '$one' }));
  await console.open('/reports');
  const row = page.getByRole('listbox', { name: 'Reports' }).getByRole('option');
  const badges = row.nth(3).locator('[data-others]');
  await expect.poll(() => badges.allInnerTexts()).toEqual(['+3', '+3']);
  await page.keyboard.press('j');
  await page.getByRole('article', { name: 'Reported message' }).waitFor();
  await page.keyboard.press('e');
  await expect.poll(() => badges.allInnerTexts()).toEqual(['+2', '+2']);
  await badges.first().hover();
  await page.getByRole('tooltip', { name: '2 more open reports against this sender' }).waitFor();
  expect(console.problems).toEqual([]);
});
