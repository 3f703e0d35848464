/** Lists with search, sorting and pagination on the server: users and rooms. */
import { readFile } from 'node:fs/promises';
import { beforeEach, expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReport } from './sample-reports.ts';

const console = consoleUnderTest();

const userName = (index: number) => `@user${String(index).padStart(6, '0')}:fake.example`;

/** A server with the test's number of users and rooms, generated on request. */
const server = { users: 0, rooms: 0, failing: false };
/** Returns the requests as `path?query`. */
const asked = (path: string) =>
  console.homeserver.requests.filter((request) => request.startsWith(`GET /_service/admin/${path}?`));

beforeEach(() => {
  Object.assign(server, { users: 0, rooms: 0, failing: false });
  console.homeserver.interfere = (_method, path, query) => {
    if (server.failing && path.startsWith('/_service/admin/v')) {
      return { status: 502, body: { errcode: 'M_UNKNOWN', error: 'Bad gateway' } };
    }
    const from = Number(query.get('from'));
    const limit = Number(query.get('limit') ?? 100);
    // By size, servers list the largest first, and `dir=b` reverses it.
    const bySize = query.get('order_by') === 'joined_members';
    const isDownwards = (query.get('dir') === 'b') !== bySize;
    const places = (total: number) =>
      Array.from({ length: Math.max(0, Math.min(limit, total - from)) }, (_, at) =>
        isDownwards ? total - 1 - from - at : from + at,
      );
    if (path === '/_service/admin/v2/users') {
      const found = query.has('name') ? 3 : server.users;
      const users = places(found).map((index) => ({
        name: userName(index),
        displayname: `User ${index}`,
        admin: index === 0,
        deactivated: false,
        locked: index === 1,
        creation_ts: Date.now() - index * 1000,
        last_seen_ts: null,
      }));
      return { status: 200, body: { users, total: found } };
    }
    if (path === '/_service/admin/v1/rooms') {
      const rooms = places(server.rooms).map((index) => ({
        room_id: `!room${index}:fake.example`,
        name: `Room ${index}`,
        joined_members: index,
        public: index % 2 === 0,
      }));
      return { status: 200, body: { rooms, total_rooms: server.rooms, offset: from } };
    }
    const [, userId] = /\/v2\/users\/([^/]+)$/.exec(decodeURIComponent(path)) ?? [];
    if (userId) {
      const admin = userId === userName(0);
      return { status: 200, body: { name: userId, displayname: 'Somebody', suspended: true, admin } };
    }
    return undefined;
  };
});

const table = (name: string) => console.page.getByRole('table', { name });
const row = (text: string) => console.page.getByRole('row').filter({ hasText: text });

test('two million users, more rows than a browser can draw: count, any position, and few rows in the page', async () => {
  server.users = 2_000_000;
  const { page } = console;
  await console.open('/users');
  await page.getByText('2,000,000 users', { exact: true }).waitFor();
  await row(userName(0)).getByText('Server admin').waitFor();
  expect(await table('Users').getAttribute('aria-rowcount')).toBe('2000001');
  await page.keyboard.press('End');
  await row(userName(1_999_999)).waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toContain(userName(1_999_999));
  const last = await row(userName(1_999_999)).boundingBox();
  const around = await page.getByRole('region', { name: 'Users' }).boundingBox();
  expect(last && around && around.y + around.height - last.y).toBeCloseTo(last?.height ?? 0, 0);
  expect(await table('Users').locator('tbody tr').count()).toBeLessThan(90);
  // The pages in between were never requested.
  expect(asked('v2/users').length).toBeLessThan(5);
  await page.keyboard.press('Home');
  await row(userName(0)).waitFor();
  expect(console.problems).toEqual([]);
});

test.each([
  ['Users', 'UsersScreen', 'v2/users', userName(0)],
  ['Rooms', 'RoomsScreen', 'v1/rooms', 'Room 2'],
])('%s: the first rows are requested while the screen loads', async (name, file, path, first) => {
  Object.assign(server, { users: 3, rooms: 3 });
  const { page } = console;
  const arrived = Promise.withResolvers<void>();
  await page.route(new RegExp(`/assets/${file}-.*js$`), async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await console.open('/settings');
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name }).click();
  const firstRows = () => asked(path).filter((request) => request.includes('from=0&limit=100'));
  await expect.poll(firstRows).toHaveLength(1);
  arrived.resolve();
  await row(first).waitFor();
  expect(firstRows()).toHaveLength(1);
});

test('typing searches once, not for each letter', async () => {
  server.users = 50;
  const page = await console.pageWithClock();
  await console.open('/users');
  await page.getByText('50 users', { exact: true }).waitFor();
  // The paused clock removes delays between the keys.
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.keyboard.press('/');
  await page.keyboard.type('lovelace');
  await page.clock.resume();
  await page.getByText('3 users', { exact: true }).waitFor();
  expect(asked('v2/users').filter((request) => request.includes('name=')).length).toBe(1);
  await expect.poll(console.address).toContain('search=lovelace');
  await page.clock.pauseAt(Date.now() + 120_000);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('somebody else');
  await page.keyboard.press('Escape');
  await page.clock.resume();
  expect(await page.getByRole('searchbox').inputValue()).toBe('lovelace');
  await page.keyboard.press('c');
  await page.getByText('50 users', { exact: true }).waitFor();
});

test('the server sorts by a column in both directions, and the address has the order', async () => {
  server.rooms = 300;
  const { page } = console;
  await console.open('/rooms');
  await row('Room 0').first().waitFor();
  const members = page.getByRole('columnheader', { name: 'Members' });
  await members.getByRole('button').click();
  await row('Room 299').waitFor();
  expect(await members.getAttribute('aria-sort')).toBe('descending');
  expect(asked('v1/rooms').at(-1)).toMatch(/order_by=joined_members&dir=f/);
  await page.reload();
  await row('Room 299').waitFor();
  await members.getByRole('button').click();
  await expect.poll(() => members.getAttribute('aria-sort')).toBe('ascending');
});

test('checkboxes of rooms have room names as labels', async () => {
  server.rooms = 3;
  const { page } = console;
  await console.open('/rooms');
  await page.getByRole('checkbox', { name: 'Select Room 1', exact: true }).check();
  await page.getByText('1 selected').waitFor();
});

test('blocked rooms are marked, and only visible rows are checked, once', async () => {
  server.rooms = 1_000;
  const { page, homeserver } = console;
  const usual = homeserver.interfere;
  const blocked = new Set(['!room1:fake.example', '!room2:fake.example', '!room999:fake.example']);
  let [now, most] = [0, 0];
  const asked: string[] = [];
  homeserver.interfere = async (method, path, query) => {
    const [, roomId = ''] = /\/v1\/rooms\/([^/]+)\/block$/.exec(decodeURIComponent(path)) ?? [];
    if (!roomId) return usual(method, path, query);
    if (roomId.includes('nowhere')) return { status: 200, body: { block: false } };
    asked.push(roomId);
    most = Math.max(most, ++now);
    await new Promise(setImmediate);
    now--;
    return { status: 200, body: { block: blocked.has(roomId) } };
  };
  await console.open('/rooms', { isProbed: false });
  await row('Room 0').waitFor();
  await row('Blocked').first().waitFor();
  await page.waitForLoadState('networkidle');
  const names = () => row('Blocked').getByRole('link').allTextContents();
  expect(await names()).toEqual(['Room 1', 'Room 2']);
  expect(most).toBeLessThanOrEqual(3);
  expect(asked.length).toBeLessThan(60);

  await row('Room 2').first().click();
  await page.keyboard.press('End');
  await row('Room 999').getByText('Blocked').waitFor();
  expect(asked.length).toBeLessThan(120);
  await page.keyboard.press('Home');
  await expect.poll(names).toEqual(['Room 1', 'Room 2']);
  expect(new Set(asked).size).toBe(asked.length);
});

test('an action on several rooms lists their names', async () => {
  server.rooms = 105;
  const { page, homeserver } = console;
  const usual = homeserver.interfere;
  homeserver.interfere = (method, path, query) => {
    const [, roomId] = /\/v1\/rooms\/([^/]+)\/block$/.exec(decodeURIComponent(path)) ?? [];
    if (!roomId) return usual(method, path, query);
    if (method === 'PUT' && roomId.startsWith('!room102:'))
      return { status: 500, body: { errcode: 'M_UNKNOWN', error: 'The disk is on fire' } };
    return { status: 200, body: { block: method === 'PUT' } };
  };
  await console.open('/rooms', { isProbed: false });
  await row('Room 0').waitFor();
  await page.keyboard.press('A');
  await page.getByText('105 selected').waitFor();
  await page.getByRole('toolbar').getByRole('button', { name: 'Block 105 rooms' }).click();
  const panel = page.getByRole('dialog', { name: 'Block 105 rooms' });
  await panel.getByText('Room 0, Room 1, Room 2, and 102 more').waitFor();
  await panel.getByText('Details', { exact: true }).click();
  await panel.getByText('Room 104 (!room104:fake.example)', { exact: true }).waitFor();
  await panel.getByRole('textbox', { name: 'Type 105 to confirm' }).fill('105');
  await panel.getByRole('button', { name: 'Block 105 rooms' }).click();
  const job = page.getByRole('region', { name: 'Jobs' }).getByRole('article');
  await job.getByText('104 of 105 done, 1 failed').waitFor();
  await job.getByRole('button', { name: 'One failure' }).click();
  await job.getByText('Room 102 (!room102:fake.example)', { exact: true }).waitFor();
});

test('actions on several rooms have plural messages', async () => {
  server.rooms = 3;
  const { page, homeserver } = console;
  const usual = homeserver.interfere;
  homeserver.interfere = (method, path, query) =>
    /\/(v[12]\/rooms|v1\/room|v1\/join|directory\/list\/room)\/[^/]+(\/|$)/.test(path)
      ? { status: 200, body: {} }
      : usual(method, path, query);
  await console.open('/rooms', { isProbed: false });
  await row('Room 0').waitFor();
  await page.keyboard.press('A');
  await page.getByText('3 selected').waitFor();
  await page.getByRole('toolbar').getByRole('button', { name: /^More/ }).click();
  const shutDown = page.getByRole('menuitem', { name: /^Shut down 3 rooms/ });
  await shutDown.waitFor();
  const offered = await page.getByRole('menuitem').allInnerTexts();
  expect(offered.length).toBeGreaterThan(5);
  expect(offered.filter((each) => /\bit\b/i.test(each))).toEqual([]);
  await shutDown.click();
  const panel = page.getByRole('dialog', { name: 'Shut down 3 rooms' });
  await panel.getByText("Members don't rejoin automatically.").waitFor();
  expect(await panel.innerText()).not.toMatch(/\bits?\b/i);
});

test('columns are chosen and resized, and stay that way', async () => {
  server.rooms = 3;
  const { page } = console;
  await console.open('/rooms');
  await row('Room 1').waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Room ID' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Version' }).click();
  await page.keyboard.press('Escape');
  await row('!room1:fake.example').waitFor();
  const heading = page.getByRole('columnheader', { name: 'Main address' });
  const before = (await heading.boundingBox())?.width ?? 0;
  await page.getByRole('separator', { name: 'Width of Main address' }).focus();
  for (let times = 0; times < 5; times++) await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await heading.boundingBox())?.width).toBe(before + 80);
  await page.reload();
  await row('!room1:fake.example').waitFor();
  expect((await heading.boundingBox())?.width).toBe(before + 80);
  expect(await page.getByRole('columnheader', { name: 'Version' }).count()).toBe(0);
  // Rows have a maximum width in wide windows.
  await page.setViewportSize({ width: 2560, height: 1440 });
  const left = async (name: RegExp) =>
    (await page.getByRole('columnheader', { name }).boundingBox())?.x ?? Number.NaN;
  await expect
    .poll(async () => (await left(/^Main address/)) - (await left(/^Room(?! ID)/)))
    .toBeLessThan(500);
});

test('a wide window has room for exact times, and a column that is chosen stays', async () => {
  server.users = 3;
  const { page } = console;
  const year = String(new Date().getFullYear());
  /** In the row itself, not only in a tooltip. */
  const isExact = () =>
    row(userName(2)).evaluate((element, told) => {
      const { bottom } = element.getBoundingClientRect();
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        if (!node.nodeValue?.includes(told)) continue;
        const range = document.createRange();
        range.selectNode(node);
        return range.getBoundingClientRect().top < bottom - 10;
      }
      return false;
    }, year);
  const heading = (name: string) => page.getByRole('columnheader', { name });
  await console.open('/users');
  await row(userName(2)).waitFor();
  expect(await heading('User type').count()).toBe(0);
  expect(await isExact()).toBe(false);

  await page.setViewportSize({ width: 2560, height: 1440 });
  await expect.poll(isExact).toBe(true);
  // The status says them already.
  for (const name of ['Admin', 'User type']) expect(await heading(name).count()).toBe(0);
  await page.getByRole('button', { name: 'Columns' }).click();
  const type = page.getByRole('menuitemcheckbox', { name: 'User type' });
  expect(await type.getAttribute('aria-checked')).toBe('false');
  await type.click();
  await page.keyboard.press('Escape');
  await heading('User type').waitFor();
  await page.reload();
  await row(userName(2)).waitFor();
  expect(await heading('User type').count()).toBe(1);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(isExact).toBe(false);
});

test('compact rows are remembered and keep the top row', async () => {
  server.users = 200;
  const { page } = console;
  await console.open('/users');
  const scroller = page.getByRole('region', { name: 'Users' });
  const height = async () => (await row(userName(100)).boundingBox())?.height;
  await row(userName(0)).waitFor();
  await scroller.evaluate((element) => element.scrollTo(0, 100 * 34));
  expect(await height()).toBe(34);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('compact');
  await page.keyboard.press('Enter');
  await expect.poll(height).toBe(26);
  expect(await scroller.evaluate((element) => element.scrollTop)).toBe(100 * 26);
  await page.goto(`${console.homeserver.url}/console/settings`);
  await page.getByRole('radio', { name: 'Compact', checked: true }).waitFor({ state: 'attached' });
  expect(await page.evaluate(() => document.documentElement.dataset.density)).toBe('compact');
});

test('a list is exported in its order with its visible columns', async () => {
  server.users = 1_200;
  const { page } = console;
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await console.open('/users?order=name&dir=b');
  await table('Users').waitFor();
  await page.getByRole('button', { name: 'Export list' }).click();
  const panel = page.getByRole('dialog', { name: 'Export list' });
  await panel.getByText('Exports 1,200 rows with the visible columns.').waitFor();
  await panel.getByText('NDJSON').click();
  const download = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Export' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^users-\d{4}-\d\d-\d\d\.ndjson$/);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(1_200);
  const [first, , second] = [lines[0], lines[1], lines[1198]].map((line) => JSON.parse(line ?? ''));
  expect(first).toEqual({
    displayname: 'User 1199',
    name: userName(1199),
    state: '',
    last_seen_ts: null,
    creation_ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  expect(second).toMatchObject({ name: userName(1), state: 'Locked' });
  await panel.getByText('1,200 rows exported').waitFor();
});

test('a selection offers the actions for all of its rows', async () => {
  server.users = 40;
  const { page } = console;
  await console.open('/users');
  await row(userName(0)).waitFor();
  const box = (index: number) => page.getByRole('checkbox', { name: `Select ${userName(index)}` });
  await box(2).click();
  await box(6).click({ modifiers: ['Shift'] });
  const selection = page.getByRole('region', { name: 'Selection' });
  await selection.getByText('5 selected').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await selection.getByText('6 selected').waitFor();
  await selection.getByRole('button', { name: 'Clear selection' }).click();
  await selection.waitFor({ state: 'detached' });
  await page.keyboard.press('x');
  await selection.getByText('1 selected').waitFor();
  await page.keyboard.press('Escape');
  await selection.waitFor({ state: 'detached' });
});

test('all matches beyond the loaded ones are selected, and their loading can stop', async () => {
  server.users = 12_345;
  const { page, homeserver } = console;
  await console.open('/users');
  await row(userName(0)).waitFor();
  const selection = page.getByRole('region', { name: 'Selection' });
  await page.getByRole('checkbox', { name: 'Select all matches' }).click();
  await selection.getByText('12,345 selected').waitFor();
  // A thousand per request, plus the rest.
  expect(asked('v2/users').filter((request) => request.includes('limit=1000')).length).toBe(12);
  await page.getByRole('checkbox', { name: 'Select all matches' }).click();
  await selection.waitFor({ state: 'detached' });

  const usual = homeserver.interfere;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  homeserver.interfere = async (method, path, query) => {
    if (Number(query.get('from')) >= 2000) await held;
    return usual(method, path, query);
  };
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await selection.getByText('1 selected').waitFor();
  await page.keyboard.press('A');
  await selection.getByText('2,000 of 12,345 loaded').waitFor();
  await selection.getByRole('button', { name: 'Stop' }).click();
  release();
  await selection.getByRole('button', { name: 'Select all 12,345 matches' }).waitFor();
  await selection.getByText('1 selected').waitFor();
});

test('after another search, its matches are selected', async () => {
  server.users = 50;
  const { page } = console;
  await console.open('/users');
  await page.getByText('50 users', { exact: true }).waitFor();
  await page.getByRole('searchbox').fill('lovelace');
  await page.getByText('3 users', { exact: true }).waitFor();
  await row(userName(2)).waitFor();
  await page.getByRole('checkbox', { name: 'Select all matches' }).click();
  await page.getByRole('region', { name: 'Selection' }).getByText('3 selected').waitFor();
});

test('a range includes rows that were never loaded', async () => {
  server.users = 5_000;
  const { page } = console;
  await console.open('/users');
  await row(userName(0)).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('End');
  await row(userName(4_999)).waitFor();
  await page.keyboard.press('X');
  await page.getByRole('region', { name: 'Selection' }).getByText('5,000 selected').waitFor();
});

test('a bulk action on users has a preview before and a file after', async () => {
  server.users = 60;
  const { page, homeserver } = console;
  const usual = homeserver.interfere;
  const locked = new Set<string>();
  homeserver.interfere = (method, path, query) => {
    const [, userId] = /\/v2\/users\/([^/]+)$/.exec(decodeURIComponent(path)) ?? [];
    if (method !== 'PUT' || !userId) return usual(method, path, query);
    if (userId === userName(7) && !locked.has(userId)) {
      locked.add(userId);
      return { status: 500, body: { errcode: 'M_UNKNOWN', error: 'The disk is on fire' } };
    }
    locked.add(userId);
    return { status: 200, body: { name: userId, locked: true } };
  };
  // The save dialog isn't available in tests.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await console.open('/users', { isProbed: false });
  await row(userName(0)).waitFor();
  await page.keyboard.press('A');
  await page.getByText('60 selected').waitFor();
  await page.getByRole('toolbar').getByRole('button', { name: 'Lock 60 users' }).click();
  const panel = page.getByRole('dialog', { name: 'Lock 60 users' });
  await panel.getByText(`A protected account is skipped: ${userName(0)} (server admin).`).waitFor();
  await panel.getByText(`${userName(1)}, ${userName(2)}, ${userName(3)}, and 56 more`).waitFor();
  await panel.getByRole('textbox', { name: 'Type 59 to confirm' }).fill('59');
  await panel.getByRole('button', { name: 'Lock 59 users' }).click();
  const job = page.getByRole('region', { name: 'Jobs' }).getByRole('article');
  await job.getByText('58 of 59 done, 1 failed').waitFor();

  await job.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV for spreadsheets' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(60);
  expect(lines.find((line) => line.includes(userName(7)))).toMatch(/,failed,.*The disk is on fire/);
  expect(lines.filter((line) => /,done,/.test(line))).toHaveLength(58);

  await job.getByRole('button', { name: 'One failure' }).click();
  await job.getByRole('button', { name: `Retry ${userName(7)}` }).click();
  await job.getByText('59 of 59 done').waitFor();
  expect(locked.size).toBe(59);
});

test('a date filter added by keyboard has the focus, to change its day', async () => {
  server.users = 40;
  const { page } = console;
  await console.open('/users');
  await row(userName(1)).waitFor();
  await page.getByRole('button', { name: 'Add filter' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Created from' }).press('Enter');
  await expect
    .poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent))
    .toBe('Created from');
  await page.getByText('40 users', { exact: true }).waitFor();
});

test('a user opens, and Back returns to the same list', async () => {
  server.users = 40;
  const { page } = console;
  await console.open('/users?search=lovelace');
  await row(userName(1)).waitFor();
  // From the search field straight to the results.
  await page.keyboard.press('/');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Somebody' }).waitFor();
  await page.getByText('Suspended', { exact: true }).waitFor();
  await expect.poll(console.address).toContain(`/users/${userName(1)}`);
  await page.goBack();
  await page.getByText('3 users', { exact: true }).waitFor();
});

test('coming back restores selection, position and focus of a list', async () => {
  server.users = 2_000;
  const { page } = console;
  await console.open('/users');
  await row(userName(1)).waitFor();
  await page.getByRole('region', { name: 'Users' }).evaluate((list) => list.scrollTo(0, 34 * 700));
  await row(userName(705)).getByRole('checkbox').check();
  await row(userName(707))
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] });
  await page.getByText('3 selected').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Somebody' }).waitFor();
  await page.getByRole('tab', { name: 'Rooms' }).click();
  await expect.poll(console.address).toContain('part=rooms');
  await page.keyboard.press('Escape');
  await page.getByText('3 selected').waitFor();
  await expect
    .poll(() => page.evaluate(() => (document.activeElement as HTMLElement).title))
    .toBe(userName(708));
  await page.keyboard.press('j');
  await expect
    .poll(() => page.evaluate(() => (document.activeElement as HTMLElement).title))
    .toBe(userName(709));
  // A new visit starts at the top.
  await page.getByRole('link', { name: 'Rooms' }).first().click();
  await page.getByRole('link', { name: 'Users' }).first().click();
  await row(userName(1)).waitFor();
  expect(await page.getByText('3 selected').count()).toBe(0);
});

test('moving to a row during a search stays there', async () => {
  server.users = 40;
  const page = await console.pageWithClock();
  await console.open('/users');
  await row(userName(20)).waitFor();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('searchbox').fill('lovelace');
  await row(userName(1)).getByRole('link').first().click();
  await page.clock.resume();
  await page.getByRole('heading', { level: 1, name: 'Somebody' }).waitFor();
  await page.clock.fastForward(5_000);
  await page.getByRole('heading', { level: 1, name: 'Somebody' }).waitFor();
  expect(console.address()).toContain(`/users/${userName(1)}`);
  expect(asked('v2/users').filter((request) => request.includes('lovelace'))).toEqual([]);
});

test('no data, no matches and a failing server are distinguished', async () => {
  const { page } = console;
  await console.open('/rooms');
  await page.getByText('No rooms', { exact: true }).waitFor();
  await console.open('/rooms?listed=true');
  await page.getByText('No matching rooms', { exact: true }).waitFor();
  server.failing = true;
  await console.open('/users');
  await page.getByText("Couldn't load users").waitFor();
  // While loading fails, the button stays during automatic retries.
  const times = asked('v2/users').length;
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await expect.poll(() => asked('v2/users').length).toBeGreaterThan(times);
  await page.getByText("Couldn't load users").waitFor();
  server.failing = false;
  server.users = 1;
  const users = page.getByText('1 user', { exact: true });
  // The list may load automatically before the click.
  await expect
    .poll(async () => {
      await page
        .getByRole('button', { name: 'Retry', exact: true })
        .click({ timeout: 1_000 })
        .catch(() => {});
      return users.count();
    })
    .toBe(1);
});

test('a server that repeats a report in its list breaks nothing', async () => {
  const { page, homeserver } = console;
  const { event_json: _, ...item } = sampleReport(7);
  const same = { event_reports: Array.from({ length: 100 }, () => item), total: 300, next_token: 100 };
  homeserver.reports = [sampleReport(3), sampleReport(7)];
  homeserver.interfere = (_method, path) =>
    path === '/_service/admin/v1/event_reports' ? { status: 200, body: same } : undefined;
  await console.open('/reports?report=3');
  await page.getByRole('article', { name: 'Reported message' }).waitFor();
  await page.getByRole('option').nth(3).waitFor();
  await page.getByRole('listbox', { name: 'Reports' }).press('End');
  await page.getByRole('article', { name: 'Reported message' }).waitFor();
  expect(await page.getByText('This screen crashed').count()).toBe(0);
});

test('invalid replies break no screen', async () => {
  const { page, homeserver } = console;
  const token = {
    token: 'strange',
    uses_allowed: null,
    pending: 0,
    completed: 0,
    // Beyond the maximum date.
    expiry_time: 8.64e15 + 2,
  };
  const replies: Record<string, unknown> = {
    '/_service/admin/v1/rooms': {
      rooms: [{ room_id: '!a:fake.example', name: 'A room' }],
      total_rooms: 9e15,
    },
    // A lone surrogate, which URLs can't encode.
    '/_service/admin/v2/users': { users: [{ name: '@half\ud800:fake.example' }], total: 1 },
    '/_service/admin/v1/registration_tokens': { registration_tokens: [token] },
  };
  homeserver.interfere = (_method, path) => {
    const body = replies[path];
    return body === undefined ? undefined : { status: 200, body };
  };
  await console.open('/rooms');
  await row('A room').waitFor();
  await console.open('/users');
  await row('@half\ufffd:fake.example').getByRole('link').click();
  await expect.poll(console.address).toContain('/users/@half\ufffd');
  await console.open('/tokens?token=strange');
  await page.getByRole('button', { name: 'Change token' }).waitFor();
  expect(console.problems).toEqual([]);
});

test("a room's rules are in words, and its creator has a name", async () => {
  const { page, homeserver } = console;
  const room = {
    room_id: '!a:fake.example',
    name: 'A room',
    join_rules: 'knock',
    history_visibility: 'world_readable',
    creator: '@grace:fake.example',
  };
  homeserver.interfere = (_method, path) => {
    if (path.endsWith('/v1/rooms')) return { status: 200, body: { rooms: [room], total_rooms: 1 } };
    if (!decodeURIComponent(path).endsWith('/v2/users/@grace:fake.example')) return undefined;
    return { status: 200, body: { name: '@grace:fake.example', displayname: 'Grace Hopper' } };
  };
  await page.setViewportSize({ width: 2560, height: 900 });
  await console.open('/rooms');
  await row('A room').getByText('Invite or knock').waitFor();
  await row('A room').getByText('Anyone, without joining').waitFor();
  await row('A room').getByRole('link', { name: 'Grace Hopper' }).waitFor();
});

test('names and IDs are readable at 720 pixels', async () => {
  server.users = 3;
  const { page } = console;
  await page.setViewportSize({ width: 720, height: 900 });
  await console.open('/users');
  const state = row(userName(0)).getByText('Server admin');
  await state.waitFor();
  const { x = 0, width = 0 } = (await state.boundingBox()) ?? {};
  expect(x + width).toBeLessThanOrEqual(720);
});

test('Enter in the search opens the only match', async () => {
  const { page } = console;
  server.users = 1;
  await console.open('/users');
  await row(userName(0)).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Somebody' }).waitFor();
  await console.open('/users/garbage');
  await page.getByText('Enter a user ID like @name:server.').waitFor();
});
