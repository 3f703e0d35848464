import { expect, test } from 'vitest';
import type { ScheduledTask } from '../../shared/api/scheduled-tasks.ts';
import { consoleUnderTest } from './console-under-test.ts';

const console = consoleUnderTest();

const hour = 3_600_000;
const now = Date.now();

function task(id: string, fields: Partial<ScheduledTask> = {}): ScheduledTask {
  return { id, action: 'purge_history', status: 'complete', timestamp_ms: now - hour, ...fields };
}

const rows = () => console.page.getByRole('table', { name: 'Tasks' }).locator('tbody');

test('shows what runs, what failed and why, and what comes', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [
    task('later', { status: 'scheduled', timestamp_ms: now + 3.5 * hour }),
    task('bad', {
      status: 'failed',
      error: 'Traceback (most recent call last):\n  File "x.py"\nOSError: disk full',
    }),
    task('running', { status: 'active', resource_id: '!room:fake.example' }),
    task('done', { result: { deleted: 12 }, timestamp_ms: now - 2 * hour }),
    task('stopped', { status: 'cancelled', timestamp_ms: now - 3 * hour }),
  ];
  await console.open('/tasks');
  await page.getByText('5 tasks', { exact: true }).waitFor();
  expect((await rows().allInnerTexts()).map((text) => text.split(/\s+/)[0])).toEqual([
    'Active',
    'Failed',
    'Complete',
    'Cancelled',
    'Scheduled',
  ]);
  await rows().filter({ hasText: 'Scheduled' }).getByText('in 3').waitFor();
  await rows().filter({ hasText: 'Failed' }).getByText('OSError: disk full').waitFor();
  await rows()
    .filter({ hasText: 'Failed' })
    .getByRole('button', { name: 'Details of purge_history' })
    .click();
  await page.getByText('File "x.py"').waitFor();
  await rows().filter({ hasText: 'Complete' }).click();
  await page.getByRole('tree', { name: 'result' }).getByText('12').waitFor();
  expect(console.problems).toEqual([]);
});

test('status toggles count, combine, and stay in the address', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [
    task('a'),
    task('b', { status: 'failed', error: 'x' }),
    task('c', { status: 'scheduled' }),
  ];
  await console.open('/tasks');
  await page.getByRole('button', { name: 'Failed 1' }).click();
  await page.getByText('1 task', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Scheduled 1' }).click();
  await page.getByText('2 tasks', { exact: true }).waitFor();
  await page.reload();
  await page.getByText('2 tasks', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Failed 1' }).getAttribute('aria-pressed')).toBe('true');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('3 tasks', { exact: true }).waitFor();
});

test('asks the server for an action and a resource', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [task('a'), task('b', { action: 'delete_media', resource_id: '12' })];
  await console.open('/tasks?resource=12');
  await page.getByText('1 task', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('combobox', { name: 'Action' }).fill('purge_history');
  await page.keyboard.press('Enter');
  await page.getByText('1 task', { exact: true }).waitFor();
  expect(homeserver.requests.at(-1)).toContain('action_name=purge_history');
});

test('dragging over the histogram narrows the time down', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = Array.from({ length: 40 }, (_, index) =>
    task(`t${index}`, { timestamp_ms: now - index * hour }),
  );
  await console.open('/tasks');
  await page.getByText('40 tasks', { exact: true }).waitFor();
  const plot = page.getByRole('figure').locator('div').first();
  const box = await plot.boundingBox();
  if (!box) throw new Error('the histogram is not on screen');
  await page.mouse.move(box.x + box.width * 0.25, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20, { steps: 5 });
  await page.mouse.up();
  await expect
    .poll(async () =>
      Number.parseInt((await page.getByRole('status', { name: 'Tasks that match' }).textContent()) ?? '', 10),
    )
    .toBeLessThan(16);
  expect(console.address()).toMatch(/after=\d+&before=\d+/);
  expect(homeserver.requests.at(-1)).toMatch(/max_timestamp=\d+/);
  await page.goBack();
  await page.getByText('40 tasks', { exact: true }).waitFor();
});

test('refreshes by itself while something is active', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [task('a', { status: 'active' })];
  await page.clock.install();
  await console.open('/tasks');
  await page.getByRole('button', { name: 'Active 1' }).waitFor();
  homeserver.tasks = [task('a', { status: 'complete' })];
  await page.clock.fastForward(2_100);
  await page.getByRole('button', { name: 'Complete 1' }).waitFor();
});

test.each([
  ['is due', 0, 2_100],
  ['is due in ten seconds', 10_000, 10_200],
])('looks again soon while something %s', async (_, delay, wait) => {
  const { page, homeserver } = console;
  await page.clock.install();
  homeserver.tasks = [task('a', { status: 'scheduled', timestamp_ms: Date.now() + delay })];
  await console.open('/tasks');
  await page.getByRole('button', { name: 'Scheduled 1' }).waitFor();
  homeserver.tasks = [task('a', { status: 'active' })];
  await page.clock.fastForward(wait);
  await page.getByRole('button', { name: 'Active 1' }).waitFor();
});

test('ten thousand tasks stay usable', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = Array.from({ length: 10_000 }, (_, index) =>
    task(`t${index}`, { timestamp_ms: now - index * 60_000, action: `action_${index}` }),
  );
  await console.open('/tasks');
  await page.getByText('10,000 tasks').waitFor();
  expect(await rows().count()).toBeLessThan(80);
  await page.getByRole('button', { name: 'When' }).click();
  await page.getByRole('button', { name: 'When' }).click();
  await page.getByText('action_9999', { exact: true }).waitFor();
});

const asked = (parameter: string) =>
  console.homeserver.requests.filter((request) => request.includes(parameter));

test('Escape leaves what was typed unapplied', async () => {
  const { page } = console;
  await console.open('/tasks');
  await page.getByText('No tasks', { exact: true }).waitFor();
  const action = page.locator('input[aria-label="Action"]');
  await action.fill('purge');
  await action.press('Escape');
  expect(await action.inputValue()).toBe('');
  await page.locator('input[aria-label="Resource"]').fill('!room');
  await page.locator('input[aria-label="Resource"]').press('Enter');
  await expect.poll(() => asked('resource_id')).not.toEqual([]);
  expect(asked('action_name')).toEqual([]);
  expect(console.address()).not.toContain('purge');
});

test('a date is asked for when it is finished, and not at each digit', async () => {
  const { page } = console;
  await console.open('/tasks');
  await page.getByText('No tasks', { exact: true }).waitFor();
  await page.getByLabel('Before').focus();
  await page.keyboard.type('03042026', { delay: 30 });
  await page.keyboard.press('Tab');
  await page.keyboard.type('101112AM', { delay: 30 });
  await page.keyboard.press('Enter');
  await expect.poll(() => asked('max_timestamp').length).toBe(1);
  const expected = await page.evaluate(() => new Date(2026, 2, 4, 10, 11, 12).getTime());
  expect(asked('max_timestamp')[0]).toContain(String(expected));
});
