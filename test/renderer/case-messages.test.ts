import { expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReport } from './sample-reports.ts';

const console = consoleUnderTest();

test("a case keeps the message of a report that was opened before, once that isn't cached any longer", async () => {
  console.homeserver.reports = [sampleReport(1), sampleReport(2, { sender: '@bob:fake.example' })];
  const page = await console.pageWithClock();
  await console.open('/reports?report=2');
  await page.getByRole('article').getByText('Message 2', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Cases' }).click();
  const titles = page.getByRole('option').getByText(/^Message \d$/);
  await expect.poll(() => titles.count()).toBe(2);

  await page.clock.fastForward(301_000);
  await page.clock.runFor(1_000);
  expect(await titles.count()).toBe(2);
});
