/** Sign-in on an authentication service's page, and token refresh. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type MasStandIn, startMas } from '../mas-stand-in.ts';
import { startHomeserver, type TestHomeserver } from '../server/homeserver.ts';
import { consoleUnderTest } from './console-under-test.ts';

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const console = consoleUnderTest();
let mas: MasStandIn;
let delegating: TestHomeserver;

beforeAll(async () => {
  mas = await startMas();
  delegating = await startHomeserver({
    config: { externalAuthentication: { endpoint: mas.url, secret: mas.secret } },
  });
});
afterAll(async () => {
  await delegating.remove();
  await mas.close();
});
afterEach(() => {
  Object.assign(mas, {
    asksForPassword: false,
    declines: false,
    withheldScopes: [],
    accessTokenLifetime: 300,
    tokenRequests: [],
  });
});

const users = () => console.page.getByRole('heading', { level: 1, name: 'Users' });

async function signIn() {
  const { page, homeserver } = console;
  await page.goto(`${homeserver.url}/console/users`);
  await page.getByLabel('Server address').fill(delegating.url);
  await page.getByLabel('Server address').blur();
  await page.getByText(`Sign in at ${new URL(mas.url).host}, then return here.`).waitFor();
  expect(await page.getByText('Password', { exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Continue in browser' }).click();
}

test('signing in through the browser returns to the screen, and signing out ends the session', async () => {
  const { page } = console;
  mas.withheldScopes = ['urn:mas:admin'];
  await signIn();
  await users().waitFor();
  expect(page.url()).not.toMatch(/code|state=/);
  await page.getByText('@admin:localhost').first().waitFor();
  // Accounts created only on the homeserver would be unusable.
  await page
    .getByText(`Manage accounts, sessions, passwords and emails at ${new URL(mas.url).host}.`)
    .waitFor();
  await page.getByRole('button', { name: 'Look-alikes' }).waitFor();
  expect(await page.getByRole('button', { name: /^(Make a|Create) user$/ }).count()).toBe(0);
  await page.goto(`${console.homeserver.url}/console/settings`);
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect.poll(() => mas.sessions.at(-1)?.ended).toBe(true);
  expect(console.problems).toEqual([]);
});

test("with MAS's admin API a user is created, locked and shown with its MAS state", async () => {
  const { page, homeserver } = console;
  mas.admin.addUser('alice', true);
  await signIn();
  await users().waitFor();
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('dora');
  await page.getByRole('dialog').getByRole('button', { name: 'Create user' }).click();
  await page.getByText('@dora:localhost created').waitFor();
  expect(mas.admin.passwordOf.get('dora')).toBe(
    await page.getByRole('status', { name: 'New password' }).textContent(),
  );
  expect(await page.getByText('Manage accounts').count()).toBe(0);

  await page.goto(`${homeserver.url}/console/users/@alice:localhost`);
  await page.getByText('Server admin').first().waitFor();
  await page.getByRole('button', { name: 'More' }).waitFor();
  await page.keyboard.press('l');
  await page.getByRole('dialog').getByLabel('Type @alice:localhost to confirm').fill('@alice:localhost');
  await page.getByRole('dialog').getByRole('button', { name: 'Lock user' }).click();
  await expect.poll(() => mas.admin.find('users', { username: 'alice' })?.attributes.locked_at).toBeTruthy();
  await page.getByText('Locked').first().waitFor();
  expect(console.problems).toEqual([]);
});

test('says why the browser came back without signing in', async () => {
  mas.declines = true;
  await signIn();
  await console.page.getByRole('alert').getByText('Sign-in declined').waitFor();
  expect(await console.page.getByLabel('Server address').inputValue()).toBe(delegating.url);

  // Another attempt clears the message.
  await console.page.getByText('Other device').click();
  await console.page.getByRole('button', { name: 'Get code' }).click();
  await console.page.getByRole('button', { name: 'Cancel' }).click();
  await console.page.getByRole('button', { name: 'Get code' }).waitFor();
  expect(await console.page.getByRole('alert').count()).toBe(0);
});

test('a device code entered elsewhere signs in, and canceling stops the polling', async () => {
  const { page, homeserver } = console;
  await page.goto(`${homeserver.url}/console/users`);
  await page.getByLabel('Server address').fill(delegating.url);
  await page.getByLabel('Server address').blur();
  await page.getByText('Other device').click();
  const shown = page.getByRole('status').filter({ hasText: `${mas.url}/link` });
  mas.devices.clear();
  await page.getByRole('button', { name: 'Get code' }).click();
  await shown.waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await shown.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Get code' }).click();
  await expect.poll(() => mas.devices.size).toBe(2);
  const [cancelled, [code, device] = []] = mas.devices;
  await shown.getByText(String(code)).waitFor();
  expect(await page.getByText(String(cancelled?.[0])).count()).toBe(0);
  if (device) device.outcome = 'approved';
  await users().waitFor();
  expect(mas.sessions.at(-1)?.clientId).toBe(device?.clientId);
});

test('SSO redirects to the provider and back with a login token that is used once and not stored', async () => {
  const { page, homeserver } = console;
  homeserver.loginTokens.add('once');
  const flows = [{ type: 'm.login.sso' }, { type: 'm.login.token' }];
  homeserver.interfere = (_, path, query) => {
    if (path.endsWith('/client/v3/login')) return { status: 200, body: { flows } };
    if (path.endsWith('/auth_metadata')) return { status: 404, body: {} };
    if (!path.endsWith('/login/sso/redirect')) return undefined;
    // An identity provider with a link to click.
    const back = new URL(query.get('redirectUrl') ?? '');
    back.searchParams.set('loginToken', 'once');
    const bytes = Buffer.from(`<a href="${back.href.replaceAll('&', '&amp;')}">Sign in as admin</a>`);
    return { contentType: 'text/html', bytes };
  };
  await page.goto(`${homeserver.url}/console/users`);
  await page.getByText(`Sign in at ${new URL(homeserver.url).host}, then return here.`).waitFor();
  await page.getByRole('button', { name: 'Continue in browser' }).click();
  await page.getByRole('link', { name: 'Sign in as admin' }).click();
  await users().waitFor();
  expect(page.url()).not.toMatch(/loginToken|sso_state/);
  expect(homeserver.loginTokens.size).toBe(0);
});

test('a typed password is kept when the server turns out to offer SSO', async () => {
  const { page, homeserver } = console;
  const flows = [{ type: 'm.login.sso' }, { type: 'm.login.password' }];
  const { promise: typed, resolve: onTyped } = Promise.withResolvers<void>();
  await page.route('**/client/v3/login', async (route) => {
    await typed;
    await route.fulfill({ json: { flows } });
  });
  await page.goto(`${homeserver.url}/console/users`);
  await page.getByLabel('Username').fill('admin');
  onTyped();
  await page.getByText('Browser', { exact: true }).waitFor();
  expect(await page.getByLabel('Username').inputValue()).toBe('admin');
});

test('going back from the sign-in page keeps the address and says that no one signed in', async () => {
  const { page } = console;
  mas.asksForPassword = true;
  await signIn();
  await page.getByRole('heading', { name: 'Password?' }).waitFor();
  await page.goBack();
  await page.getByRole('alert').getByText("wasn't completed").waitFor();
  expect(await page.getByLabel('Server address').inputValue()).toBe(delegating.url);
  mas.asksForPassword = false;
  await page.getByRole('button', { name: 'Continue in browser' }).click();
  await users().waitFor();
});

test('an upload with a refused token is retried once with a refreshed one', async () => {
  const { page } = console;
  await signIn();
  await users().waitFor();
  await page.getByRole('row').filter({ hasText: '@admin:localhost' }).getByRole('link').click();
  await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: /^Edit profile/ }).click();
  const panel = page.getByRole('dialog');
  await panel.locator('form[aria-busy=false]').waitFor();
  await panel
    .getByLabel('Image to upload')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: onePixel });
  await expect.poll(() => panel.getByRole('textbox', { name: 'Avatar' }).inputValue()).toBe('a.png');
  const uploads: number[] = [];
  await page.route('**/media/v3/upload', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const refusal = { errcode: 'M_UNKNOWN_TOKEN', error: 'Token is not active' };
    const headers = { 'access-control-allow-origin': '*' };
    const response = uploads.length > 0 ? await route.fetch() : undefined;
    uploads.push(response?.status() ?? 401);
    await route.fulfill(response ? { response } : { status: 401, headers, json: refusal });
  });
  mas.tokenRequests = [];
  await panel.getByRole('button', { name: 'Edit profile' }).click();
  await expect.poll(() => uploads).toEqual([401, 200]);
  expect(mas.tokenRequests).toEqual(['refresh_token']);
});

test('an inactive tab uses the token that another tab refreshed', async () => {
  const { page } = console;
  await signIn();
  await users().waitFor();
  const address = page.url();
  const other = await page.context().newPage();
  await other.goto(address);
  await other.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
  const tokenOf = (tab: typeof page) =>
    tab.evaluate(() => JSON.parse(sessionStorage.getItem('gatehouse.sessions') ?? '[]')[0]?.accessToken);
  const before = await tokenOf(page);
  await page.goto('about:blank');
  await other.addInitScript(() => {
    const [kept] = JSON.parse(sessionStorage.getItem('gatehouse.sessions') ?? '[]');
    const expired = { ...kept, oauth: { ...kept.oauth, expiresAt: 0 } };
    sessionStorage.setItem('gatehouse.sessions', JSON.stringify([expired]));
  });
  await other.reload();
  await expect.poll(() => tokenOf(other)).not.toBe(before);
  await page.goto(address);
  await users().waitFor();
  const renewed = await tokenOf(other);
  await expect.poll(() => tokenOf(page)).toBe(renewed);
  await other.close();
});

test('two tabs refresh their token once, and both continue with it', async () => {
  const { page } = console;
  await signIn();
  await users().waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
  const { accessToken: before } = await session();
  mas.tokenRequests = [];
  // Simulates an expired token in both tabs. It's changed on reload, because a running page writes it too.
  for (const tab of [page, other]) {
    await tab.addInitScript((key) => {
      const [kept] = JSON.parse(sessionStorage.getItem(key) ?? '[]');
      sessionStorage.setItem(key, JSON.stringify([{ ...kept, oauth: { ...kept.oauth, expiresAt: 0 } }]));
    }, 'gatehouse.sessions');
  }
  // Both tabs are left first: a running page would share its session with the other tab.
  const address = page.url();
  for (const tab of [page, other]) await tab.goto('about:blank');
  await Promise.all([page.goto(address), other.goto(address)]);
  await users().waitFor();
  await other.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
  await expect.poll(async () => (await session()).accessToken).not.toBe(before);
  expect(await other.getByText('Your session has ended').count()).toBe(0);
  expect(new Set(mas.tokenRequests)).toEqual(new Set(['refresh_token']));
  await other.close();

  async function session() {
    const text = await page.evaluate((key) => sessionStorage.getItem(key), 'gatehouse.sessions');
    return JSON.parse(text ?? '[]')[0];
  }
});
