/** Media: actions on the screens and their effect on the built-in homeserver. */
import { Resvg } from '@resvg/resvg-js';
import { expect, test } from 'vitest';
import { call } from '../server/homeserver.ts';
import { idOf } from '../server/media/uploads.ts';
import { consoleOnHomeserver } from './console-on-homeserver.ts';

const console = consoleOnHomeserver();

const admin = () => console.homeserver.as('admin');
const statistics = '/v1/statistics/users/media';
const asked = (part: string) => console.requests.filter(({ path }) => path.includes(part));
const mediaOf = async (person: string) =>
  (await admin().get(`/_service/admin/v1/users/@${person}:localhost/media?limit=1000`)).body.media as {
    media_id: string;
    quarantined_by: string | null;
    safe_from_quarantine: boolean;
  }[];

/** Creates a user who can send requests and upload. */
async function someone(name: string) {
  const { url } = console.homeserver;
  await admin().put(`/_service/admin/v2/users/@${name}:localhost`, { password: 'a long password' });
  const credentials = { type: 'm.login.password', user: name, password: 'a long password' };
  const { body: session } = await call(url, 'POST', '/_chat/client/v3/login', undefined, credentials);
  const token: string = session.access_token;
  return {
    ask: (method: string, path: string, body?: unknown) => call(url, method, `/_chat${path}`, token, body),
    /** @returns the media ID */
    async upload(content: Uint8Array<ArrayBuffer>, type: string, fileName: string): Promise<string> {
      const path = `/_chat/media/v3/upload?filename=${encodeURIComponent(fileName)}`;
      const headers = { authorization: `Bearer ${token}`, 'content-type': type };
      const reply = await fetch(url + path, { method: 'POST', headers, body: content });
      return idOf((await reply.json()).content_uri);
    },
  };
}

/** Uploads files of the given sizes as a new user. Returns their IDs. */
async function uploads(name: string, sizes: readonly number[]) {
  const person = await someone(name);
  const ids: string[] = [];
  for (const [index, size] of sizes.entries()) {
    const content = new Uint8Array(size).fill(index + 1);
    content.set(new TextEncoder().encode(name).subarray(0, size));
    ids.push(await person.upload(content, 'application/pdf', `${name}-${index}.pdf`));
  }
  return { ids, person };
}

const table = (name: string | RegExp) => console.page.getByRole('table', { name });
const names = () =>
  table(/^Media of/)
    .locator('[data-row] a')
    .allInnerTexts();
const panel = (name: string | RegExp) => console.page.getByRole('dialog', { name });

test('actions on all media of a user fit in one line in a narrow window', async () => {
  const { page } = console;
  await page.setViewportSize({ width: 720, height: 800 });
  await uploads('narrow', [10]);
  await console.open('/media/users/@narrow:localhost');
  await table(/^Media of/).waitFor();
  const buttons = page.getByRole('button', { name: /all media( from quarantine)?$/ });
  await buttons.first().waitFor();
  expect(await buttons.count()).toBe(3);
  const tops = await buttons.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  expect(tops).toEqual([tops[0], tops[0], tops[0]]);
});

test("a room's media opens by address, and an invalid address shows an error", async () => {
  const { page } = console;
  const made = await console.homeserver
    .as('alice')
    .post('/_chat/client/v3/createRoom', { name: 'Gallery', room_alias_name: 'gallery' });
  await console.open('/media');
  const field = page.getByRole('textbox', { name: 'User, room or file' });
  await field.fill('#nowhere:localhost');
  await field.press('Enter');
  await page.getByText('Room alias not found').waitFor();
  await field.fill('#gallery:localhost');
  expect(await page.getByText('Room alias not found').count()).toBe(0);
  await field.press('Enter');
  await expect.poll(() => decodeURIComponent(page.url())).toContain(`/media/rooms/${made.body.room_id}`);
  await page.getByRole('heading', { level: 1, name: 'Media in Gallery' }).waitFor();
  await page.getByRole('button', { name: 'Room: Gallery' }).waitFor();
});

test("while the server fails, a room's address shows why it doesn't open", async () => {
  const { page } = console;
  await page.route('**/directory/room/**', (route) =>
    route.fulfill({ status: 500, json: { errcode: 'M_UNKNOWN', error: 'The disk is on fire' } }),
  );
  await console.open('/media');
  const field = page.getByRole('textbox', { name: 'User, room or file' });
  await field.fill('#gallery:localhost');
  await field.press('Enter');
  await page.getByText(/The disk is on fire/).waitFor();
});

test('totals are at the top and link to their details', async () => {
  await uploads('plotted', [70_000, 20_000]);
  await uploads('small', [1_000]);
  const { page } = console;
  await console.open('/media');
  const row = table('Media by user').getByRole('row').filter({ hasText: '@plotted:localhost' });
  await row.getByRole('link', { name: '90 kB' }).waitFor();
  const { users } = (await admin().get(`/_service/admin${statistics}`)).body;
  const totals = page.locator('dl[aria-label="Totals of local media"]');
  const files = users.reduce((sum: number, user: { media_count: number }) => sum + user.media_count, 0);
  await totals.getByText(String(files), { exact: true }).waitFor();
  await row.getByRole('link', { name: '90 kB' }).click();
  await expect.poll(names).toEqual(['plotted-0.pdf', 'plotted-1.pdf']);
  await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').click();
  await expect.poll(names).toEqual(['plotted-1.pdf', 'plotted-0.pdf']);
  await expect.poll(() => page.url()).toMatch(/order=media_length&dir=f/);
  // The server sorted the list.
  expect(asked('order_by=media_length&dir=f')).toHaveLength(1);
  expect(console.problems).toEqual([]);
});

test('uploaders with only reserved media IDs are listed with zero bytes', async () => {
  const { page } = console;
  const users = [
    { user_id: '@full:localhost', displayname: 'Full', media_count: 1, media_length: 3_000 },
    { user_id: '@empty:localhost', displayname: null, media_count: 2, media_length: null },
  ];
  await page.route('**/statistics/users/media?**', (route) => route.fulfill({ json: { users, total: 2 } }));
  await console.open('/media');
  const row = table('Media by user').getByRole('row').filter({ hasText: '@empty:localhost' });
  await row.getByText('0 B').first().waitFor();
});

test('an expensive count runs only after a click', async () => {
  const { page } = console;
  await page.route('**/federation/v1/version', (route) =>
    route.fulfill({ json: { server: { name: 'Synapse', version: '1.160.0' } } }),
  );
  // Small servers are counted without a click.
  await page.route('**/v2/users?**', (route) => route.fulfill({ json: { users: [], total: 60_000 } }));
  await console.open('/media');
  await page.getByRole('button', { name: 'Count media' }).waitFor();
  expect(asked(statistics)).toEqual([]);
  await page.getByRole('button', { name: 'Count media' }).click();
  await page.getByText(/^[\d,]+ uploaders?$/).waitFor();
  expect(asked(statistics)).toHaveLength(1);
});

test('uploader totals of an unresponsive server are retried', async () => {
  const { page } = console;
  let failing = true;
  await page.route('**/federation/v1/version', (route) =>
    failing
      ? route.fulfill({ status: 500, json: { errcode: 'M_UNKNOWN', error: 'Out of memory' } })
      : route.continue(),
  );
  await console.open('/media');
  await page.getByText('Out of memory').waitFor();
  // Content without counts is already available.
  await page.getByRole('link', { name: 'Clean up' }).waitFor();
  failing = false;
  const heading = page.getByRole('heading', { level: 2, name: 'Media by user' });
  // An automatic retry may come before the click.
  await Promise.any([page.getByRole('button', { name: 'Retry', exact: true }).click(), heading.waitFor()]);
  await heading.waitFor();
});

test('filtered media is selected with one button, quarantined together, and updated', async () => {
  await uploads('filtered', [5_000, 200_000, 300_000]);
  const { page } = console;
  await console.open('/media/users/@filtered:localhost?larger=100000');
  await page.getByText('2 files', { exact: true }).waitFor();
  await page.getByRole('checkbox', { name: 'Select all matches' }).click();
  await page.getByRole('button', { name: 'Quarantine 2 media' }).click();
  await panel(/Quarantine/)
    .getByRole('button', { name: 'Quarantine 2 media' })
    .click();
  await expect
    .poll(async () => (await mediaOf('filtered')).filter((each) => each.quarantined_by !== null).length)
    .toBe(2);
  await expect
    .poll(() =>
      table(/^Media of/)
        .getByTitle('Quarantined by @admin:localhost')
        .count(),
    )
    .toBe(2);
  await page.getByRole('combobox', { name: 'Size' }).selectOption('');
  await page.getByText('3 files', { exact: true }).waitFor();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('protected');
  await page.getByRole('heading', { name: 'No matching media' }).waitFor();
  await expect.poll(() => page.url()).toContain('state=protected');

  // A window of 1280 × 800 at 200%: keyboard navigation stays on visible rows.
  await page.setViewportSize({ width: 640, height: 400 });
  await console.open('/users/@filtered:localhost?part=media');
  await page.getByText('3 files', { exact: true }).waitFor();
  for (let pressed = 0; pressed < 3; pressed++) await page.keyboard.press('j');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getBoundingClientRect().bottom))
    .toBeLessThanOrEqual(400);

  // Keys apply to the selected media, not to its user.
  await page.keyboard.press('x');
  const selection = page.getByRole('region', { name: 'Selection' });
  await selection.getByRole('button', { name: 'Quarantine media' }).waitFor();
  await page.keyboard.press('q');
  await panel('Quarantine media').waitFor();
  await page.keyboard.press('Escape');
  await panel('Quarantine media').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await selection.waitFor({ state: 'detached' });
});

test("a file's page shows its facts, and keys quarantine and protect it and undo both", async () => {
  const person = await someone('hostile');
  const bytes = new Uint8Array(1234);
  bytes.set(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  const id = await person.upload(bytes, 'image/png', 'photo\u202Egnp.exe');
  const { page } = console;
  const state = async () => (await mediaOf('hostile'))[0];
  await console.open(`/media/uploads/localhost/${id}`);
  await page.getByRole('heading', { name: /^photo.RLO.gnp\.exe|photoRLOgnp\.exe/ }).waitFor();
  await page.getByText('1 kB (1,234 bytes)').waitFor();
  // Nothing is downloaded without a request by the user.
  expect(asked('/media/download/')).toEqual([]);
  await page.getByRole('button', { name: 'Quarantine media' }).waitFor();

  const bar = page.getByRole('toolbar', { name: 'Actions' });
  const act = async (key: string, action: string, shows: string) => {
    await page.keyboard.press(key);
    await panel(action).getByRole('textbox', { name: 'Reason' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(shows, { exact: true }).first().waitFor();
  };
  await act('q', 'Quarantine media', 'Quarantined by @admin:localhost');
  expect(await state()).toMatchObject({ quarantined_by: '@admin:localhost' });
  // Admins can view quarantined media, but only on click.
  const quarantineNote = page.getByText('Visible to admins only, on click.');
  await quarantineNote.waitFor();
  expect(asked('/media/download/')).toEqual([]);
  await page.getByRole('button', { name: /^Show image/ }).click();
  await page.getByRole('button', { name: /^Hide image/ }).waitFor();
  await bar.getByRole('button', { name: 'Remove from quarantine' }).waitFor();
  await act('q', 'Remove from quarantine', 'Click to show · 1 kB');
  await quarantineNote.waitFor({ state: 'detached' });
  await bar.getByRole('button', { name: 'Protect media' }).waitFor();
  await act('p', 'Protect media', 'Protected');
  expect(await state()).toMatchObject({ quarantined_by: null, safe_from_quarantine: true });
  await bar.getByRole('button', { name: 'Unprotect media' }).waitFor();
  // Actions without effect aren't offered.
  expect(await bar.getByRole('button', { name: 'Quarantine media' }).count()).toBe(0);
});

test('a very long file name is folded on its page', async () => {
  const { page } = console;
  const name = `${'endless-'.repeat(1_000)}.png`;
  const id = await (await someone('endless')).upload(new Uint8Array(10), 'image/png', 'short.png');
  // Simulates a server without a limit on names.
  await page.route('**/_service/admin/v1/media/**', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('short.png', name) });
  });
  await console.open(`/media/uploads/localhost/${id}`);
  await page.getByRole('button', { name: 'Show all (8 kB)' }).waitFor();
  expect((await page.getByText('SHA-256').boundingBox())?.y).toBeLessThan(1_300);
  await page.getByRole('button', { name: 'Show all (8 kB)' }).click();
  await page.getByText(name, { exact: true }).last().waitFor();
});

test('a download address opens its file', async () => {
  const { ids } = await uploads('linked', [900]);
  const { page } = console;
  await console.open('/media');
  const field = page.getByRole('textbox', { name: 'User, room or file' });
  for (const path of [
    `${console.homeserver.url}/_matrix/media/v3/download/localhost/${ids[0]}/linked.pdf?allow_redirect=true`,
    `https://elsewhere.example/_chat/client/v1/media/thumbnail/localhost/${ids[0]}?width=32`,
    `https://matrix.to/#/nothing`,
  ]) {
    await field.fill(path);
    await field.press('Enter');
    if (path.includes('matrix.to')) break;
    await page.getByRole('heading', { level: 1, name: 'linked-0.pdf' }).waitFor();
    await page.goBack();
  }
  await page.getByText('Enter a user ID, room ID, alias or mxc URI.').waitFor();
});

test("a file's page lists only actions on that file", async () => {
  const { ids } = await uploads('audited', [1_200, 1_300]);
  const { page } = console;
  for (const id of ids) {
    await console.open(`/media/uploads/localhost/${id}`);
    await page.getByRole('button', { name: 'Protect media' }).click();
    await panel('Protect media').getByRole('button', { name: 'Protect media' }).click();
    await page.getByRole('button', { name: 'Unprotect media' }).waitFor();
  }
  const entries = page.getByRole('region', { name: 'Activity' }).getByRole('listitem');
  await entries.getByText('“Protect media” done').first().waitFor();
  expect(await entries.count()).toBe(1);
});

test('a file of the quarantine changes is logged with its uploader', async () => {
  const { page } = console;
  const { ids } = await uploads('logged', [9]);
  await admin().post(`/_service/admin/v1/media/quarantine/localhost/${ids[0]}`);
  await console.open('/media/quarantine-changes');
  const changes = table('Quarantine changes');
  const change = changes.locator('[data-row]').filter({ hasText: 'logged-0' }).first();
  await change.getByText('Quarantined by @admin:localhost').waitFor();
  await change.getByRole('checkbox').check();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: /^More/ }).click();
  await page.getByRole('menuitem', { name: 'Remove from quarantine' }).click();
  await panel('Remove from quarantine').getByRole('button', { name: 'Remove from quarantine' }).click();
  await panel('Remove from quarantine').waitFor({ state: 'detached' });
  await console.open('/reports/log');
  await page.getByRole('link', { name: '@logged' }).first().waitFor();
});

test("undoing a quarantine keeps a colleague's later quarantine", async () => {
  const { ids } = await uploads('twice', [1_100]);
  const { page } = console;
  await console.open(`/media/uploads/localhost/${ids[0]}`);
  await page.getByRole('button', { name: 'Quarantine media' }).click();
  await panel('Quarantine media').getByRole('button', { name: 'Quarantine media' }).click();
  await page.getByRole('button', { name: 'Remove from quarantine' }).waitFor();
  expect((await mediaOf('twice'))[0]?.quarantined_by).toBe('@admin:localhost');
  const path = `localhost/${ids[0]}`;
  await admin().post(`/_service/admin/v1/media/unquarantine/${path}`, {});
  await admin().put('/_service/admin/v1/users/@bob:localhost/admin', { admin: true });
  await console.homeserver.as('bob').post(`/_service/admin/v1/media/quarantine/${path}`, {});
  await page.keyboard.press('Shift+U');
  await page.getByText('Changed by another admin since then. Not undone.').waitFor();
  expect((await mediaOf('twice'))[0]?.quarantined_by).toBe('@bob:localhost');
});

test('a bulk quarantine reports protected media as unchanged', async () => {
  const { ids } = await uploads('shielded', [10, 20]);
  await admin().post(`/_service/admin/v1/media/protect/${ids[0]}`);
  const { page } = console;
  await console.open('/media/users/@shielded:localhost?kind=other');
  await page.getByRole('checkbox', { name: 'Select all matches' }).click();
  await page.getByRole('button', { name: 'Quarantine 2 media' }).click();
  await panel(/Quarantine/)
    .getByRole('button', { name: 'Quarantine 2 media' })
    .click();
  await page.getByRole('button', { name: 'One failure' }).click();
  await page
    .getByText(/Protected from quarantine\. Unprotect it first\./)
    .first()
    .waitFor();
  await expect
    .poll(async () => (await mediaOf('shielded')).filter((each) => each.quarantined_by !== null))
    .toHaveLength(1);
});

test('several files are deleted after typing their number', async () => {
  await uploads('deleted', [10, 20, 30]);
  const { page } = console;
  await console.open('/media/users/@deleted:localhost');
  await page.getByText('3 files', { exact: true }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: /^More/ }).click();
  await page.getByRole('menuitem', { name: /^Delete 2 media/ }).click();
  const question = panel('Delete 2 media');
  await question.getByRole('button', { name: 'Delete 2 media' }).click();
  await question.getByText("Doesn't match yet").waitFor();
  expect(await mediaOf('deleted')).toHaveLength(3);
  await question.getByRole('textbox', { name: 'Type 2 to confirm' }).fill('2');
  await question.getByRole('button', { name: 'Delete 2 media' }).click();
  await page.getByText('1 file', { exact: true }).waitFor();
  expect(await mediaOf('deleted')).toHaveLength(1);
});

test("a room's media is listed, and a file's uses are searched in its uploader's rooms", async () => {
  const { ids, person } = await uploads('sender', [77_000]);
  const { body } = await person.ask('POST', '/client/v3/createRoom', { preset: 'public_chat' });
  const room = encodeURIComponent(body.room_id);
  await person.ask('PUT', `/client/v3/rooms/${room}/send/m.room.message/one`, {
    msgtype: 'm.file',
    body: 'a file',
    url: `mxc://localhost/${ids[0]}`,
  });
  const { page } = console;
  await console.open(`/media/rooms/${room}`);
  const link = table(/^Media in/).getByRole('link', { name: 'sender-0.pdf' });
  await table(/^Media in/)
    .getByRole('cell', { name: '77 kB' })
    .waitFor();
  await link.click();
  await page.getByRole('button', { name: "Scan uploader's rooms" }).click();
  await page.getByRole('list', { name: 'Rooms using this file' }).getByText(body.room_id).waitFor();
});

test("leaving a file's page stops the search of rooms", async () => {
  const { ids, person } = await uploads('roamer', [900]);
  for (let index = 0; index < 3; index++) await person.ask('POST', '/client/v3/createRoom', {});
  const { page } = console;
  const { promise: isLet, resolve: letOn } = Promise.withResolvers<void>();
  await page.route('**/v1/room/*/media', async (route) => {
    await isLet;
    await route.continue();
  });
  await console.open(`/media/uploads/localhost/${ids[0]}`);
  await page.getByRole('button', { name: "Scan uploader's rooms" }).click();
  const looked = () => asked('/v1/room/').filter(({ path }) => !path.includes('nowhere'));
  await expect.poll(looked).toHaveLength(1);
  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByRole('heading', { name: 'No tokens' }).waitFor();
  const answered = page.waitForResponse(/\/v1\/room\/.*\/media$/);
  letOn();
  await answered;
  // Time for another screen to load its data.
  await page.getByRole('link', { name: 'Rooms' }).click();
  await page.getByRole('table', { name: 'Rooms' }).getByRole('link').first().waitFor();
  expect(looked()).toHaveLength(1);
});

test('the minimum size accepts a decimal comma, typed or pasted', async () => {
  const { page } = console;
  await console.open('/media/clean-up');
  const field = page.getByRole('textbox', { name: 'Larger than (MB)' });
  const larger = () => new URL(page.url()).searchParams.get('larger');
  await page.evaluate(() => navigator.clipboard.writeText('0,05\n'));
  await field.fill('');
  await page.keyboard.press('Control+V');
  await page.keyboard.press('Enter');
  await expect.poll(larger).toBe('50000');
  await field.fill('');
  await page.keyboard.type('1,5');
  await page.keyboard.press('Enter');
  await expect.poll(larger).toBe('1500000');
});

test('a cleanup counts the files to delete and deletes them after the server name is typed', async () => {
  const { ids } = await uploads('unused', [3_000_000, 3_100_000, 500]);
  await admin().post(`/_service/admin/v1/media/protect/${ids[1]}`);
  const { page } = console;
  await console.open('/media/clean-up?since=2100-01-01&larger=2000000');
  await page.getByRole('button', { name: 'Preview deletion' }).click();
  await page.getByText('Would free 3 MB: 1 file of 1 user.').waitFor();
  const name = page.getByRole('region', { name: 'Unused media' }).getByRole('textbox', { name: /^Type/ });
  await name.fill('localhos');
  await page.getByRole('button', { name: 'Delete 1 file (3 MB)' }).click();
  await page.getByText("Doesn't match yet").waitFor();
  expect(await mediaOf('unused')).toHaveLength(3);
  // Changing the options invalidates the preview.
  await page.getByRole('checkbox', { name: 'Keep user and room avatars' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Delete 1 file (3 MB)' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Preview deletion' }).click();
  await name.fill('localhost');
  await page.getByRole('button', { name: 'Delete 1 file (3 MB)' }).click();
  await page.getByText('Started. See progress below.').waitFor();
  // The result is shown on any screen.
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Users' }).click();
  await page
    .getByRole('article', { name: 'Unused media on localhost deleted' })
    .getByText('one file')
    .waitFor();
  expect((await mediaOf('unused')).map((each) => each.media_id)).not.toContain(ids[0]);
  expect(await mediaOf('unused')).toHaveLength(2);
});

test('a list shows image thumbnails, sharp by key, none of quarantined ones, and none if disabled', async () => {
  const { page } = console;
  const person = await someone('painter');
  const picture = new Resvg('<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"/>')
    .render()
    .asPng();
  const shown = await person.upload(new Uint8Array(picture), 'image/png', 'shown.png');
  const hidden = await person.upload(new Uint8Array([...picture, 0]), 'image/png', 'hidden.png');
  await person.upload(new Uint8Array(9), 'application/pdf', 'text.pdf');
  await admin().post(`/_service/admin/v1/media/quarantine/localhost/${hidden}`);
  const thumbnails = table(/^Media of/).locator('[data-row] img');
  const before = console.requests.length;
  const loaded = () =>
    console.requests.slice(before).filter(({ path }) => /\/media\/(thumbnail|download)\//.test(path));

  await console.open('/media/users/@painter:localhost');
  await thumbnails.waitFor();
  const isBlurred = () => thumbnails.evaluate((image) => getComputedStyle(image).filter.includes('blur'));
  expect(await isBlurred()).toBe(true);
  await page.keyboard.press('i');
  await expect.poll(isBlurred).toBe(false);
  expect(loaded().map(({ path }) => path.replace(/\?.*/, ''))).toEqual([
    `/_chat/client/v1/media/thumbnail/localhost/${shown}`,
  ]);

  await console.open('/settings');
  await page.getByText('Off', { exact: true }).click();
  await console.open('/media/users/@painter:localhost');
  await page.getByRole('link', { name: 'shown.png' }).waitFor();
  // A thumbnail would load after a moment in view.
  await page.getByRole('link', { name: 'shown.png' }).hover();
  await page.getByRole('link', { name: 'shown.png' }).click();
  await page.getByRole('button', { name: 'Show image: shown.png' }).waitFor();
  expect(loaded()).toHaveLength(1);
});
