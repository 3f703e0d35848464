import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { histogramBins } from '../../renderer/features/tasks/TaskHistogram.tsx';
import { outcomeOf } from '../../renderer/features/tasks/task-words.ts';
import type { ScheduledTask } from '../../shared/api/tasks.ts';
import { consoleUnderTest } from './console-under-test.ts';

const console = consoleUnderTest();

const hour = 3_600_000;
const now = Date.now();

function task(id: string, fields: Partial<ScheduledTask> = {}): ScheduledTask {
  return { id, action: 'purge_history', status: 'complete', timestamp_ms: now - hour, ...fields };
}

const rows = () => console.page.getByRole('table', { name: 'Tasks' }).locator('tbody');

test.each([
  ['one moment', 0],
  ['a second', 1000],
  ['the most bins of an hour', 72 * hour],
  ['an odd span', 12_345_678],
])('every task is in one bin of the histogram, including both ends of %s', (_, span) => {
  for (const from of [0, now]) {
    const at = [from, from + Math.floor(span / 2), from + span];
    const tasks = at.map((timestamp_ms, index) => task(`${index}`, { timestamp_ms }));
    const bins = histogramBins(tasks, from, from + span);
    expect(bins.reduce((sum, { total }) => sum + total, 0)).toBe(tasks.length);
    expect(bins[0]?.from).toBeLessThanOrEqual(from);
    expect(bins.at(-1)?.to).toBeGreaterThan(from + span);
  }
});

test('shows running, failed and scheduled tasks, with the error', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [
    task('later', { status: 'scheduled', timestamp_ms: now + 3.5 * hour }),
    task('bad', {
      status: 'failed',
      resource_id: '!gone:fake.example',
      error: 'Traceback (most recent call last):\n  File "x.py"\nOSError: disk full',
    }),
    task('running', { status: 'active', resource_id: '!room:fake.example' }),
    task('done', { result: { purged_events: 12 }, timestamp_ms: now - 2 * hour }),
    task('stopped', { status: 'cancelled', timestamp_ms: now - 3 * hour }),
  ];
  await console.open('/tasks');
  await page.getByText('5 tasks', { exact: true }).waitFor();
  await expect
    .poll(async () => (await rows().allInnerTexts()).map((text) => text.split(/\s+/)[0]))
    .toEqual(['Running', 'Failed', 'Complete', 'Canceled', 'Scheduled']);
  await rows().filter({ hasText: 'Scheduled' }).getByText('in 3').waitFor();
  await rows().filter({ hasText: 'Failed' }).getByText('OSError: disk full').waitFor();
  const top = async () => (await rows().filter({ hasText: 'Complete' }).boundingBox())?.y ?? Number.NaN;
  const folded = await top();
  await rows().filter({ hasText: 'Failed' }).getByRole('button', { name: 'Details: purge_history' }).click();
  await page.getByText('File "x.py"').waitFor();
  await expect.poll(top).toBeGreaterThan(folded);
  await page.getByRole('toolbar', { name: 'Actions' }).waitFor({ state: 'attached' });
  await page.getByText(/Choose them again to restart\./).waitFor();
  await rows().filter({ hasText: 'Complete' }).getByText('12 events purged').click();
  await page.getByRole('tree', { name: 'result' }).getByText('12').waitFor();
  expect(console.problems).toEqual([]);
});

test("rows below a task don't move when its result viewer loads", async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [
    task('done', { result: { purged_events: 12, rooms: ['!a:fake.example', '!b:fake.example'], note: 'x' } }),
    task('before', { timestamp_ms: now - 2 * hour }),
  ];
  const script = Promise.withResolvers<void>();
  await page.route('**/JsonTree-*.js', async (route) => {
    await script.promise;
    await route.fallback();
  });
  await console.open('/tasks');
  await page.getByText('2 tasks', { exact: true }).waitFor();
  const frames = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const top = async () => (await rows().nth(1).boundingBox())?.y ?? Number.NaN;
  const folded = await top();
  await rows().first().getByRole('button', { name: 'Details: purge_history' }).click();
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  await expect.poll(top).toBeGreaterThan(folded);
  await frames();
  const unfolded = await top();
  script.resolve();
  await page.getByRole('tree', { name: 'result' }).getByText('12').waitFor();
  await frames();
  expect(await top()).toBe(unfolded);
});

test('the progress of a profile update is a sentence', () => {
  i18n.loadAndActivate({ locale: 'en', locales: ['en'], messages: {} });
  const update = task('a', { action: 'update_join_states', result: { last_room_id: '!a:example.org' } });
  expect(outcomeOf(update)).toBe('Last updated room: !a:example.org');
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

test('filters by action and resource on the server', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [task('a'), task('b', { action: 'delete_media', resource_id: '12' })];
  await console.open('/tasks?resource=12');
  await page.getByText('1 task', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('2 tasks', { exact: true }).waitFor();
  await page.getByRole('combobox', { name: 'Action' }).fill('purge_history');
  await page.keyboard.press('Enter');
  await page.getByText('1 task', { exact: true }).waitFor();
  const asked = () => homeserver.requests.findLast((request) => request.includes('/scheduled_tasks'));
  await expect.poll(asked).toContain('action_name=purge_history');
});

test('existing actions can be chosen by keys, and a partial text is left', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [task('a'), task('b', { action: 'delete_media' }), task('c', { action: 'delete_room' })];
  await console.open('/tasks');
  await page.getByText('3 tasks', { exact: true }).waitFor();
  const field = page.getByRole('combobox', { name: 'Action' });
  const offered = page.getByRole('listbox', { name: 'Action' }).getByRole('option');
  await field.pressSequentially('delete');
  await expect.poll(() => offered.allInnerTexts()).toEqual(['delete_media', 'delete_room']);
  await field.press('ArrowDown');
  await field.press('Enter');
  await page.getByText('1 task', { exact: true }).waitFor();
  expect(await field.inputValue()).toBe('delete_media');
  // Going back once removes the filter. The text typed before it isn't a history entry.
  await page.goBack();
  await page.getByText('3 tasks', { exact: true }).waitFor();
  expect(await field.inputValue()).toBe('');
  await field.pressSequentially('purge');
  await field.press('Escape');
  expect(await field.inputValue()).toBe('');
  await page.getByText('3 tasks', { exact: true }).waitFor();
});

test('an invalid time breaks nothing', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [
    task('far', { timestamp_ms: 8.64e15 + 1 }),
    task('farther', { timestamp_ms: Number.MAX_SAFE_INTEGER }),
    task('before', { timestamp_ms: -Number.MAX_SAFE_INTEGER }),
    task('almost', { timestamp_ms: 8e15 }),
    task('ours'),
  ];
  await console.open('/tasks');
  await page.getByText('5 tasks', { exact: true }).waitFor();
  await page.getByRole('figure', { name: '5 tasks over time' }).waitFor();
  await expect.poll(() => rows().count()).toBe(5);
  expect(console.problems).toEqual([]);
});

test('dragging over the histogram narrows the time range', async () => {
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
      Number.parseInt((await page.getByRole('status', { name: 'Matching tasks' }).textContent()) ?? '', 10),
    )
    .toBeLessThan(16);
  await expect.poll(console.address).toMatch(/after=\d+&before=\d+/);
  const asked = () => homeserver.requests.findLast((request) => request.includes('/scheduled_tasks'));
  await expect.poll(asked).toMatch(/max_timestamp=\d+/);
  await page.goBack();
  await page.getByText('40 tasks', { exact: true }).waitFor();
});

test('tasks of a single moment have a range with different ends', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [task('only')];
  await console.open('/tasks');
  const times = page.getByRole('figure').locator('figcaption > :not(:nth-child(2))');
  await times.first().waitFor();
  const [from, to] = await times.allInnerTexts();
  expect(from).not.toBe(to);
});

test('refreshes automatically while a task is active', async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.tasks = [task('a', { status: 'active' })];
  await console.open('/tasks');
  await page.getByRole('button', { name: 'Running 1' }).waitFor();
  homeserver.tasks = [task('a', { status: 'complete' })];
  await page.clock.fastForward(2_100);
  await page.getByRole('button', { name: 'Complete 1' }).waitFor();
});

test.each([
  ['is due', 0, 2_100],
  ['is due in ten seconds', 10_000, 10_200],
])('refreshes soon while a task %s', async (_, delay, wait) => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.tasks = [task('a', { status: 'scheduled', timestamp_ms: Date.now() + delay })];
  await console.open('/tasks');
  await page.getByRole('button', { name: 'Scheduled 1' }).waitFor();
  homeserver.tasks = [task('a', { status: 'active' })];
  await page.clock.fastForward(wait);
  await page.getByRole('button', { name: 'Running 1' }).waitFor();
});

test('ten thousand tasks stay usable', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = Array.from({ length: 10_000 }, (_, index) =>
    task(`t${index}`, { timestamp_ms: now - index * 60_000, action: `action_${index}` }),
  );
  await console.open('/tasks');
  await page.getByText('10,000 tasks').waitFor();
  expect(await rows().count()).toBeLessThan(80);
  await page.getByRole('columnheader', { name: 'Time' }).getByRole('button').click();
  await page.getByRole('columnheader', { name: 'Time' }).getByRole('button').click();
  await page.getByText('action_9999', { exact: true }).waitFor();
});

const asked = (parameter: string) =>
  console.homeserver.requests.filter((request) => request.includes(parameter));

test('Escape discards typed text', async () => {
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

test('a date applies when complete, not at each digit', async () => {
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

/** Returns the tasks in list order, by the IDs in the second word of their actions. */
const order = async () => (await rows().allInnerTexts()).map((text) => /act-(\w+)/.exec(text)?.[1]).join('');

test('sorts by any column, ascending, descending or not at all, and keeps it in the address', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [
    task('a', {
      action: 'act-a',
      status: 'failed',
      error: 'disk full',
      resource_id: 'room10',
      timestamp_ms: now - 3,
    }),
    task('b', { action: 'act-b', status: 'active', resource_id: 'room1', timestamp_ms: now - 2 }),
    task('c', { action: 'act-c', result: { at: 1 }, resource_id: 'room2', timestamp_ms: now - 1 }),
  ];
  await console.open('/tasks');
  await page.getByText('3 tasks', { exact: true }).waitFor();
  await expect.poll(order).toBe('bca');
  expect(await page.getByRole('columnheader', { name: 'Time' }).getAttribute('aria-sort')).toBe('other');
  for (const [column, first, second] of [
    ['Status', 'bca', 'acb'],
    ['Action', 'abc', 'cba'],
    ['Resource', 'bca', 'acb'],
    ['Time', 'cba', 'abc'],
    // Rows without a value are last in both directions.
    ['Result', 'cab', 'acb'],
  ] as const) {
    const header = page.getByRole('columnheader', { name: column });
    for (const expected of [first, second]) {
      await header.getByRole('button').click();
      await expect.poll(async () => `${column} ${await order()}`).toBe(`${column} ${expected}`);
    }
    expect(await header.getAttribute('aria-sort')).toMatch(/^(a|de)scending$/);
  }
  await page.reload();
  await expect.poll(order).toBe('acb');
  await expect.poll(console.address).toContain('sort=-outcome');
});

test('j and k step through the tasks, including those off screen', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = Array.from({ length: 500 }, (_, index) =>
    task(`t${index}`, { action: `action_${index}`, timestamp_ms: now - index, error: `why ${index}` }),
  );
  await console.open('/tasks');
  await page.getByText('500 tasks', { exact: true }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await page.keyboard.press('j');
  await expect.poll(focused).toBe('Details: action_0');
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('k');
  await expect.poll(focused).toBe('Details: action_1');
  await page.keyboard.press('End');
  await expect.poll(focused).toBe('Details: action_499');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Error' }).waitFor();
  await page.keyboard.press('Home');
  await expect.poll(focused).toBe('Details: action_0');
  await rows().first().getByText('action_0', { exact: true }).waitFor();
});

test('arrows, Home and End step through the tasks with any focus, as in other tables', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = Array.from({ length: 200 }, (_, index) =>
    task(`task${index}`, { timestamp_ms: now - index * hour, resource_id: `place ${index}.` }),
  );
  await console.open('/tasks');
  await page.getByText('200 tasks', { exact: true }).waitFor();
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('tbody')?.textContent?.match(/place \d+\./)?.[0]);
  for (const [key, place] of [
    ['End', 'place 199.'],
    ['Home', 'place 0.'],
    ['ArrowDown', 'place 1.'],
  ] as const) {
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press(key);
    await expect.poll(focused, { message: key }).toBe(place);
  }
});

test('the expanded task is in the address, and a link opens it in sight', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = Array.from({ length: 500 }, (_, index) =>
    task(`t${index}`, { timestamp_ms: now - index * hour, action: `action_${index}` }),
  );
  const detailsOf = (index: number) =>
    page.getByRole('button', { name: `Details: action_${index}`, exact: true });
  await console.open('/tasks?task=t400');
  await detailsOf(400).and(page.locator('[aria-expanded=true]')).waitFor();
  await expect.poll(() => detailsOf(400).isVisible()).toBe(true);
  const inView = async (index: number) => {
    const box = await detailsOf(index).boundingBox();
    return box !== null && box.y > 0 && box.y < (page.viewportSize()?.height ?? 0);
  };
  await expect.poll(() => inView(400)).toBe(true);
  await detailsOf(401).click();
  await expect.poll(console.address).toContain('task=t401');
  await detailsOf(401).click();
  await expect.poll(console.address).not.toContain('task=');

  await page.goto(`${new URL(page.url()).origin}/console/tasks?task=gone`);
  await page.getByText('The linked task was deleted or filtered out.').waitFor();
});

test('at 200% zoom keys move to visible rows', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = Array.from({ length: 50 }, (_, index) =>
    task(`t${index}`, { timestamp_ms: now - index }),
  );
  // Like a 1280 × 800 window at 200% zoom.
  await page.setViewportSize({ width: 640, height: 400 });
  await console.open('/tasks');
  await page.getByText('50 tasks', { exact: true }).waitFor();
  const bottom = () => page.evaluate(() => document.activeElement?.getBoundingClientRect().bottom ?? 0);
  for (let pressed = 0; pressed < 4; pressed++) await page.keyboard.press('j');
  expect(await bottom()).toBeGreaterThan(44);
  await expect.poll(bottom).toBeLessThanOrEqual(400);
});

test('a partial text filters loaded tasks without a request', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [
    task('a', { action: 'purge_history', resource_id: '!one:fake.example' }),
    task('b', { action: 'delete_media', status: 'failed', error: 'OSError: Disk full' }),
    task('c', { action: 'purge_room', result: { deleted: 'ONE' } }),
  ];
  await console.open('/tasks');
  await page.getByText('3 tasks', { exact: true }).waitFor();
  const asked = homeserver.requests.filter((request) => request.includes('scheduled_tasks')).length;
  await page.keyboard.press('/');
  for (const [text, count] of [
    ['purge', '2 tasks'],
    ['disk FULL', '1 task'],
    ['one', '2 tasks'],
    ['nothing has this', '0 tasks'],
  ] as const) {
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
    await page.getByText(count, { exact: true }).waitFor();
  }
  await expect.poll(console.address).toContain('text=nothing');
  expect(homeserver.requests.filter((request) => request.includes('scheduled_tasks')).length).toBe(asked);
  await page.getByText('No matching tasks').waitFor();
});

test('dragging over an empty time range changes nothing', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [task('a', { timestamp_ms: now - 100 * hour }), task('b', { timestamp_ms: now })];
  await console.open('/tasks');
  await page.getByText('2 tasks', { exact: true }).waitFor();
  const box = await page.getByRole('figure').locator('div').first().boundingBox();
  if (!box) throw new Error('the histogram is not on screen');
  const drag = async (from: number, to: number) => {
    await page.mouse.move(box.x + box.width * from, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * to, box.y + 20, { steps: 5 });
    await page.mouse.up();
  };
  await drag(0.3, 0.6);
  await page.mouse.click(box.x + box.width * 0.5, box.y + 20);
  expect(console.address()).not.toMatch(/after|before/);
  await page.getByText('2 tasks', { exact: true }).waitFor();
  // Dragging over a bar with tasks sets the filter.
  await drag(0, 0.2);
  await page.getByText('1 task', { exact: true }).waitFor();
});

test("no count is shown before tasks have loaded or if they can't", async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [task('a')];
  const answers = Promise.withResolvers<void>();
  let status = 500;
  await page.route('**/scheduled_tasks*', async (route) => {
    await answers.promise;
    if (status === 200) return route.continue();
    return route.fulfill({ status, json: { errcode: 'M_UNKNOWN', error: 'Out of order' } });
  });
  await console.open('/tasks');
  await page.getByText('Loading tasks…').waitFor();
  const counts = () => page.getByRole('group', { name: 'Status' }).getByText(/\d/).count();
  expect(await counts()).toBe(0);
  answers.resolve();
  await page.getByText("Couldn't load tasks").waitFor();
  expect(await counts()).toBe(0);
  status = 200;
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await page.getByRole('button', { name: 'Complete 1' }).waitFor();
});

test('a single status in the address is understood', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [task('a'), task('b', { status: 'failed', error: 'x' })];
  await console.open('/tasks?status=failed');
  await page.getByText('1 task', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Failed 1' }).getAttribute('aria-pressed')).toBe('true');
});

test('an unknown status in the address can be removed', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [task('a')];
  await console.open('/tasks?status=["cancelled"]');
  await page.getByRole('button', { name: 'Canceled 0' }).click();
  await page.getByText('1 task', { exact: true }).waitFor();
});

test('a room is shown by its name if known, with its ID at hand', async () => {
  const { homeserver } = console;
  homeserver.tasks = [
    task('known', { resource_id: '!known:fake.example' }),
    task('gone', { resource_id: '!gone:fake.example' }),
    task('user', { action: 'redact_all_events', resource_id: '@mallory:fake.example' }),
  ];
  homeserver.interfere = (_method, path) => {
    if (decodeURIComponent(path).endsWith('/rooms/!known:fake.example'))
      return { status: 200, body: { room_id: '!known:fake.example', name: 'Gaming' } };
    if (path.includes('/v1/rooms/'))
      return { status: 404, body: { errcode: 'M_NOT_FOUND', error: 'Room not found' } };
    return undefined;
  };
  await console.open('/tasks');
  const known = rows().filter({ hasText: 'Gaming' });
  await known.waitFor();
  expect(await known.getByTitle('!known:fake.example').innerText()).toContain('Gaming');
  await rows().filter({ hasText: '!gone:fake.example' }).waitFor();
  await rows().filter({ hasText: '@mallory:fake.example' }).waitFor();
  expect(console.problems).toEqual([]);
});

test("a task's result is readable at 720 pixels", async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [
    task('bad', {
      status: 'failed',
      action: 'shutdown_and_purge_room',
      resource_id: '!VJhHZbntwdlyyGlHxO:fake.example',
      error: 'event too large',
    }),
    task('done', {
      status: 'complete',
      action: 'shutdown_and_purge_room',
      resource_id: '!VJhHZbntwdlyyGlHxO:fake.example',
      result: {
        kicked_users: Array.from({ length: 12 }, (_, index) => `@user${index}:fake.example`),
        failed_to_kick_users: [],
      },
    }),
  ];
  await page.setViewportSize({ width: 720, height: 900 });
  await console.open('/tasks');
  for (const text of ['event too large', '12 users kicked']) {
    const outcome = page.getByTitle(text);
    await outcome.waitFor();
    const { x = 0, width = 0 } = (await outcome.boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(720);
    // Nothing is cut off within its cell either.
    expect(
      await outcome.evaluate(({ parentElement: cell }) => cell && cell.scrollWidth - cell.clientWidth),
    ).toBe(0);
  }
});

test('a saved view keeps filters and order, but not the open task; it can be renamed and deleted', async () => {
  const { page, homeserver } = console;
  homeserver.tasks = [task('bad', { status: 'failed' }), task('done')];
  await console.open('/tasks?status=["failed"]&sort=action&task=bad');
  const views = page.getByRole('button', { name: 'Saved views' });
  await views.click();
  await page.getByRole('menuitem', { name: 'Save current view…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Failures');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('2 tasks', { exact: true }).waitFor();
  await views.click();
  await page.getByRole('menuitem', { name: 'Failures' }).click();
  await page.getByText('1 task', { exact: true }).waitFor();
  await expect.poll(console.address).toContain('sort=action');
  expect(console.address()).not.toContain('bad');
  await views.click();
  await page.getByRole('menuitem', { name: 'Rename view…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename view' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Late');
  await dialog.getByRole('button', { name: 'Rename view' }).click();
  await views.click();
  await page.getByRole('menuitem', { name: 'Delete view' }).click();
  await page.getByText('View Late deleted').waitFor();
});
