/** Text that stays blurred until revealed, and the number of viewed reports. */
import { expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReports } from './sample-reports.ts';

const console = consoleUnderTest();

test('message text is sharp only on hover or with a key, and viewed reports are counted once', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(3);
  await console.open('/settings');
  await page.getByRole('switch', { name: 'Blur message text' }).setChecked(true);
  await console.open('/reports?report=3');
  const message = page.getByRole('article', { name: 'Reported message' });
  const filter = () =>
    message.getByText('Message 3').evaluate((text) => {
      for (let each: Element | null = text; each; each = each.parentElement) {
        if (getComputedStyle(each).filter !== 'none') return 'blurred';
      }
      return 'sharp';
    });
  expect(await filter()).toBe('blurred');
  await message.getByText('Message 3').hover();
  expect(await filter()).toBe('sharp');
  await page.mouse.move(0, 0);
  expect(await filter()).toBe('blurred');
  await page.keyboard.press('i');
  await expect.poll(filter).toBe('sharp');
  await page.getByText('1 viewed today').waitFor();
  await page.keyboard.press('j');
  await page.getByText('2 viewed today').waitFor();
  await page.keyboard.press('k');
  await message.getByText('Message 3').waitFor();
  expect(await page.getByText('2 viewed today').count()).toBe(1);
  await console.open('/settings');
  await page.getByRole('switch', { name: 'Count viewed reports' }).setChecked(false);
  await console.open('/reports?report=3');
  await message.waitFor();
  expect(await page.getByText('viewed today').count()).toBe(0);
});
