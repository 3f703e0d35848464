/** User and room pages: their tabs and the actions only they offer. */
import type { Route } from 'playwright';
import { describe, expect, test } from 'vitest';
import { endSessions } from '../../renderer/api/user-changes.ts';
import type { DeviceStorage } from '../../renderer/persisted.ts';
import type { ConsoleHost } from '../../renderer/transport/host.ts';
import { reachabilityStore } from '../../renderer/transport/reachability.ts';
import { connectedServers } from '../../renderer/transport/servers.ts';
import { openSession } from '../../server/identity/sessions/sessions.ts';
import type { Connection } from '../../shared/connection.ts';
import { call } from '../server/homeserver.ts';
import { acting } from './acting.ts';
import { timePasses } from './time-passes.ts';

const admin = '/_service/admin';
const client = '/_chat/client/v3';
const enc = encodeURIComponent;

/** A single pixel. */
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const box = acting('matrix');
const { choose, said } = box;
const tab = (name: string) => box.page.getByRole('tab', { name });
const asAdmin = () => box.homeserver.as('admin');

describe('a user', () => {
  test('is created, with invalid or taken names refused while typing', async () => {
    const { page } = box;
    await box.open('/users');
    await page.getByRole('button', { name: 'Create user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create user' });
    const name = dialog.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Ållice');
    await dialog.getByText('Only a–z, digits and . _ = - / +').waitFor();
    await name.fill('alice');
    await dialog.getByText('This name is or was taken.').waitFor();
    await name.fill('../../etc');
    await dialog.getByText("“.” and “..” aren't allowed between slashes.").waitFor();
    await name.fill('x'.repeat(300));
    await dialog.getByText('At most 244 characters.').waitFor();
    await name.fill('@grace:localhost');
    await dialog.getByText("Becomes @grace:localhost. This can't be changed.").waitFor();
    await dialog.getByRole('textbox', { name: 'Display name' }).fill('Grace');
    await page.keyboard.press('Enter');
    const password = await dialog.getByLabel('New password').textContent();
    const login = { type: 'm.login.password', identifier: { type: 'm.id.user', user: 'grace' }, password };
    expect(await call(box.homeserver.url, 'POST', `${client}/login`, undefined, login)).toMatchObject({
      status: 200,
    });
    expect(await box.user('@grace:localhost')).toMatchObject({ displayname: 'Grace', admin: false });
    await dialog.getByRole('button', { name: 'Open user' }).click();
    await page.getByRole('heading', { level: 1, name: 'Grace' }).waitFor();
    expect((await box.log()).map(({ action }: { action: string }) => action)).toEqual(['make-user']);
  });

  test('is created with an email and a given password', async () => {
    const { page } = box;
    await box.open('/users?make=true');
    const dialog = page.getByRole('dialog', { name: 'Create user' });
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('hedy');
    await dialog.getByRole('textbox', { name: 'Email' }).fill('hedy');
    await dialog.getByText('Enter a valid email address.').waitFor();
    await dialog.getByRole('textbox', { name: 'Email' }).fill('hedy@example.org');
    await dialog.getByRole('radio', { name: 'Choose password' }).check();
    const make = dialog.getByRole('button', { name: 'Create user' });
    expect(await make.isDisabled()).toBe(true);
    await dialog.getByLabel('User password').fill('frequency hopping');
    await make.click();
    await dialog.getByText('The user signs in with your chosen password.').waitFor();
    expect(await box.user('@hedy:localhost')).toMatchObject({
      threepids: [{ medium: 'email', address: 'hedy@example.org' }],
    });
    const identifier = { type: 'm.id.user', user: 'hedy' };
    const login = { type: 'm.login.password', identifier, password: 'frequency hopping' };
    expect((await call(box.homeserver.url, 'POST', `${client}/login`, undefined, login)).status).toBe(200);
  });

  test("is renamed without reverting a colleague's avatar change, and undo restores the name", async () => {
    await box.open('/users/@bob:localhost');
    const panel = await choose(/^Edit profile/);
    const avatar_url = 'mxc://localhost/by-a-colleague';
    await asAdmin().put(`${admin}/v2/users/@bob:localhost`, { avatar_url });
    const name = panel.getByRole('textbox', { name: 'Display name' });
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
    await name.fill('Bob the second');
    await panel.getByRole('button', { name: 'Edit profile' }).click();
    await said('Profile of @bob:localhost edited');
    await box.page.getByRole('heading', { level: 1, name: 'Bob the second' }).waitFor();
    expect(await box.user('@bob:localhost')).toMatchObject({ displayname: 'Bob the second', avatar_url });
    await box.page.keyboard.press('Shift+U');
    await expect.poll(async () => (await box.user('@bob:localhost')).displayname).toBe('bob');
  });

  test("gets a colleague's change back by undo if it came between a lost reply and the retry", async () => {
    const { page } = box;
    const { userId } = await box.scene();
    const rename = (displayname: string) =>
      asAdmin().put(`${admin}/v2/users/${enc(userId)}`, { displayname });
    await box.open(`/users/${userId}`);
    const lose = async (route: Route) => {
      if (route.request().method() === 'GET') return route.fallback();
      await route.fetch();
      await route.abort('connectionreset');
    };
    await page.route('**/admin/v2/users/**', lose);
    const panel = await choose(/^Edit profile/);
    await panel.getByRole('textbox', { name: 'Display name' }).fill('Another');
    await panel.getByRole('button', { name: 'Edit profile' }).click();
    await panel.getByRole('button', { name: 'Retry', exact: true }).waitFor();
    await page.unroute('**/admin/v2/users/**', lose);
    await rename('By a colleague');
    await panel.getByRole('button', { name: 'Retry', exact: true }).click();
    await said(`Profile of ${userId} edited`);
    await page.keyboard.press('Shift+U');
    await expect.poll(async () => (await box.user(userId)).displayname).toBe('By a colleague');
  });

  test('gets an avatar from a file of a common type, and none from an unsupported address', async () => {
    await box.open('/users/@bob:localhost');
    const panel = await choose(/^Edit profile/);
    await panel.getByRole('textbox', { name: 'Avatar' }).fill('http://evil/x.png');
    await panel.getByRole('button', { name: 'Edit profile' }).click();
    await panel.getByText('Clients only show mxc:// images.').waitFor();
    expect((await box.user('@bob:localhost')).avatar_url).not.toBe('http://evil/x.png');
    const file = panel.getByLabel('Image to upload');
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(svg) });
    await panel
      .getByText('Unsupported image format. Use PNG, JPEG, GIF or WebP.', {
        exact: true,
      })
      .waitFor();
    const buffer = Buffer.from(picture, 'base64');
    const chosen = { name: 'b.png', mimeType: 'image/png', buffer };
    const uploads = async () =>
      (await asAdmin().get(`${admin}/v1/users/${enc('@admin:localhost')}/media`)).body.total;
    await file.setInputFiles(chosen);
    const preview = panel.getByRole('img', { name: 'Avatar' });
    await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    // Cancelling leaves nothing on the server.
    await panel.getByRole('button', { name: 'Cancel' }).click();
    await panel.waitFor({ state: 'detached' });
    expect(await uploads()).toBe(0);
    await choose(/^Edit profile/);
    await file.setInputFiles(chosen);
    await expect.poll(() => panel.getByRole('textbox', { name: 'Avatar' }).inputValue()).toBe('b.png');
    await panel.getByRole('button', { name: 'Edit profile' }).click();
    await said('Profile of @bob:localhost edited');
    const { avatar_url: uri } = await box.user('@bob:localhost');
    const path = uri.replace('mxc://', '/_chat/client/v1/media/download/');
    const download = await fetch(box.homeserver.url + path, {
      headers: { authorization: `Bearer ${box.homeserver.as('bob').accessToken}` },
    });
    expect(download.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await download.arrayBuffer())).toEqual(buffer);
    expect(await uploads()).toBe(1);
  });

  test('gets an email and an external ID, which are removed again', async () => {
    const { page } = box;
    await box.open('/users/@carol:localhost');
    const mail = await choose(/^Add email/);
    const address = mail.getByRole('textbox', { name: 'Address' });
    for (const misspelt of ['not a mail', 'a@b@c', '<script>@x.org', `${'x'.repeat(300)}@example.org`]) {
      await address.fill(misspelt);
      await page.keyboard.press('Control+Enter');
      await mail.getByText('Enter a valid email address, such as name@example.org.').waitFor();
      await expect.poll(() => address.evaluate((field) => field === document.activeElement)).toBe(true);
    }
    await mail.getByRole('combobox', { name: 'Type' }).selectOption('msisdn');
    await mail.getByRole('textbox', { name: 'Phone number' }).fill('call me');
    await mail.getByText('Enter a valid phone number:').waitFor();
    await mail.getByRole('combobox', { name: 'Type' }).selectOption('email');
    await address.fill('Carol@Example.org');
    await page.keyboard.press('Control+Enter');
    const list = page.getByRole('list', { name: 'Linked identities' });
    await list.getByText('carol@example.org').waitFor();
    expect((await box.user('@carol:localhost')).threepids).toHaveLength(1);
    await (await choose(/^Add email/)).getByRole('textbox', { name: 'Address' }).fill('CAROL@example.org');
    await page.keyboard.press('Control+Enter');
    await mail.getByText('Already linked to this account').waitFor();
    await page.keyboard.press('Escape');
    const external = await choose(/^Add external/);
    await external.getByRole('textbox', { name: 'Identity provider' }).fill('oidc-example');
    await external.getByRole('textbox', { name: 'External ID' }).fill('c-1');
    await page.keyboard.press('Control+Enter');
    await list.getByText('c-1').waitFor();
    expect(await box.user('@carol:localhost')).toMatchObject({
      threepids: [{ medium: 'email', address: 'carol@example.org' }],
      external_ids: [{ auth_provider: 'oidc-example', external_id: 'c-1' }],
    });
    await list.getByRole('listitem').filter({ hasText: 'c-1' }).getByRole('button').click();
    await (await box.panel()).getByRole('button', { name: 'Remove identity' }).click();
    await said('oidc-example c-1 removed');
    expect(await box.user('@carol:localhost')).toMatchObject({
      threepids: [{ address: 'carol@example.org' }],
      external_ids: [],
    });
  });

  test("gets a typed password, which isn't stored", async () => {
    const { page } = box;
    const userId = (await box.scene()).userId;
    await box.open(`/users/${userId}`);
    const panel = await choose(/^Reset password/);
    await panel.getByRole('combobox', { name: 'Password' }).selectOption('typed');
    const field = panel.getByRole('textbox', { name: 'New password' });
    await panel.getByRole('button', { name: 'Reset password' }).click();
    await panel.getByText('Required').waitFor();
    await field.fill('correct horse battery');
    await panel.getByRole('button', { name: 'Reset password' }).click();
    await said(`Password of ${userId} reset`);
    const identifier = { type: 'm.id.user', user: userId };
    const login = { type: 'm.login.password', identifier, password: 'correct horse battery' };
    expect((await call(box.homeserver.url, 'POST', `${client}/login`, undefined, login)).status).toBe(200);
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(kept).not.toContain('correct horse battery');
  });

  test('has the rooms they were invited to or banned from where supported', async () => {
    const { page } = box;
    const { userId } = await box.scene();
    await page.route('**/users/*/memberships', (route) =>
      route.fulfill({ json: { memberships: { '!in:localhost': 'join', '!out:localhost': 'ban' } } }),
    );
    await box.open(`/users/${userId}?part=rooms`);
    const rows = page.getByRole('table', { name: 'Rooms' }).locator('[data-row]');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('combobox', { name: 'Membership' }).selectOption('ban');
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByText('Banned').waitFor();
  });

  test('shows since when and by whom they are locked, if logged, until unlocked', async () => {
    const { page } = box;
    const userId = (await box.scene()).userId;
    const state = () => page.getByRole('list', { name: 'Status', exact: true }).getByRole('listitem');
    await box.open(`/users/${userId}`);
    const panel = await choose(/^Lock user/);
    await panel.getByRole('button', { name: 'Lock user' }).click();
    await expect.poll(() => state().allInnerTexts()).toEqual(['Locked since today, by @admin']);
    expect(await state().locator('[title]').getAttribute('title')).toContain(
      String(new Date().getFullYear()),
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => state().count()).toBe(0);
    // Other admins' changes made elsewhere aren't in the log.
    await asAdmin().put(`${admin}/v2/users/${enc(userId)}`, { locked: true });
    await page.reload();
    await expect.poll(() => state().allInnerTexts()).toEqual(['Locked']);
  });

  test('has no rooms soon after a deactivation, although the server takes its time', async () => {
    const { page } = box;
    const { userId } = await box.scene();
    let isDeactivated = false;
    let late = 1;
    await page.route('**/joined_rooms', (route) =>
      !isDeactivated || late-- > 0
        ? route.fulfill({ json: { joined_rooms: ['!slow:localhost'], total: 1 } })
        : route.continue(),
    );
    await box.open(`/users/${userId}`);
    await page.getByText('1 room', { exact: true }).waitFor();
    const panel = await choose(/^Deactivate user/);
    await panel.getByRole('textbox', { name: /^Type .* to confirm/ }).fill(userId);
    await panel.getByRole('button', { name: 'Deactivate user' }).click();
    isDeactivated = true;
    await said(`${userId} deactivated`);
    await page.getByText('No rooms').waitFor({ timeout: 8_000 });
  });

  test('shows how often they were reported and filed reports, with links', async () => {
    const { page } = box;
    const { userId } = await box.scene({ messages: 2 });
    const path = `${client}/users/${enc(userId)}/report`;
    await box.homeserver.as('bob').post(path, { reason: 'Rude everywhere' });
    await box.open(`/users/${userId}`);
    const counts = (name: string) => page.locator('dt', { hasText: name }).locator('+ dd');
    await counts('Event reports').getByRole('button', { name: '2 against user' }).waitFor();
    await counts('User reports').getByRole('button', { name: '0 by user' }).waitFor();
    await counts('Event reports').getByRole('button', { name: '0 by user' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('reporter')).toBe(userId);
    await page.goBack();
    await counts('User reports').getByRole('button', { name: '1 against user' }).click();
    await page.getByRole('option').filter({ hasText: 'Rude everywhere' }).waitFor();
    expect(new URL(page.url()).searchParams.get('about')).toBe(userId);
  });

  test('is logged in as with a token copied once, never shown, and ended', async () => {
    const { page, homeserver } = box;
    const known: string[] = [];
    page.on('request', (request) => known.push(request.url()));
    await box.open('/users/@alice:localhost');
    await page.getByRole('button', { name: 'Log in as user' }).click();
    const dialog = page.getByRole('dialog', { name: /^Log in as user/ });
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText(/^The token expires at/).waitFor();
    await dialog.getByRole('button', { name: 'Copy token' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Copied' }).isDisabled()).toBe(true);
    const token = await page.evaluate(() => navigator.clipboard.readText());
    const whoAmI = () => call(homeserver.url, 'GET', `${client}/account/whoami`, token);
    expect(await whoAmI()).toMatchObject({ status: 200, body: { user_id: '@alice:localhost' } });
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    for (const place of [await page.content(), kept, page.url(), ...known])
      expect(place).not.toContain(token);
    await dialog.getByRole('button', { name: 'Revoke token' }).click();
    await dialog.getByText('Token revoked.').waitFor();
    expect(await whoAmI()).toMatchObject({ status: 401 });
  });

  test('has tabs in the address, switched by keys', async () => {
    const { page } = box;
    await page.route('**/v1/users/*/accountdata', (route) =>
      route.fulfill({ status: 404, json: { errcode: 'M_UNRECOGNIZED', error: 'Unrecognized request' } }),
    );
    await box.asOlderServer();
    await box.open('/users/@alice:localhost?part=rooms', { isProbed: false });
    await page.getByRole('region', { name: 'Rooms' }).or(page.getByText('No rooms')).first().waitFor();
    expect(await tab('Rooms').getAttribute('aria-selected')).toBe('true');
    // Unsupported data has no tab.
    expect(await tab('Account data').count()).toBe(0);
    await page.keyboard.press('.');
    await page.getByText('No media').first().waitFor();
    await expect.poll(() => page.url()).toContain('part=media');
    await page.keyboard.press(',');
    await page.keyboard.press(',');
    await page.getByRole('heading', { name: 'Connections' }).waitFor();
    await page.goBack();
    await expect.poll(() => tab('Rooms').getAttribute('aria-selected')).toBe('true');

    await box.scene();
    await box.open('/users/@alice:localhost?part=rooms');
    await page.getByRole('searchbox', { name: 'Search room IDs' }).fill('no such room');
    await page.getByText('No matches').waitFor();
    await page.reload();
    await page.getByText('No matches').waitFor();
    await tab('Sessions').click();
    await expect.poll(() => page.url()).not.toContain('find=');
  });

  test('if oneself, shows which session is this console and the effect of signing out', async () => {
    const { page } = box;
    const { userId } = asAdmin();
    const { body } = await asAdmin().get(`${client}/account/whoami`);
    for (const deviceId of ['PHONE', 'TABLET']) {
      await openSession(box.homeserver.services, userId, { deviceId });
    }
    const devices = async () =>
      (await asAdmin().get(`${client}/devices`)).body.devices.map(
        (device: { device_id: string }) => device.device_id,
      );
    expect(await devices()).toHaveLength(3);
    await asAdmin().put(`${client}/user/${enc(userId)}/account_data/org.example`, { kept: 'here' });
    await box.open(`/users/${enc(userId)}?part=sessions`, { isProbed: false });
    const own = page.getByRole('row').filter({ hasText: 'This console' });
    expect(await own.innerText()).toContain(body.device_id);
    await own.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Sign out session' }).click();
    const panel = page.getByRole('dialog');
    await panel.getByText('This is your current session.').waitFor();
    await panel.getByRole('textbox', { name: /^This affects your own account\. Type/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Select PHONE' }).check();
    await page.getByRole('checkbox', { name: 'Select TABLET' }).check();
    // Selected sessions take over the shortcuts; the account's actions have none.
    await page.getByRole('button', { name: 'Suspend user', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Suspend user', exact: true }).locator('kbd').count()).toBe(
      0,
    );
    await page.getByRole('button', { name: 'Sign out 3 sessions' }).click();
    await panel.getByText('Your current session is skipped.').waitFor();
    await panel.getByRole('button', { name: 'Sign out 2 sessions' }).click();
    await expect.poll(devices).toEqual([body.device_id]);
    await tab('Account data').click();
    await page.getByText('org.example').first().waitFor();
  });

  test('with more sessions than the server ends at once is signed out of all', async () => {
    const { homeserver } = box;
    const { userId } = await box.scene();
    const devices = Array.from({ length: 1_001 }, (_, index) => ({
      user_id: userId,
      device_id: `D${index}`,
    }));
    await homeserver.services.db.insertInto('devices').values(devices).execute();
    const request: ConsoleHost['request'] = (_, { method, path, body }) =>
      call(homeserver.url, method, path, asAdmin().accessToken, body);
    const connection: Connection = {
      ...{ id: 'a', baseUrl: homeserver.url, dialect: 'matrix', userId: asAdmin().userId, local: false },
    };
    const server = connectedServers({ request } as ConsoleHost, reachabilityStore(), {} as DeviceStorage).of(
      connection,
    );
    expect(await endSessions(server, userId)).toBe(1_002);
    const left = await asAdmin().get(`${admin}/v2/users/${enc(userId)}/devices`);
    expect(left.body).toEqual({ devices: [], total: 0 });
  });

  test('has sessions and connections in the order in the address', async () => {
    const { page } = box;
    const userId = '@alice:localhost';
    await page.route('**/v2/users/*/devices', (route) =>
      route.fulfill({
        json: { devices: ['B', 'A'].map((id) => ({ device_id: id, display_name: id })), total: 2 },
      }),
    );
    const connections = ['Two', 'One'].map((app, at) => ({
      ip: `10.0.0.${at}`,
      user_agent: app,
      last_seen: at,
    }));
    await page.route('**/v1/whois/*', (route) =>
      route.fulfill({ json: { user_id: userId, devices: { '': { sessions: [{ connections }] } } } }),
    );
    await box.open(`/users/${enc(userId)}?part=sessions`);
    const header = (table: string, name: string) =>
      page.getByRole('table', { name: table }).getByRole('columnheader', { name });
    await header('Sessions', 'Name').getByRole('button').first().click();
    await expect.poll(() => header('Sessions', 'Name').getAttribute('aria-sort')).toBe('ascending');
    await header('Connections', 'User agent').getByRole('button').first().click();
    await header('Connections', 'User agent').getByRole('button').first().click();
    await page.reload();
    await expect.poll(() => header('Sessions', 'Name').getAttribute('aria-sort')).toBe('ascending');
    await expect.poll(() => header('Connections', 'User agent').getAttribute('aria-sort')).toBe('descending');
  });
});

test('users and rooms are found by pasted IDs, and skipped ones are reported', async () => {
  const { page } = box;
  const { userId, roomId, name } = await box.scene();
  const alias = `#found-${roomId.slice(1, 5).toLowerCase()}:localhost`;
  await box.homeserver.as('alice').put(`${client}/directory/room/${enc(alias)}`, { room_id: roomId });
  await box.open('/rooms');
  const search = page.getByRole('searchbox');
  await search.fill(alias);
  await page.getByText('1 room', { exact: true }).waitFor();
  await page.getByRole('link', { name }).waitFor();

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('textbox', { name: 'Search screens and actions' });
  await palette.fill(alias);
  await page.getByRole('button', { name }).waitFor();
  await palette.fill(userId);
  await page.getByRole('button', { name: userId }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: userId.slice(1, 8) }).waitFor();

  await (await choose(/^Suspend user/)).getByRole('button', { name: 'Suspend user' }).click();
  await said(`${userId} suspended`);
  await box.open('/users');
  await search.fill(userId.slice(1));
  const row = page.getByRole('row').filter({ hasText: userId });
  await page.getByText('1 user', { exact: true }).waitFor();
  await row.getByText('Suspended').waitFor();
  await asAdmin().post(`${admin}/v1/deactivate/${enc(userId)}`, { erase: false });
  await page.reload();
  await page.getByText('No matching users').waitFor();
  await page.getByRole('button', { name: 'Show 1 deactivated or locked' }).click();
  await row.getByText('Deactivated').waitFor();
});

test('a pasted link finds its user or room', async () => {
  const { page } = box;
  const { userId, roomId, name } = await box.scene();
  const search = page.getByRole('searchbox');
  await box.open('/users');
  await search.fill(`https://matrix.to/#/${enc(userId)}?via=localhost`);
  await page.getByText('1 user', { exact: true }).waitFor();
  await page.getByRole('row').filter({ hasText: userId }).waitFor();
  expect(await search.inputValue()).toBe(userId);
  await box.open('/rooms');
  await search.fill(`https://matrix.to/#/${roomId}/$an-event?via=localhost`);
  await page.getByRole('link', { name }).waitFor();
  await page.getByText('1 room', { exact: true }).waitFor();

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('textbox', { name: 'Search screens and actions' });
  await palette.fill(`matrix:roomid/${roomId.slice(1)}`);
  await page.getByRole('button', { name }).waitFor();
  await palette.fill(`https://matrix.to/#/${userId}`);
  await page.getByRole('button', { name: 'Reports against this user' }).click();
  await page.waitForURL((url) => url.searchParams.get('sender') === userId);
});

test('reports are filtered by a link to their sender or a room address, even if none is loaded', async () => {
  const { page } = box;
  const { userId, roomId } = await box.scene();
  const alias = `#filter-${roomId.slice(1, 5).toLowerCase()}:localhost`;
  await box.homeserver.as('alice').put(`${client}/directory/room/${enc(alias)}`, { room_id: roomId });
  await box.open('/reports');
  const filter = page.getByRole('combobox', { name: 'Filter reports' });
  await filter.fill(`https://matrix.to/#/${userId}`);
  const offered = page.getByRole('listbox', { name: 'Filters' });
  await offered.getByRole('group', { name: 'Sender' }).getByRole('option', { name: userId }).click();
  await page.waitForURL((url) => url.searchParams.get('sender') === userId);
  await box.open('/reports');
  await filter.fill(alias);
  await offered.getByRole('option', { name: alias }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('room') === roomId);
});

test('late data on a user’s page moves no button', async () => {
  const { page } = box;
  const { userId } = await box.scene();
  const released = Promise.withResolvers<void>();
  await page.route(/_synapse\/admin\/(?!v2\/users\/[^/?]+$|v1\/server_version)/, async (route) => {
    await released.promise;
    await route.fallback();
  });
  await box.open(`/users/${userId}`, { isProbed: false });
  const button = page.getByRole('button', { name: 'Find look-alikes' });
  await button.waitFor();
  const rooms = page.getByText('Loading rooms…').or(page.getByText('1 room', { exact: true }));
  await rooms.waitFor();
  await page.evaluate(async () => void (await document.fonts.ready));
  const places = async () => [await button.boundingBox(), (await rooms.boundingBox())?.y];
  const before = await places();
  released.resolve();
  await page.getByRole('button', { name: 'Log in as user', disabled: false }).waitFor();
  await page.getByText('0 by user').last().waitFor();
  expect(await places()).toEqual(before);
});

test('in German one skipped user is singular', async () => {
  const { page } = box;
  const { userId } = await box.scene();
  await asAdmin().post(`${admin}/v1/deactivate/${enc(userId)}`, { erase: false });
  await page.addInitScript(() => localStorage.setItem('gatehouse.language', '"de"'));
  await box.open(`/users?search=${userId.slice(1)}`);
  await page.getByRole('button', { name: '1 deaktivierten oder gesperrten anzeigen' }).click();
  await page.getByText('1 Nutzer', { exact: true }).waitFor();
});

describe('a room', () => {
  const openRoom = (roomId: string, rest = '', how?: { isProbed: boolean }) =>
    box.open(`/rooms/${enc(roomId)}${rest}`, how);

  test('has members that can be searched, with power levels, and kicked', async () => {
    const { page } = box;
    const scene = await box.scene();
    await openRoom(scene.roomId, '?part=members');
    const members = page.getByRole('table', { name: 'Members' });
    await members.getByRole('row').filter({ hasText: '@alice:localhost' }).getByText('100').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('mallory');
    await page.getByText('1 of 3').waitFor();
    await expect.poll(() => page.url()).toContain('find=mallory');
    await members.getByRole('row').filter({ hasText: 'mallory' }).getByRole('checkbox').click();
    const selection = page.getByRole('region', { name: 'Selection' });
    await selection.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: /^Take down user/ }).waitFor();
    await page.getByRole('menuitem', { name: /^Kick from room/ }).click();
    const panel = await box.panel();
    await panel.getByText('You lack the required power level').waitFor();
    await box.takePower();
    await panel.getByRole('button', { name: 'Kick from room' }).click();
    await said(`Kicked ${scene.userId}`);
    const joined = await asAdmin().get(`${admin}/v1/rooms/${enc(scene.roomId)}/members`);
    expect(joined.body.members).not.toContain(scene.userId);
  });

  test('has state that can be browsed by keys, hostile or not', async () => {
    const { page } = box;
    const scene = await box.scene();
    const type = 'org.example.<img src=x onerror=alert(1)>';
    const state = `${scene.room}/state/${enc(type)}/${enc('a\u202Eb')}`;
    const sent = await box.homeserver.as('alice').put(state, { html: '<script>alert(1)</script>' });
    expect(sent.status).toBe(200);
    await openRoom(scene.roomId, '?part=state');
    const tree = page.getByRole('tree', { name: 'State' });
    await tree.getByRole('treeitem', { name: 'm.room.create' }).waitFor();
    await tree.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    const first = tree.getByRole('treeitem', { selected: true });
    await page.keyboard.press('ArrowRight');
    expect(await first.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('/');
    await page.keyboard.type('onerror');
    await expect.poll(() => tree.getByRole('treeitem').count()).toBe(2);
    await tree.getByRole('treeitem').nth(1).click();
    const event = page.getByRole('region', { name: 'Event' });
    await event.getByRole('tree').getByText('<script>alert(1)</script>').waitFor();
    await expect.poll(() => page.url()).toContain('event=');
    await page.reload();
    await event.getByRole('tree').getByText('<script>alert(1)</script>').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });

  test('is purged after typing the beginning of its ID if it has no name or address', async () => {
    const { body } = await asAdmin().post(`${client}/createRoom`, {});
    const beginning = body.room_id.slice(1, 7);
    await openRoom(body.room_id);
    const panel = await choose(/^Delete room/);
    const field = panel.getByLabel(`Type ${beginning} (the start of ${body.room_id}) to confirm`);
    await field.fill('another');
    await field.press('Control+Enter');
    await panel.getByText("Doesn't match yet").waitFor();
    // The confirmation ignores case.
    await field.fill(beginning.toLowerCase());
    await panel.getByRole('button', { name: 'Delete room' }).press('Enter');
    // The page shows no stale data of a deleted room.
    const { page } = box;
    await page.getByRole('heading', { level: 2, name: 'Room deleted' }).waitFor();
    await page.getByText('Deleted by @').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('tab').count()).toBe(0);
  });

  test('is read from its end to its beginning, and from a date', async () => {
    const { page } = box;
    const scene = await box.scene({ messages: 1 });
    for (let index = 0; index < 70; index++) {
      const content = { msgtype: 'm.text', body: `Line ${index}.` };
      await scene.asUser('PUT', `${scene.room}/send/m.room.message/line${index}`, content);
    }
    const pages: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/messages?')) pages.push(request.url());
    });
    await openRoom(scene.roomId, '?part=messages');
    const messages = page.getByRole('region', { name: 'Messages' });
    await messages.getByText('Line 69.').waitFor();
    await page.waitForLoadState('networkidle');
    expect(pages).toHaveLength(1);
    expect(await messages.getByText('Line 10.').count()).toBe(0);
    await expect
      .poll(async () => {
        await messages.press('PageUp');
        return messages.getByText('Created the room').count();
      })
      .toBe(1);
    // Only visible messages are rendered, no matter how many are loaded.
    expect(await messages.getByRole('listitem').count()).toBeLessThan(80);
    await page.keyboard.press('g');
    await page.getByLabel('Jump to date').first().fill('2020-01-01T00:00');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('event=');
    await messages.locator('[aria-current]').getByText('Created the room').waitFor();
    await page.getByRole('button', { name: 'Jump to latest messages' }).click();
    await messages.getByText('Line 69.').waitFor();
  });

  test('that is a team room shows its entries as text', async () => {
    const { page } = box;
    const scene = await box.scene({ messages: 1 });
    const subject = { kind: 'user', user_id: '@bob:localhost' };
    const sent: [type: string, content: object][] = [
      ['mark', { reports: [12, 15], state: 'reviewed' }],
      ['mark', { user_reports: [3], state: 'escalated' }],
      ['note', { subject, text: 'Was warned' }],
      ['action', { action: 'suspend-user', subject, reports: [], outcome: 'failed', reason: 'A raid' }],
      // Names are rendered as text.
      ['action', { action: '<b>Pardon</b>', subject, reports: [], outcome: 'done' }],
      ['looking', { report: 12 }],
      ['mark', { reports: 'all' }],
    ];
    for (const [index, [type, content]] of sent.entries()) {
      await scene.asUser('PUT', `${scene.room}/send/io.gatehouse.team.${type}/team${index}`, content);
    }
    await openRoom(scene.roomId, '?part=messages');
    const messages = page.getByRole('region', { name: 'Messages' });
    await messages.getByText('Resolved: reports 12, 15').waitFor();
    await messages.getByText('Escalated: user report 3').waitFor();
    await messages.getByText('Note on @bob:localhost: Was warned').waitFor();
    await messages.getByText('“Suspend user” failed: @bob:localhost · A raid').waitFor();
    await messages.getByText('“<b>Pardon</b>” done: @bob:localhost').waitFor();
    await messages.getByText('Viewing report 12').waitFor();
    // Events of an unexpected shape are ignored.
    expect(await messages.getByText('No view for').count()).toBe(1);
  });

  test('updates the preview of a history purge, and disables one without messages', async () => {
    await openRoom((await box.scene({ messages: 4 })).roomId);
    const panel = await choose(/^Purge history/);
    await panel.getByText('Choose a date').waitFor();
    const go = panel.getByRole('button', { name: 'Purge history' });
    await panel.getByLabel('Events before').fill('2001-01-01T00:00');
    await panel.getByText('No messages before this date. Choose a later one.').waitFor();
    expect(await go.isDisabled()).toBe(true);
    const colour = () => go.evaluate((button) => getComputedStyle(button).backgroundColor);
    const idle = await colour();
    await panel.getByLabel('Events before').fill('2100-01-01T00:00');
    // Hiding local users' messages from everyone is also an effect.
    await panel
      .getByText('Permanently hides at most 4 local messages or reactions but keeps them in the database.')
      .waitFor();
    expect(await panel.innerText()).not.toMatch(/\bdelete[sd]?\b/i);
    expect(await colour()).not.toBe(idle);
    await panel.getByRole('checkbox', { name: /^Include local users' messages/ }).check();
    await panel.getByText('Deletes at most 4 messages or reactions.').waitFor();
    expect(await go.isDisabled()).toBe(false);
  });

  test("with a history purge scheduled isn't purged twice, and links to the task", async () => {
    const { page } = box;
    const { roomId } = await box.scene();
    const planned = {
      id: 'planned',
      action: 'purge_history',
      resource_id: roomId,
      status: 'scheduled',
      timestamp_ms: Date.UTC(2100, 0, 1, 12),
    };
    await page.route('**/admin/v1/scheduled_tasks?**', (route) =>
      route.fulfill({ json: { scheduled_tasks: [planned] } }),
    );
    await openRoom(roomId);
    const panel = await choose(/^Purge history/);
    await panel.getByText(/A purge of this room is scheduled for .*2100/).waitFor();
    expect(await panel.getByRole('button', { name: 'Purge history' }).isDisabled()).toBe(true);
    await panel.getByRole('link', { name: 'View task' }).click();
    await page.getByRole('button', { name: 'Details: purge_history' }).waitFor();
    expect(new URL(page.url()).searchParams.get('resource')).toBe(roomId);
  });

  test('that is blocked shows that in its heading until it is unblocked', async () => {
    const { page } = box;
    const { roomId, name } = await box.scene();
    await openRoom(roomId);
    const states = page.getByRole('list', { name: 'Status', exact: true });
    await choose(/^Block room/);
    await page.keyboard.press('Enter');
    await said(`${name} blocked`);
    await states.getByText('Blocked', { exact: true }).waitFor();
    await page.keyboard.press('Shift+U');
    await said(`${name} unblocked`);
    await expect.poll(() => states.getByText('Blocked', { exact: true }).count()).toBe(0);
  });

  test("gets another address, which isn't added twice and is removed", async () => {
    const { page } = box;
    const scene = await box.scene();
    await openRoom(scene.roomId);
    const name = scene.name.replaceAll(' ', '').toLowerCase();
    const alias = `#${name}:localhost`;
    const panel = await choose(/^Add alias/);
    const address = panel.getByRole('textbox', { name: 'Alias' });
    await address.fill(`#${name}:elsewhere.example`);
    await page.keyboard.press('Control+Enter');
    await panel.getByText('Only local aliases can be added.').waitFor();
    // The alias localpart is enough.
    await address.fill(name);
    await page.keyboard.press('Control+Enter');
    const addresses = page.getByRole('list', { name: 'Aliases' });
    await addresses.getByText(alias).waitFor();
    // The panel shows the server's error message. A rejected action isn't in the history.
    await (await choose(/^Add alias/)).getByRole('textbox', { name: 'Alias' }).fill(name);
    await page.keyboard.press('Control+Enter');
    await panel.getByText(/^Request rejected: .*already/).waitFor();
    expect(await panel.getByRole('button', { name: 'Retry' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await box.tray().count()).toBe(0);
    expect((await box.log()).map(({ outcome }: { outcome: string }) => outcome)).not.toContain('failed');
    await addresses.getByRole('button').click();
    await (await box.panel()).getByRole('button', { name: 'Remove alias' }).click();
    await said(`${alias} removed`);
    expect((await asAdmin().get(`${client}/directory/room/${enc(alias)}`)).status).toBe(404);
  });

  test('shows how often it and its messages were reported, with links', async () => {
    const { page } = box;
    const { roomId } = await box.scene({ messages: 3 });
    await page.route('**/admin/v1/room_reports**', (route) => {
      const isOfRoom = new URL(route.request().url()).searchParams.get('room_id') === roomId;
      return route.fulfill({ json: { room_reports: [], total: isOfRoom ? 2 : 7 } });
    });
    await openRoom(roomId, '', { isProbed: false });
    await page.getByRole('button', { name: '2 on room' }).waitFor();
    await page.getByRole('button', { name: '3 from room' }).click();
    await expect.poll(() => page.getByRole('option').count()).toBe(3);
    expect(new URL(page.url()).searchParams.get('room')).toBe(roomId);
  });

  test("that the server doesn't know can be blocked and unblocked", async () => {
    const { page } = box;
    const roomId = '!never-here:evil.example';
    const isBlocked = async () => (await asAdmin().get(`${admin}/v1/rooms/${enc(roomId)}/block`)).body;
    await box.open(`/rooms/${encodeURIComponent(roomId)}`);
    await page.getByRole('heading', { level: 2, name: 'Unknown room' }).waitFor();
    await page.getByRole('button', { name: 'Block room' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Block room' }).click();
    await expect.poll(isBlocked).toMatchObject({ block: true });
    await page.getByText("Blocked: local users can't join.").waitFor();
    await page.getByRole('button', { name: 'Unblock room' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unblock room' }).click();
    await expect.poll(isBlocked).toMatchObject({ block: false });
  });

  test('that a colleague purges disappears from its page', async () => {
    const { page } = box;
    const { roomId, name } = await box.scene();
    await page.clock.install();
    await openRoom(roomId);
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await asAdmin().delete(`${admin}/v2/rooms/${enc(roomId)}`, { purge: true });
    await expect.poll(async () => (await asAdmin().get(`${admin}/v1/rooms/${enc(roomId)}`)).status).toBe(404);
    await timePasses(page, 16_000);
    await page.getByRole('heading', { level: 2, name: 'Unknown room' }).waitFor();
  });

  test('has its forward extremities loaded by a click and deleted after a confirmation', async () => {
    const { page } = box;
    const [first, second] = [await box.scene(), await box.scene()];
    const asked: string[] = [];
    let count = 12;
    await page.route('**/forward_extremities', (route) => {
      const { method, url } = { method: route.request().method(), url: route.request().url() };
      asked.push(`${method} ${decodeURIComponent(url)}`);
      if (method === 'DELETE') {
        const deleted = count - 1;
        count = 1;
        return route.fulfill({ json: { deleted } });
      }
      const results = Array.from({ length: count }, (_, depth) => ({ event_id: `$event${depth}`, depth }));
      return route.fulfill({ json: { count, results } });
    });
    const about = (roomId: string) => asked.filter((request) => request.includes(roomId));
    const go = async ({ roomId, name }: { roomId: string; name: string }) => {
      await page.evaluate((path) => history.pushState(null, '', path), `/console/rooms/${enc(roomId)}`);
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    };
    await box.asOlderServer();
    await openRoom(second.roomId, '', { isProbed: false });
    const ask = page.getByRole('button', { name: 'Load forward extremities' });
    await ask.waitFor();
    await go(first);
    expect(about(first.roomId)).toEqual([]);
    await ask.press('Enter');
    await page.getByText('$event11').waitFor();
    const told = page.getByRole('button', { name: '12 forward extremities' });
    expect(await told.evaluate((button) => button === document.activeElement)).toBe(true);
    await told.press('Enter');
    await page.getByText('$event11').waitFor({ state: 'detached' });
    // On a slow computer, the panel is still open when its own action arrives in the log.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 15 });
    const panel = await choose(/^Delete forward extremities/);
    await panel.getByRole('button', { name: 'Delete forward extremities' }).click();
    await page.getByRole('button', { name: '1 forward extremity' }).waitFor();
    await devtools.detach();
    expect(about(first.roomId).map((request) => request.split(' ')[0])).toEqual(['GET', 'DELETE', 'GET']);
    // Another room needs its own request.
    await go(second);
    await ask.waitFor();
    expect(about(second.roomId)).toEqual([]);
  });

  test('is shown among its parent spaces and child rooms, including cycles', async () => {
    const { page } = box;
    const alice = box.homeserver.as('alice');
    const scene = await box.scene();
    const made = await alice.post(`${client}/createRoom`, {
      name: 'The space',
      creation_content: { type: 'm.space' },
    });
    const spaceId: string = made.body.room_id;
    const via = { via: ['localhost'] };
    const link = (room: string, type: string, to: string) =>
      alice.put(`${client}/rooms/${enc(room)}/state/${type}/${enc(to)}`, via);
    await link(spaceId, 'm.space.child', scene.roomId);
    await link(spaceId, 'm.space.child', spaceId);
    await link(scene.roomId, 'm.space.parent', spaceId);
    await openRoom(spaceId, '?part=spaces');
    const held = page.getByRole('list', { name: 'Child rooms' });
    await held.getByRole('button', { name: new RegExp(`${scene.name}`) }).waitFor();
    await held.getByText('circular').waitFor();
    await openRoom(scene.roomId, '?part=spaces');
    const above = page.getByRole('list', { name: 'Parent spaces' });
    await above.getByText('confirmed by the space').waitFor();
  });

  test("lists its rooms in the space's order, and doesn't mistake a failure for a remote room", async () => {
    const { page } = box;
    const alice = box.homeserver.as('alice');
    const make = async (name: string, creation_content = {}): Promise<string> =>
      (await alice.post(`${client}/createRoom`, { name, creation_content })).body.room_id;
    const spaceId = await make('The ordered space', { type: 'm.space' });
    const [plain, last, first] = [await make('Plain'), await make('Last'), await make('First')];
    for (const [room, order] of [
      [plain, undefined],
      [last, 'b'],
      [first, 'a'],
      ['!far:elsewhere.example', 'c'],
    ] as const) {
      const content = { via: ['localhost'], order };
      await alice.put(`${client}/rooms/${enc(spaceId)}/state/m.space.child/${enc(room)}`, content);
    }
    await page.route(`**/v1/rooms/${enc(first)}`, (route) =>
      route.fulfill({ status: 502, body: '<h1>Bad</h1>' }),
    );
    await openRoom(spaceId, '?part=spaces');
    const held = page.getByRole('list', { name: 'Child rooms' }).getByRole('listitem');
    await held.nth(0).getByText('Unknown').waitFor();
    await held.nth(1).getByText('Last').waitFor();
    await held.nth(2).getByText('not joined by this server').waitFor();
    await held.nth(3).getByText('Plain').waitFor();
  });
});
