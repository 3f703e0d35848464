/** Commands and keys of the palette besides screens and actions. */
import { beforeEach, expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReport } from './sample-reports.ts';

const console = consoleUnderTest();

beforeEach(() => {
  console.homeserver.reports = [1, 2, 3].map((id) => sampleReport(id));
});

const list = () => console.page.getByRole('listbox', { name: 'Reports' });
/** Opens the palette and runs the command with these words. */
async function choose(words: string) {
  const { page } = console;
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('textbox').fill(words);
  await page.getByRole('button', { name: words }).first().waitFor();
  await page.keyboard.press('Enter');
}

test('opens a queue from any screen, and keys switch queues', async () => {
  const { page } = console;
  await console.open('/settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await choose('Escalated reports');
  await page.waitForURL(/\/reports\?.*queue=escalated/);
  const queues = page.getByRole('group', { name: 'Queues' });
  const shown = queues.locator('[aria-current="true"]');
  await shown.getByText('Escalated').waitFor();
  await page.keyboard.press('<');
  await shown.getByText('Open').waitFor();
  await page.keyboard.press('<');
  await shown.getByText('All').waitFor();
  // There's no previous queue.
  await page.keyboard.press('<');
  await page.keyboard.press('>');
  await shown.getByText('Open').waitFor();
  await choose('Resolved reports');
  await shown.getByText('Resolved').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Next queue').waitFor();
  expect(console.problems).toEqual([]);
});

test('the palette has groups and sort orders of reports, whose menus open by key', async () => {
  const { page } = console;
  await console.open('/reports');
  await list().getByRole('option').first().waitFor();
  await choose('By sender');
  await page.waitForURL(/group=sender/);
  await choose('Ungrouped');
  await page.waitForURL((url) => !url.search.includes('group'));
  await choose('Oldest first');
  await page.waitForURL(/order=oldest/);
  await page.keyboard.press('v');
  await page.getByRole('menuitemradio', { name: 'By room' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.keyboard.press('V');
  const newest = page.getByRole('menuitemradio', { name: 'Newest first' });
  await expect.poll(() => newest.evaluate((item) => item === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.search.includes('order'));
  expect(console.problems).toEqual([]);
});

test('a report opens by number and by a link copied in the desktop app', async () => {
  const { page, homeserver } = console;
  await console.open('/settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  for (const [typed, id] of [
    ['2', 2],
    ['#3', 3],
    ['report 2', 2],
    ['gatehouse://fake.example/report/1', 1],
  ] as const) {
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByRole('textbox').fill(typed);
    await palette.getByRole('button', { name: `Report ${id}` }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: `Report ${id}` }).waitFor();
  }
  // A report on another server isn't known here.
  homeserver.interfere = (_method, path) =>
    /\/v2\/users$|\/v1\/rooms$/.test(path)
      ? { status: 200, body: { users: [], rooms: [], total: 0, total_rooms: 0, offset: 0 } }
      : undefined;
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('textbox').fill('gatehouse://other.example/report/1');
  await page.getByText('No results').waitFor();
});

test('the best match is first, the field stays in place, and media is found by address', async () => {
  const { page } = console;
  await console.open('/settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  const field = palette.getByRole('textbox');
  const placed = async () => (await field.boundingBox())?.y;
  await palette.getByRole('button', { name: 'Home' }).waitFor();
  const before = await placed();
  await field.fill('password');
  expect(await palette.locator('[data-action]').allInnerTexts()).toEqual([expect.stringMatching(/^Users/)]);
  expect(await placed()).toBe(before);
  await field.fill('mxc://fake.example/abc');
  await palette.getByRole('button', { name: 'mxc://fake.example/abc' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/media\/uploads\/fake\.example\/abc/);
});

test('an event opens in its room by ID or link where supported', async () => {
  const { page, homeserver } = console;
  const unrecognized = { status: 404, body: { errcode: 'M_UNRECOGNIZED', error: 'Unrecognized request' } };
  const known: Record<string, object> = {
    $here: { status: 200, body: { event: { event_id: '$here', room_id: '!lobby:fake.example' } } },
    $gone: { status: 404, body: { errcode: 'M_NOT_FOUND', error: 'Event not found' } },
  };
  homeserver.interfere = (_method, path) =>
    path.includes('/fetch_event/')
      ? ((known[decodeURIComponent(path.split('/').at(-1) ?? '')] ?? unrecognized) as typeof unrecognized)
      : undefined;
  await console.open('/settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  const field = palette.getByRole('textbox');
  await field.fill('$unknown');
  await palette.getByRole('button', { name: "This server doesn't support finding events by ID" }).waitFor();
  await field.fill('$gone');
  await palette.getByText('No results').waitFor();
  await field.fill('https://matrix.to/#/!lobby:fake.example/$here?via=fake.example');
  await palette.getByRole('button', { name: '$here' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/rooms\/!lobby.*part=messages.*event=/);
});

test('an unknown room opens by its full ID', async () => {
  const { page } = console;
  await console.open('/settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.getByRole('textbox').fill('!unknown:evil.example');
  await palette.getByRole('button', { name: '!unknown:evil.example' }).click();
  await page.waitForURL(/\/rooms\/!unknown/);
});

test('an event ID is copied over plain http, without the clipboard API', async () => {
  const { page, homeserver } = console;
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }),
  );
  await console.open('/reports?report=2');
  await page.getByRole('heading', { level: 1, name: 'Report 2' }).waitFor();
  await choose('Copy event ID');
  await page.getByRole('status').filter({ hasText: 'Event ID copied' }).waitFor();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('dialog', { name: 'Command palette' }).getByRole('textbox');
  await field.press('Control+v');
  expect(await field.inputValue()).toBe(homeserver.reports.find(({ id }) => id === 2)?.event_id);
});

test('the palette has language and colors', async () => {
  const { page } = console;
  await console.open('/reports');
  await list().getByRole('option').first().waitFor();
  await choose('Language: Deutsch');
  await page.getByRole('listbox', { name: 'Meldungen' }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('gatehouse.language'))).toBe('"de"');
});

test('signing out asks first and then shows the sign-in', async () => {
  const { page, homeserver } = console;
  const signedOut = () => homeserver.requests.filter((request) => request.endsWith('/logout'));
  await console.open('/reports');
  await list().getByRole('option').first().waitFor();
  await choose('Sign out of fake.example');
  const asking = page.getByRole('dialog', { name: 'Sign out of fake.example?' });
  await asking.getByText('Signs out @admin:fake.example').waitFor();
  await page.keyboard.press('Escape');
  await asking.waitFor({ state: 'detached' });
  expect(signedOut()).toEqual([]);
  await choose('Sign out of fake.example');
  await asking.waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/connect/);
  expect(signedOut()).toHaveLength(1);
  expect(console.problems).toEqual([]);
});

test("a list that can't be searched is named in the palette", async () => {
  const { page, homeserver } = console;
  homeserver.interfere = (_method, path) =>
    path.endsWith('/admin/v2/users')
      ? { status: 400, body: { errcode: 'M_UNKNOWN', error: 'No search today' } }
      : undefined;
  await console.open('/settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.getByRole('textbox').fill('lovelace');
  await palette.getByRole('button', { name: "Couldn't search users" }).getByText('No search today').waitFor();
});
