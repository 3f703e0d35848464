/** Statistics cover the scanned reports, and nothing is scanned without a request. */
import { expect, test } from 'vitest';
import { whatWasDone } from '../../renderer/features/reports/statistics/figures.ts';
import type { TeamEntry } from '../../shared/team/entries.ts';
import { consoleUnderTest } from './console-under-test.ts';
import { manyReports } from './many-reports.ts';
import { sampleReport } from './sample-reports.ts';

const console = consoleUnderTest();

const covered = () => console.page.getByRole('status', { name: 'Coverage' });
const table = (name: string) => console.page.getByRole('table', { name });
const pages = () => console.homeserver.requests.filter((request) => request.includes('/event_reports?'));

/** Noon in May, so that the date is the same in almost every time zone. */
const noon = (day: number) => Date.UTC(2026, 4, day, 12);

test('counts by day, room and reason, and links to the list', async () => {
  const { page, homeserver } = console;
  homeserver.reports = [
    ...[1, 2, 3].map((id) => sampleReport(id, { received_ts: noon(3) + id, reason: 'Spam', name: 'Lobby' })),
    ...[4, 5].map((id) =>
      sampleReport(id, {
        received_ts: noon(5) + id,
        reason: 'spam ',
        name: 'Den',
        room_id: '!den:fake.example',
      }),
    ),
    sampleReport(6, { received_ts: noon(5) + 6, reason: '', name: 'Lobby' }),
  ];
  await console.open('/reports');
  await page.getByRole('option').first().waitFor();
  await page.getByRole('link', { name: 'Report statistics' }).click();
  await covered().getByText('All 6 reports').waitFor();
  const days = page.getByRole('figure', { name: 'Reports per day' });
  await days.getByRole('button', { name: 'May 3, 2026: 3 reports' }).waitFor();
  await days.getByRole('button', { name: 'May 5, 2026: 3 reports' }).waitFor();
  expect(await table('Reports by room').getByRole('row').allTextContents()).toEqual([
    'RoomCount',
    'Lobby4',
    'Den2',
  ]);
  expect(await table('Reports by reason').getByRole('row').allTextContents()).toEqual([
    'ReasonCount',
    expect.stringMatching(/^spam\s?5$/i),
    'No reason given1',
  ]);

  // Bars are proportional to their values.
  const [lobby = 0, den = 1] = await table('Reports by room')
    .locator('td > span:first-child')
    .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
  expect(lobby / den).toBeCloseTo(2, 1);

  await expect.poll(() => page.title()).toBe('(6) Report statistics · Reports · fake.example · Gatehouse');
  await table('Reports by room').getByRole('button', { name: 'Den' }).click();
  await page.getByText('2 matches').waitFor();
  await expect.poll(() => page.title()).toBe('(6) Reports · fake.example · Gatehouse');
  await expect.poll(console.address).toContain('room=!den:fake.example');
  await page.goBack();
  // Links lead to the matching reports: that day, that reason, the same number.
  const found = page.getByRole('status', { name: 'Matching reports' });
  const numbers = async () => (await page.getByRole('option').allInnerTexts()).length;
  await days.getByRole('button', { name: 'May 3, 2026: 3 reports' }).click();
  await found.getByText('3 reports found').waitFor();
  await expect.poll(console.address).toMatch(/since=2026-05-03.*until=2026-05-03/);
  expect(await numbers()).toBe(3);
  await page.getByRole('button', { name: 'Open 3' }).click();
  await found.getByText('3 reports found').waitFor();
  await page.getByRole('button', { name: 'Remove filter: Reported' }).click();
  await page.getByText('6 reports', { exact: true }).waitFor();
  for (let steps = 0; steps < 3; steps++) await page.goBack();
  await table('Reports by reason').getByRole('button', { name: /spam/i }).click();
  await found.getByText('5 reports found').waitFor();
  await page.goBack();
  await table('Reports by reason').getByRole('button', { name: 'No reason given' }).click();
  await found.getByText('1 report found').waitFor();
  expect(console.problems).toEqual([]);
});

test("undone actions aren't counted", () => {
  const suspend = (at: number, by: string, userId: string, outcome: 'done' | 'undone'): TeamEntry => ({
    type: 'action',
    action: 'suspend-user',
    subject: { kind: 'user', userId },
    reports: [],
    outcome,
    by,
    at,
  });
  const log = [
    suspend(1, '@anna:a', '@mallory:a', 'done'),
    suspend(2, '@ben:a', '@trudy:a', 'done'),
    suspend(3, '@ben:a', '@mallory:a', 'undone'),
  ];
  expect(whatWasDone(log.toReversed())).toEqual([{ action: 'suspend-user', count: 1, by: ['@ben:a'] }]);
  log.push(suspend(4, '@anna:a', '@trudy:a', 'undone'));
  expect(whatWasDone(log.toReversed())).toEqual([]);
});

test('loads all of many reports only on a click, which can be stopped', async () => {
  const { page, homeserver } = console;
  manyReports(homeserver, 20_000);
  await console.open('/reports/statistics');
  await covered()
    .getByText(/^Newest 1,\d+ of 20,000 reports, since /)
    .waitFor();
  expect(pages().length).toBeLessThan(8);
  const answer = homeserver.interfere;
  let release = () => {};
  homeserver.interfere = async (method, path, query) => {
    if (Number(query.get('from')) > 5_000) await new Promise<void>((resolve) => (release = resolve));
    return answer(method, path, query);
  };
  await page.getByRole('button', { name: 'Scan all 20,000' }).click();
  await covered()
    .getByText(/^Newest 5,\d+ of 20,000/)
    .waitFor();
  await page.getByRole('progressbar', { name: 'Scan progress' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  homeserver.interfere = answer;
  release();
  await page.getByRole('button', { name: 'Scan all 20,000' }).click();
  await covered().getByText('All 20,000 reports').waitFor({ timeout: 40_000 });
  // Uses the server's maximum page size.
  expect(pages().length).toBeLessThan(32);
});
