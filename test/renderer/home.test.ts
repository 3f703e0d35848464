/** Home: server status, independent cards, and the start screen. */
import { expect, test } from 'vitest';
import { until } from '../until.ts';
import { consoleOnHomeserver } from './console-on-homeserver.ts';

const console = consoleOnHomeserver();
const enc = encodeURIComponent;
const heading = () => console.page.getByRole('heading', { level: 1, name: 'Overview', exact: true });
const card = (name: string) => console.page.getByRole('region', { name, exact: true });
const path = () => new URL(console.page.url()).pathname;

/** Creates a room owned by Alice. Bob reports a message, the room and Alice. */
async function reported() {
  const { homeserver } = console;
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  const client = '/_chat/client/v3';
  const { body } = await alice.post(`${client}/createRoom`, { preset: 'public_chat', name: 'Lobby' });
  const room = `${client}/rooms/${enc(body.room_id)}`;
  await bob.post(`${room}/join`, {});
  const sent = await alice.put(`${room}/send/m.room.message/${Math.random()}`, {
    msgtype: 'm.text',
    body: 'Hi',
  });
  await bob.post(`${room}/report/${enc(sent.body.event_id)}`, { reason: 'Rude' });
  await bob.post(`${client}/users/${enc(alice.userId)}/report`, { reason: 'Always rude' });
}

test('each card shows its figures and links to its screen', async () => {
  await reported();
  const { page } = console;
  await console.open('/home');
  await card('Version').getByText('No newer version known').waitFor();
  // The card counts all kinds of reports, like the badge on the rail.
  await card('Open reports').getByText('2 of 2 total').waitFor();
  await card('Open reports').getByText('Oldest: just now').waitFor();
  await card('Oldest open reports').getByRole('link', { name: 'Rude', exact: true }).waitFor();
  await page.getByRole('status', { name: '2 open' }).waitFor();
  await card('Tasks').getByText('None failed or overdue').waitFor();
  await card('Background updates').getByText('No updates pending').waitFor();
  await card('Keys and certificates').getByText('Signing key valid').waitFor();
  await card('Users').getByRole('figure', { name: 'New accounts per day' }).waitFor();
  await card('Rooms').getByRole('table', { name: 'Rooms with most state' }).waitFor();
  // Chart data is also available to screen readers.
  await card('Users')
    .getByRole('button', { name: /: \d+ new$/ })
    .last()
    .waitFor();
  await card('Rooms').getByRole('button', { name: 'Lobby' }).first().waitFor();
  await card('Media').getByText('No media').waitFor();

  await card('Open reports').getByRole('link', { name: 'User reports' }).click();
  await page.getByRole('option').filter({ hasText: 'Always rude' }).first().waitFor();
  await page.goBack();
  await card('Tasks').getByRole('link', { name: 'Failed' }).click();
  await expect.poll(() => decodeURIComponent(page.url())).toContain('status=["failed"]');
  await page.goBack();
  await card('Rooms').getByRole('link', { name: 'Most state events' }).click();
  await page
    .getByRole('columnheader', { name: 'State events' })
    .and(page.locator('[aria-sort=descending]'))
    .waitFor();
  expect(console.problems).toEqual([]);
});

test('top uploaders have one line each within the card, even with long names', async () => {
  const { page } = console;
  const names = [162, 17, 3408, 9].map((number) => `@person${number}:localhost`);
  const rightToLeft = 'مرحبا بكم في غرفة المساعدة والدعم الفني لجميع المستخدمين';
  const users = [...names, '@arabic:localhost', `@${'long'.repeat(30)}:localhost`].map((user_id, index) => ({
    user_id,
    displayname: user_id === '@arabic:localhost' ? rightToLeft : null,
    media_count: 1,
    media_length: 900_000 - index * 100_000,
  }));
  await page.route('**/statistics/users/media**', (route) =>
    route.fulfill({ json: { users, total: users.length } }),
  );
  await console.open('/home');
  const table = card('Media').getByRole('table');
  await table.waitFor();
  const heights = await table
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
  expect(heights).toHaveLength(users.length);
  expect(Math.max(...heights)).toBeLessThan(Math.min(...heights) + 4);
  const wholly = await table
    .locator('button > bdi')
    .evaluateAll((labels) => labels.map((label) => label.scrollWidth <= label.clientWidth));
  expect(wholly).toEqual([...names.map(() => true), false, false]);
  const isBeginningShown = await table.getByRole('button', { name: rightToLeft }).evaluate((button) => {
    const range = document.createRange();
    const [text] = button.querySelector('bdi')?.childNodes ?? [];
    if (!text) return false;
    range.setStart(text, 0);
    range.setEnd(text, 1);
    return range.getBoundingClientRect().right <= button.getBoundingClientRect().right;
  });
  expect(isBeginningShown).toBe(true);
  const beyond = await card('Media').evaluate((element) => element.scrollHeight - element.clientHeight);
  expect(beyond).toBeLessThanOrEqual(0);

  const long = table.getByRole('button').last();
  const whole = page.getByRole('tooltip', { name: '@longlong' });
  const isWhole = async () => {
    await whole.waitFor();
    expect(await whole.textContent()).toBe(users.at(-1)?.user_id.replace(':localhost', ''));
    expect(await whole.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    // Screen readers get the full text already.
    expect(await long.getAttribute('aria-describedby')).toBe(null);
  };
  // A card that loads late can move the row from under the mouse.
  await until(async () => {
    await page.mouse.move(0, 0);
    await long.hover();
    await whole.waitFor({ timeout: 1000 });
  });
  await isWhole();
  await page.mouse.move(0, 0);
  await whole.waitFor({ state: 'detached' });
  await table.getByRole('button').nth(-2).focus();
  await page.keyboard.press('Tab');
  await isWhole();
});

test('a failing card shows the error, and nothing moves', async () => {
  await reported();
  const { page } = console;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let failing = true;
  await page.route('**/admin/v1/scheduled_tasks?**', async (route) => {
    await held;
    if (!failing) return route.continue();
    await route.fulfill({ status: 503, json: { errcode: 'M_UNKNOWN', error: 'The database is restored' } });
  });
  await console.open('/home');
  await card('Rooms').getByRole('table').waitFor();
  await card('Users').getByRole('figure').waitFor();
  await card('Media').getByText('No media').waitFor();
  // Comes last on its card, and makes the row higher.
  await card('Open reports').getByText('Oldest:').waitFor();
  const places = async () =>
    Promise.all(['Version', 'Tasks', 'Users', 'Rooms', 'Media'].map((name) => card(name).boundingBox()));
  const before = await places();
  release();
  await card('Tasks').getByRole('alert').waitFor();
  expect(await places()).toEqual(before);
  failing = false;
  await card('Tasks').getByRole('button', { name: 'Retry' }).click();
  await card('Tasks').getByText('None failed').waitFor();
  expect(await places()).toEqual(before);
});

test('a large server scans its tables only after a click', async () => {
  const { page } = console;
  await page.route('**/federation/v1/version', (route) =>
    route.fulfill({ json: { server: { name: 'Synapse', version: '1.161.0' } } }),
  );
  await page.route('**/admin/v2/users?**limit=1&**', (route) =>
    route.fulfill({ json: { total: 60_000, users: [{ name: '@a:localhost' }] } }),
  );
  await console.open('/home');
  await card('Users').getByText('60,000').waitFor();
  await card('Media').getByRole('button', { name: 'Load', exact: true }).waitFor();
  await card('Rooms').getByRole('table').waitFor();
  await card('Tasks').getByText('None failed').waitFor();
  const costly = () =>
    console.requests.filter(({ path: asked }) => /order_by=creation_ts|statistics\/users/.test(asked));
  expect(costly()).toEqual([]);
  await card('Users').getByRole('button', { name: 'Load', exact: true }).click();
  await card('Users').getByRole('figure').waitFor();
});

test('failures come first, and cards without data are left out', async () => {
  const { page } = console;
  await page.route('**/background_updates/status', (route) =>
    route.fulfill({ json: { enabled: false, current_updates: {} } }),
  );
  await page.route('**/statistics/users/media**', (route) =>
    route.fulfill({ status: 404, json: { errcode: 'M_UNRECOGNIZED', error: 'Unrecognized request' } }),
  );
  await console.open('/home');
  const titles = page.getByRole('heading', { level: 2 });
  await expect
    .poll(() => titles.allTextContents())
    .toEqual([
      'Background updates',
      'Open reports',
      'Tasks',
      'Keys and certificates',
      'Version',
      'Users',
      'Rooms',
    ]);
  expect(console.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('largest rooms are ordered by database size where supported', async () => {
  const { page } = console;
  await reported();
  await page.route('**/federation/v1/version', (route) =>
    route.fulfill({ json: { server: { name: 'Synapse', version: '1.161.0' } } }),
  );
  await page.route('**/statistics/database/rooms', (route) =>
    route.fulfill({ json: { rooms: [{ room_id: '!gone:localhost', estimated_size: 4_200_000_000 }] } }),
  );
  await console.open('/home');
  await card('Rooms').getByRole('row', { name: '!gone:localhost 4.2 GB' }).waitFor();
});

test('checking for the team room lists no users', async () => {
  await console.open('/settings');
  await console.page.getByRole('button', { name: 'Share with team…' }).waitFor();
  const listed = console.requests.filter(({ path: asked }) => asked.includes('/v2/users?'));
  expect(listed).toEqual([]);
});

test('for a server that fails every request, no figures are shown, the error is shown once, and each card recovers', async () => {
  await reported();
  const { page } = console;
  let failing = true;
  await page.route(/\/_(service|chat|synapse|matrix)\//, (route) =>
    failing
      ? route.fulfill({ status: 500, json: { errcode: 'M_UNKNOWN', error: 'The disk is on fire' } })
      : route.continue(),
  );
  await console.open('/home');
  for (const name of ['Tasks', 'Users', 'Rooms', 'Media']) {
    await card(name).getByText('Not loaded').waitFor();
  }
  expect(await page.getByText('The disk is on fire').count()).toBe(1);
  expect(await page.getByText(/scans? (all|a whole)/).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Retry', exact: true }).count()).toBe(1);
  failing = false;
  await card('Rooms').getByRole('table').waitFor();
  await card('Users').getByRole('figure').waitFor();
  expect(await card('Media').getByRole('button', { name: 'Load', exact: true }).count()).toBe(0);
});

const minute = 1 / 24 / 60;
const inOneDay = [...Array(60).keys()].map((index) => index * minute);

test('an unusual rate of sign-ups is reported', async () => {
  const { page } = console;
  const users = [...inOneDay, 4.5].map((daysAgo, index) => ({
    name: `@u${index}:localhost`,
    creation_ts: Math.round(Date.now() - daysAgo * 86_400_000),
  }));
  await page.route('**/admin/v2/users?**creation_ts**', (route) =>
    route.fulfill({ json: { total: users.length, users } }),
  );
  await console.open('/home');
  await card('Users')
    .getByText('Created in the last 24 hours: 60, far more than before', { exact: true })
    .waitFor();
});

test('the console opens on reports if those were viewed last, else on Home, unless an address is given', async () => {
  await reported();
  const { page } = console;
  await console.open('/');
  await heading().waitFor();
  expect(path()).toBe('/console/home');

  await page
    .getByRole('link', { name: /^Reports \d|^Reports$/ })
    .first()
    .click();
  await page.getByRole('option').first().waitFor();
  // Opening the list alone doesn't change the start screen.
  await page.goto(`${console.homeserver.url}/console/`);
  await heading().waitFor();

  await page.goto(`${console.homeserver.url}/console/reports`);
  await page.getByRole('option').first().click();
  await page.getByRole('article', { name: 'Reported message' }).waitFor();
  await page.goto(`${console.homeserver.url}/console/`);
  await page.getByRole('listbox', { name: 'Reports' }).waitFor();
  expect(path()).toBe('/console/reports');

  await page.goto(`${console.homeserver.url}/console/tasks`);
  await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
  await page.keyboard.press('0');
  await heading().waitFor();
  await page.goto(`${console.homeserver.url}/console/`);
  await heading().waitFor();
});
