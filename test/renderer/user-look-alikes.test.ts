/** Look-alike users: the console scans all users, since no server searches for that. */
import { beforeEach, expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';

const console = consoleUnderTest();

/** Users at given positions in the list, newest first. The others are named after their positions. */
const named = new Map<number, { name: string; displayname: string | null; deactivated?: boolean }>();
const server = { users: 0, failing: false, held: undefined as Promise<void> | undefined };
const pages = () =>
  console.homeserver.requests.filter((request) => /^GET \/_service\/admin\/v2\/users\?/.test(request));
const from = (place: number) => pages().filter((request) => request.includes(`from=${place}&`)).length;

beforeEach(() => {
  named.clear();
  Object.assign(server, { users: 0, failing: false, held: undefined });
  console.homeserver.interfere = async (_method, path, query) => {
    const [, userId] = /\/v2\/users\/([^/]+)$/.exec(decodeURIComponent(path)) ?? [];
    const person = [...named.values()].find(({ name }) => name === userId);
    if (person) return { status: 200, body: person };
    if (path !== '/_service/admin/v2/users') return undefined;
    await server.held;
    if (server.failing) return { status: 500, body: { errcode: 'M_UNKNOWN', error: 'The disk is on fire' } };
    const begin = Number(query.get('from'));
    const length = Math.max(0, Math.min(Number(query.get('limit')), server.users - begin));
    const users = Array.from({ length }, (_, at) => ({
      displayname: null,
      admin: false,
      deactivated: false,
      creation_ts: Date.now(),
      ...(named.get(begin + at) ?? { name: `@u${begin + at}:fake.example` }),
    }));
    return { status: 200, body: { users, total: server.users } };
  };
});

const row = (text: string) => console.page.getByRole('row').filter({ hasText: text });
const said = () => console.page.getByLabel('Scan progress').innerText();

test('the user list links to users who imitate the searched name', async () => {
  server.users = 8;
  const spelt = [
    '\u0430dmin',
    'Adrnin',
    'ADM1N',
    'a.d.m.i.n',
    '\u00C1dmi\u0301n (team)',
    '\u{1D400}dmin',
    'Edna',
  ];
  for (const [at, displayname] of spelt.entries())
    named.set(at, { name: `@x${at}:fake.example`, displayname, deactivated: at === 1 });
  named.set(7, { name: '@adm_in:fake.example', displayname: null });
  const { page } = console;
  await console.open('/users?search=admin');
  await page.getByRole('button', { name: 'Look-alikes' }).waitFor();
  await page.keyboard.press('i');
  await page.getByRole('heading', { name: 'Look-alikes' }).waitFor();
  await page.getByText('7 look-alikes', { exact: true }).waitFor();
  for (const found of [...spelt.slice(0, -1), '@adm_in:fake.example']) await row(found).waitFor();
  expect(await row('Edna').count()).toBe(0);
  await row('Adrnin').getByText('Deactivated').waitFor();
  expect(await said()).toContain("All 8 local users scanned. Remote users aren't included.");
  // By keyboard, as in other lists.
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => decodeURIComponent(url.pathname).endsWith('/users/@x1:fake.example'));
  expect(console.problems).toEqual([]);
});

test("a user's page links to users with the same name or ID, and on request to longer names", async () => {
  server.users = 5;
  named.set(0, { name: '@mod:fake.example', displayname: 'Ada Lovelace' });
  named.set(1, { name: '@one:fake.example', displayname: 'Ada L\u043Evelace' });
  named.set(2, { name: '@two:fake.example', displayname: 'Ada Lovelace, official' });
  named.set(3, { name: '@m0d:fake.example', displayname: 'Somebody' });
  const { page } = console;
  await console.open('/users');
  await row('@mod:fake.example').getByRole('link').click();
  await page.getByRole('button', { name: 'Find look-alikes' }).click();
  await page.getByText('2 look-alikes', { exact: true }).waitFor();
  await row('@one:fake.example').waitFor();
  await row('@m0d:fake.example').waitFor();
  expect(await row('@mod:fake.example').count()).toBe(0);
  await page.getByRole('button', { name: 'Search longer names' }).click();
  await row('@two:fake.example').waitFor();
  await page.getByText('3 look-alikes', { exact: true }).waitFor();
  // The console scanned all users once.
  expect(pages().filter((request) => request.includes('order_by=creation_ts'))).toHaveLength(1);
});

test('shows the progress of a scan, which stops and resumes', async () => {
  server.users = 12_000;
  named.set(40, { name: '@new:fake.example', displayname: 'Adrnin' });
  named.set(11_990, { name: '@old:fake.example', displayname: '\u0430dmin' });
  const { page } = console;
  await console.open('/users/look-alikes?search=admin');
  // Matches show during the scan.
  await row('@new:fake.example').waitFor();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.held = promise;
  await page.getByRole('button', { name: 'Stop' }).click();
  resolve();
  await page.getByRole('button', { name: 'Scan more' }).waitFor();
  await expect.poll(said).toMatch(/^[\d,]+ of 12,000 local users scanned, newest first\./);
  expect(await row('@old:fake.example').count()).toBe(0);
  server.held = undefined;
  await page.getByRole('button', { name: 'Scan more' }).click();
  await page.getByText('2 look-alikes', { exact: true }).waitFor();
  await row('@old:fake.example').waitFor();
  await expect.poll(said).toMatch(/^All 12,000 local users/);
  expect(new Set(pages()).size).toBe(pages().length);
  // Searches another name among the loaded users.
  const before = pages().length;
  await page.getByRole('searchbox').fill('u77');
  await row('@u77:fake.example').waitFor();
  await expect.poll(said).toMatch(/^All 12,000 local users/);
  expect(pages().length).toBe(before);
  expect(console.problems).toEqual([]);
});

test('shows a failure and resumes from it', async () => {
  server.users = 3_000;
  named.set(2_500, { name: '@far:fake.example', displayname: 'Adrnin' });
  const { page, homeserver } = console;
  const usual = homeserver.interfere;
  homeserver.interfere = (method, path, query) => {
    server.failing = query.get('from') === '1100';
    return usual(method, path, query);
  };
  await console.open('/users/look-alikes?search=admin');
  await page
    .getByRole('alert')
    .getByText(/The disk is on fire/)
    .waitFor();
  expect(await said()).toMatch(/^1,100 of 3,000 local users scanned/);
  await page.getByText('None found yet').waitFor();
  homeserver.interfere = (method, path, query) => {
    server.failing = false;
    return usual(method, path, query);
  };
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await row('@far:fake.example').waitFor();
  expect(from(0)).toBe(1);
});

test('resumes automatically after the connection was lost', async () => {
  server.users = 3_000;
  named.set(2_500, { name: '@far:fake.example', displayname: 'Adrnin' });
  const { page } = console;
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/_service/**', async (route) => {
    const isFar = /from=(?!0&)/.test(route.request().url());
    if (isFar) resolve();
    return isFar ? route.abort() : route.fallback();
  });
  await console.open('/users/look-alikes?search=admin');
  await promise;
  await page.route('**/_service/**', (route) => route.abort());
  await page.getByRole('status', { name: 'Connection' }).getByText('Offline').waitFor();
  expect(await said()).toMatch(/^100 of 3,000 local users scanned/);
  await page.unrouteAll();
  await row('@far:fake.example').waitFor();
  await expect.poll(said).toContain('All 3,000 local users');
  expect(from(0)).toBe(1);
});

test('without a name, explains itself and sends no request', async () => {
  server.users = 5;
  await console.open('/users/look-alikes');
  await console.page.getByText('Find impersonators').waitFor();
  expect(pages()).toEqual([]);
});
