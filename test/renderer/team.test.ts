import { expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReports } from './sample-reports.ts';

const console = consoleUnderTest();

test('the marks of an earlier console move over, once', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(3);
  await page.addInitScript(() => {
    if (localStorage.getItem('began')) return;
    localStorage.setItem('began', 'yes');
    localStorage.setItem('gatehouse.reviewed.admin@fake', '[1,3]');
  });
  await console.open('/reports?report=3');
  await page.getByRole('status', { name: '1 unreviewed' }).waitFor();
  await page.getByRole('button', { name: 'Mark not reviewed' }).click();
  await page.getByRole('status', { name: '2 unreviewed' }).waitFor();
  await page.reload();
  await page.getByRole('status', { name: '2 unreviewed' }).waitFor();
  expect(console.problems).toEqual([]);
});
