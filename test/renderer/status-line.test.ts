/** The status line emphasizes each notice for a while. */
import { expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReports } from './sample-reports.ts';

const console = consoleUnderTest();

test('every notice is emphasized, and fades after twelve seconds', async () => {
  console.homeserver.reports = sampleReports(3);
  const page = await console.pageWithClock();
  await console.open('/reports?report=3');
  const status = page.getByRole('region', { name: 'Status line' }).getByRole('status').first();
  const isFresh = () => status.evaluate((line) => line.hasAttribute('data-fresh'));
  for (const id of [3, 2]) {
    await page.getByRole('article').getByText(`Message ${id}`, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await status.getByText(`Report ${id} resolved`).waitFor();
    await expect.poll(isFresh).toBe(true);
    await page.clock.runFor(12_500);
    await expect.poll(isFresh).toBe(false);
    await status.getByText(`Report ${id} resolved`).waitFor();
  }
});
