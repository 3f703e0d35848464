/** A server that starts failing while a screen is open. The loaded data stays, shows its age, and recovers. */
import type { Page } from 'playwright';
import { beforeEach, expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { timePasses } from './time-passes.ts';

const console = consoleUnderTest();

const server = { isFailing: false, isVersionFailing: false, waits: 0 };
const roomId = '!garden:fake';
const userId = '@ada:fake';
const user = { name: userId, displayname: 'Ada', admin: false, deactivated: false, locked: false };
const room = { room_id: roomId, name: 'Garden', joined_members: 3, public: true };

const failure = { status: 500, body: { errcode: 'M_UNKNOWN', error: 'Out of memory' } };
const tooFast = () => ({
  status: 429,
  body: { errcode: 'M_LIMIT_EXCEEDED', error: 'Too fast', retry_after_ms: server.waits },
});

beforeEach(async () => {
  Object.assign(server, { isFailing: false, isVersionFailing: false, waits: 0 });
  // Only requests about users, rooms and server jobs fail. Otherwise the console would treat the server as offline.
  console.homeserver.interfere = (_method, path) => {
    if (path.endsWith('/v1/server_version')) return server.isVersionFailing ? failure : undefined;
    const isAbout = /^\/_service\/admin\/v\d\/(users|rooms|scheduled_tasks|background_updates)/.test(path);
    if (!isAbout) return undefined;
    if (server.waits > 0) return tooFast();
    if (server.isFailing) return failure;
    const asked = decodeURIComponent(path);
    if (asked.endsWith('/v2/users')) return { status: 200, body: { users: [user], total: 1 } };
    if (asked.endsWith(`/v2/users/${userId}`)) return { status: 200, body: user };
    if (asked.endsWith('/v1/rooms'))
      return { status: 200, body: { rooms: [room], total_rooms: 1, offset: 0 } };
    if (asked.endsWith(`/v1/rooms/${roomId}`)) return { status: 200, body: room };
    if (asked.endsWith('/background_updates/status'))
      return { status: 200, body: { enabled: true, current_updates: {} } };
    return undefined;
  };
  await console.pageWithClock();
});

const old = (page: Page) => page.getByRole('main').getByRole('alert').getByText("Couldn't refresh");

const screens: [what: string, path: string, shown: string][] = [
  ['the list of users', '/users', '@ada:fake'],
  ['an account', `/users/${userId}`, 'Ada'],
  ['a room', `/rooms/${roomId}`, 'Garden'],
  ['the list of background updates', '/tasks/background-updates', 'No updates pending. You can upgrade.'],
];

test.each(screens)(
  '%s shows why it is missing during retries, loads automatically, shows its age and recovers',
  async (_, path, shown) => {
    const { page, homeserver } = console;
    server.isFailing = true;
    await console.open(path);
    const failed = page
      .getByRole('main')
      .getByRole('alert')
      .getByRole('button', { name: 'Retry', exact: true });
    await failed.focus();
    const button = await failed.elementHandle();
    const hasFocus = () => button?.evaluate((element) => element === document.activeElement);
    const asked = homeserver.requests.length;
    await page.clock.fastForward(16_000);
    await expect.poll(() => homeserver.requests.length).toBeGreaterThan(asked);
    await page.clock.runFor(1_000);
    expect(await hasFocus()).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => homeserver.requests.length).toBeGreaterThan(asked + 1);
    expect(await hasFocus()).toBe(true);

    server.isFailing = false;
    await timePasses(page, 61_000);
    const sight = page.getByRole('main').getByText(shown, { exact: true }).first();
    await sight.waitFor();

    server.isFailing = true;
    if (path === '/users' || path.startsWith('/tasks')) await page.keyboard.press('r');
    else await page.clock.fastForward(16_000);
    await old(page).waitFor();
    expect(await sight.isVisible()).toBe(true);
    server.isFailing = false;
    await page.clock.fastForward(31_000);
    await old(page).waitFor({ state: 'detached' });
    expect(await sight.isVisible()).toBe(true);
  },
);

test('a room list that failed to load recovers', async () => {
  const { page } = console;
  server.isFailing = true;
  await console.open('/rooms');
  await page
    .getByRole('main')
    .getByRole('alert')
    .getByRole('button', { name: 'Retry', exact: true })
    .waitFor();
  server.isFailing = false;
  await page.clock.fastForward(31_000);
  await page.getByRole('main').getByText('Garden', { exact: true }).first().waitFor();
});

test('repeated failures are retried with backoff', async () => {
  const { page, homeserver } = console;
  server.isFailing = true;
  const asked = () => homeserver.requests.filter((request) => request.includes('/v2/users?')).length;
  await console.open('/users');
  const failed = page.getByRole('button', { name: 'Retry', exact: true });
  await failed.waitFor();
  await page.clock.fastForward(16_000);
  await expect.poll(asked).toBeGreaterThan(1);
  for (let minutes = 0; minutes < 4; minutes += 0.25) {
    await page.clock.fastForward(15_000);
    await failed.waitFor();
  }
  expect(asked()).toBeLessThan(12);
});

test('the version a plan starts from is marked as outdated, and recovers', async () => {
  const { page } = console;
  await console.open('/upgrade');
  const plan = page.getByRole('region', { name: 'Plan' });
  await plan.waitFor();
  server.isVersionFailing = true;
  await page.clock.fastForward(21_000);
  await old(page).waitFor();
  expect(await plan.isVisible()).toBe(true);
  server.isVersionFailing = false;
  await page.clock.fastForward(21_000);
  await old(page).waitFor({ state: 'detached' });
});

test('the figures on Home are marked as outdated, and recover', async () => {
  const { page } = console;
  await console.open('/home');
  await page.getByText('None failed or overdue').waitFor();
  server.isFailing = true;
  await timePasses(page, 61_000);
  await old(page).waitFor();
  expect(await page.getByText('None failed or overdue').isVisible()).toBe(true);
  server.isFailing = false;
  await timePasses(page, 61_000);
  await old(page).waitFor({ state: 'detached' });
});

test("a server that asks to wait isn't asked again by a screen that was loading", async () => {
  const { page, homeserver } = console;
  server.waits = 30_000;
  const isAbout = (request: string) => decodeURIComponent(request).endsWith(`/v2/users/${userId}`);
  const asked = () => homeserver.requests.filter(isAbout).length;
  const { promise: answered, resolve: isAnswered } = Promise.withResolvers<void>();
  await page.route('**/UserScreen-*.js', (route) => answered.then(() => route.continue()));
  const refused = page.waitForResponse((reply) => isAbout(reply.url()));
  await console.open(`/users/${userId}`);
  await refused.then((reply) => reply.finished());
  isAnswered();
  await page.getByRole('alert').getByText('Retry in').waitFor();
  expect(asked()).toBe(1);
  await page.clock.fastForward(31_000);
  await expect.poll(asked).toBeGreaterThan(1);
});

test('the requested wait is counted down', async () => {
  const { page } = console;
  server.waits = 30_000;
  await console.open(`/users/${userId}`);
  const timer = page.getByRole('alert').getByRole('timer');
  const left = async () => Number(/(\d+) seconds\.$/.exec((await timer.textContent()) ?? '')?.[1]);
  await timer.getByText('Retry in').waitFor();
  const before = await left();
  expect(before).toBeLessThanOrEqual(30);
  await page.clock.runFor(5_000);
  await expect.poll(left).toBeLessThanOrEqual(before - 5);
});
