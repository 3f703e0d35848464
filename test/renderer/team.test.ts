import { expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReports } from './sample-reports.ts';

const console = consoleUnderTest();

test('a draft note survives a reload until it is added or its author signs out', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(2);
  const field = page.getByRole('region', { name: 'Activity' }).getByRole('textbox', { name: 'Note' });
  await console.open('/reports?report=2');
  await field.fill('Not finished');
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe('Not finished');
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Not finished' }).waitFor();
  await page.reload();
  await page.getByRole('listitem').filter({ hasText: 'Not finished' }).waitFor();
  expect(await field.inputValue()).toBe('');

  await field.fill('Not for others');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: /^Sign out of/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('form', { name: 'Sign in to a server' }).waitFor();
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  expect(kept).not.toContain('Not for others');
});
