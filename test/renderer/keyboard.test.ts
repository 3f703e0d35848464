/** The console without a mouse: keys, focus, and announcements by screen readers. */
import { describe, expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReports } from './sample-reports.ts';

const console = consoleUnderTest();
const list = () => console.page.getByRole('listbox', { name: 'Reports' });
const press = async (...keys: string[]) => {
  for (const key of keys) await console.page.keyboard.press(key);
};
/** Returns the accessible name of the focused element. */
const focused = () =>
  console.page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute('aria-label') ?? element?.localName;
  });

async function openReports(search = '') {
  await console.open(`/reports${search}`);
  await console.page.getByRole('option').first().waitFor();
}

test('single-key shortcuts can be switched off permanently', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(3);
  await console.open('/settings');
  const single = page.getByRole('switch', { name: 'Single-key shortcuts' });
  await single.press(' ');
  await expect.poll(() => single.isChecked()).toBe(false);

  await page.goto(`${homeserver.url}/console/reports`);
  await page.getByRole('option').first().waitFor();
  // Hints don't mention disabled keys.
  await page.getByText('Choose a report.', { exact: true }).waitFor();
  await press('j', 'e', '?', '2');
  // Arrow keys stay enabled. The page handles keys in order, so the earlier ones have been processed.
  await list().press('ArrowDown');
  await page.getByRole('article').getByText('Message 3', { exact: true }).waitFor();
  await page.getByRole('status', { name: '3 open' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(console.address()).toContain('/reports');

  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await keys.getByText('Next report').waitFor();
  expect(await keys.locator('kbd').allTextContents()).not.toContain('j');
});

test('the undo key announces if there is nothing to undo', async () => {
  console.homeserver.reports = sampleReports(2);
  await openReports();
  await press('z');
  await console.page.getByRole('status').filter({ hasText: 'Nothing to undo' }).waitFor();
});

describe('the focus moves to the right place', () => {
  test('to the screen, if the pressed button disappears with its filter', async () => {
    const { page, homeserver } = console;
    homeserver.reports = sampleReports(3);
    await openReports('?reporter=@alice:fake.example');
    await page.getByRole('button', { name: 'Remove filter: Reporter' }).press('Enter');
    await expect.poll(focused).toMatch(/^(main|Reports)$/);
    await page.getByText('3 reports', { exact: true }).waitFor();
    await press('ArrowDown');
    await page.getByRole('article').getByText('Message 3', { exact: true }).waitFor();
  });

  test('to the screen, from a Retry button that disappears after recovery', async () => {
    const { page, homeserver } = console;
    homeserver.interfere = (_method, path) =>
      path.endsWith('/scheduled_tasks')
        ? { status: 502, body: { errcode: 'M_UNKNOWN', error: 'Bad gateway' } }
        : undefined;
    await console.open('/tasks');
    const again = page.getByRole('button', { name: 'Retry', exact: true });
    await again.waitFor();
    homeserver.interfere = () => undefined;
    await again.press('Enter');
    await page.getByText('No tasks', { exact: true }).waitFor();
    await expect.poll(focused).toBe('main');
  });

  test('to the screen opened by a key or the palette, where its keys work at once', async () => {
    const { page, homeserver } = console;
    homeserver.reports = sampleReports(3);
    await openReports();
    await list().focus();
    await press('6');
    await page.getByText('No tasks', { exact: true }).waitFor();
    await expect.poll(focused).toBe('main');
    await page.getByRole('link', { name: /Reports/ }).press('Enter');
    await page.getByRole('option').first().waitFor();
    await press('ArrowDown');
    await page.getByRole('article').getByText('Message 3', { exact: true }).waitFor();
    await press('Control+k');
    await page.getByRole('textbox', { name: 'Search screens and actions' }).fill('Settings');
    await press('Enter');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await expect.poll(focused).toBe('main');
  });

  test('back to the opener of a dialog or menu', async () => {
    const { page, homeserver } = console;
    homeserver.reports = sampleReports(3);
    await openReports();
    const keys = page.getByRole('button', { name: 'Keyboard shortcuts' });
    await keys.press('Enter');
    await page.getByRole('dialog').waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => keys.evaluate((element) => element === document.activeElement)).toBe(true);
    const servers = page.getByRole('button', { name: /^Server:/ });
    await servers.press('Enter');
    await page.getByRole('menu').waitFor();
    await press('Escape');
    await expect.poll(() => servers.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('out of the note field, where keys are text, once its author is done', async () => {
    const { page, homeserver } = console;
    homeserver.reports = sampleReports(3);
    await openReports('?report=2');
    const note = page.getByRole('textbox', { name: 'Note' });
    await note.fill('Second time');
    await note.press('Control+Enter');
    await page.getByRole('listitem').filter({ hasText: 'Second time' }).waitFor();
    await expect.poll(focused).not.toBe('Note');

    await press('c');
    await expect.poll(focused).toBe('Note');
    await press('Escape', 'm');
    await page.getByRole('menu').waitFor();
    await press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Reports');
  });
});

test('each screen has its title, and the next screen has no part of it', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(2);
  await console.open('/reports');
  for (const [path, title] of [
    ['/reports', '(2) Reports · fake.example · Gatehouse'],
    ['/tasks', '(2) Tasks · fake.example · Gatehouse'],
    ['/local-server/jwt', '(2) JWT · Local server · fake.example · Gatehouse'],
    ['/local-server', '(2) Local server · fake.example · Gatehouse'],
    ['/upgrade', '(2) Upgrade · fake.example · Gatehouse'],
    ['/settings', '(2) Settings · fake.example · Gatehouse'],
    ['/nothing-here', '(2) Screen not found · fake.example · Gatehouse'],
    ['/connect', 'Sign in · Gatehouse'],
  ]) {
    await page.evaluate((to) => history.pushState(null, '', to), `/console${path}`);
    await expect.poll(() => page.title()).toBe(title);
  }
});

test('nothing moves with reduced motion', async () => {
  const { page, homeserver } = console;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  homeserver.reports = sampleReports(3);
  homeserver.interfere = (_method, path) =>
    path.endsWith('/scheduled_tasks') ? new Promise(() => {}) : undefined;
  await openReports();
  await press('j', 'e', '?');
  await page.getByRole('dialog').waitFor();
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        .map(({ effect }) => String((effect as KeyframeEffect)?.target?.className)),
    );
  await expect.poll(moving).toEqual([]);
  await press('Escape');
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Tasks' }).click();
  await page.getByText('Loading tasks').waitFor({ state: 'attached' });
  await expect.poll(moving).toEqual([]);
});
