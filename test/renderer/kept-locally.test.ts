import { expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReports } from './sample-reports.ts';
import { storedMarks } from './stored-marks.ts';

const console = consoleUnderTest();

const kept = (key: string) => console.page.evaluate((name) => localStorage.getItem(name), key);

test.each([
  ['cut off', '[1,2'],
  ['of another shape', '{"marks":"all"}'],
  ['no JSON at all', '\u0000\u0001 admin'],
])('unreadable data is set aside, and every screen works: %s', async (_, text) => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(3);
  const keys = [
    'gatehouse.team.admin@fake',
    'gatehouse.upgrade.admin@fake',
    'gatehouse.reports.width',
    'gatehouse.server',
  ];
  await page.addInitScript(
    ([names, value]) => {
      if (localStorage.getItem('spoilt')) return;
      localStorage.setItem('spoilt', 'yes');
      for (const name of names) localStorage.setItem(name, value);
    },
    [keys, text] as const,
  );
  await console.open('/reports?report=3');
  await page.getByRole('article').getByText('Message 3').waitFor();
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByRole('status', { name: '2 open' }).waitFor();
  await page.getByRole('link', { name: 'Upgrade' }).click();
  await page.getByRole('region', { name: 'Plan' }).waitFor();

  for (const key of keys) expect(await kept(`${key}.unreadable`)).toBe(text);
  expect(JSON.parse((await kept('gatehouse.team.admin@fake')) ?? '')).toMatchObject([
    { body: { type: 'mark', reports: [3], state: 'reviewed' } },
  ]);
  expect(console.problems).toEqual([]);
});

test('a status set in another tab shows in this one', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(3);
  await console.open('/reports');
  await page.getByRole('status', { name: '3 open' }).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${homeserver.url}/console/mark.svg`);
  await other.evaluate(
    (marks) => localStorage.setItem('gatehouse.team.admin@fake', marks),
    storedMarks([1, 2]),
  );
  await page.getByRole('status', { name: '1 open' }).waitFor();
});

test('an address with invalid parts opens the screen without them', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(3);
  const go = (path: string) => page.evaluate((to) => history.pushState(null, '', to), `/console${path}`);
  await console.open('/reports?report=many&order=sideways&room=&sender=%5B1%5D');
  for (const search of [
    '?report=many&order=sideways&room=&sender=%5B1%5D',
    '?report=1e400&reporter=true&server=%5B%5D',
    '?report=%7B&order=%E0%A4%A',
  ]) {
    await go(`/reports${search}`);
    await page.getByText('3 reports', { exact: true }).waitFor();
    await go(`/tasks${search}&status=4&after=soon`);
    await page.getByText('No tasks', { exact: true }).waitFor();
  }
  expect(console.problems).toEqual([]);
});
