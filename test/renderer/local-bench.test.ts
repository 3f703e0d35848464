/** Developer tools on a server that others change: unsaved input stays, and the display is current. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { localListener } from '../server/homeserver.ts';
import { consoleOnHomeserver } from './console-on-homeserver.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
const file = join(folder, 'homeserver.yaml');
const loaded = 'server_name: localhost\nenable_registration: false\n';
writeFileSync(file, loaded);
afterAll(() => rmSync(folder, { recursive: true }));

const console = consoleOnHomeserver({
  file,
  jwt: {
    ...{ secret: 'a secret that is shared and long enough', algorithm: 'HS256', subjectClaim: 'sub' },
    ...{ displayNameClaim: undefined, issuer: undefined, audiences: ['our-client'] },
  },
});
const button = (name: string) => console.page.getByRole('button', { name, exact: true });

test('the user of a token stays selected after attempts', async () => {
  const { page } = console;
  await console.open('/local-server/jwt');
  const user = page.getByLabel('User (sub)');
  await user.fill('newcomer');
  await button('Use valid claims').click();
  expect(await user.inputValue()).toBe('newcomer');
  for (const failure of ['No subject', 'Subject not a string']) {
    await button(failure).click();
    await page.getByText(/^Rejected:/).waitFor();
    await button('Use valid claims').click();
    expect(await user.inputValue()).toBe('newcomer');
  }
});

test('the login uses the parsed token, without text pasted around it', async () => {
  const { page, homeserver } = console;
  const claims = { sub: 'pasted', aud: 'our-client' };
  const { body } = await homeserver.as('admin').post('/_gatehouse/v1/jwt/mint', { claims });
  await console.open('/local-server/jwt');
  await page.getByRole('textbox', { name: 'Token' }).fill(`  ${body.token}\n`);
  await page.getByText('Accepted, logs in pasted').waitFor();
  await button('Log in with token').click();
  await page.getByText('Logged in').waitFor();
});

test('the same token is verified again by a server with a new configuration', async () => {
  const { page, homeserver } = console;
  const { jwt } = homeserver.config;
  if (!jwt) throw new Error('JWT login is off');
  await console.open('/local-server/jwt');
  await button('Create token').click();
  await page.getByText('Accepted, logs in ada').waitFor();
  try {
    homeserver.config.jwt = { ...jwt, issuer: 'https://issuer.example' };
    homeserver.config.listeners = [{ ...localListener, port: Number(new URL(homeserver.url).port) }];
    await homeserver.restart();
    await page.getByText(/^Rejected: .*'iss' is required/).waitFor();
    await button('Use valid claims').click();
    expect(await page.getByLabel('Issuer (iss)').inputValue()).toBe('https://issuer.example');
    await button('Create token').click();
    await page.getByText('Accepted, logs in ada').waitFor();
  } finally {
    homeserver.config.jwt = jwt;
  }
});

test('changes refer to the current file', async () => {
  const { page } = console;
  writeFileSync(file, loaded);
  await console.open('/local-server/configuration');
  await page.getByRole('textbox', { name: 'homeserver.yaml' }).press('Control+End');
  await page.keyboard.type('form_secret: confidential');
  const secret = page.locator('.cm-secret', { hasText: 'confidential' });
  const masking = () =>
    secret.evaluate((value) => getComputedStyle(value).getPropertyValue('-webkit-text-security'));
  await expect.poll(masking).toBe('none');
  await page.keyboard.press('Enter');
  await expect.poll(masking).toBe('disc');
  await page.keyboard.type('max_upload_size: 5M');
  await page.getByText('Changes not applied').waitFor();
  // A change from another tab or an editor.
  writeFileSync(file, `${loaded}enable_room_list_search: false\n`);
  await button('Review changes').click();
  const changes = page.getByRole('table', { name: 'Changes' });
  await changes.getByRole('row', { name: /removed enable_room_list_search: false/ }).waitFor();
  await changes.getByRole('row', { name: /added max_upload_size: 5M/ }).waitFor();
  await changes.getByRole('row', { name: /added form_secret: •+$/ }).waitFor();
  await page.getByText(/The file also changed elsewhere/).waitFor();
});

test('a file with CRLF keeps it, and only changed lines differ', async () => {
  const { page } = console;
  writeFileSync(file, loaded.replaceAll('\n', '\r\n'));
  await console.open('/local-server/configuration');
  await page.getByRole('textbox', { name: 'homeserver.yaml' }).press('Control+End');
  await page.keyboard.type('max_upload_size: 5M');
  await button('Review changes').click();
  const changes = page.getByRole('table', { name: 'Changes' });
  await changes.getByRole('row', { name: /added max_upload_size: 5M$/ }).waitFor();
  expect(await changes.getByRole('row', { name: / (removed|added) / }).count()).toBe(1);
});

test('figures are available as a table, even after the clock was set back', async () => {
  const { page } = console;
  const figures = {
    requests_per_second: 5,
    p50_ms: 1,
    p99_ms: 2,
    rss_bytes: 3,
    heap_bytes: 4,
    database_bytes: 5,
  };
  const point = { ...figures, tasks: {}, waiting_syncs: 0, event_loop_delay_ms: 0 };
  const hour = 3_600_000;
  const points = [10 * hour, 8 * hour].map((at) => ({ ...point, at }));
  await page.route('**/_gatehouse/v1/figures', (route) => route.fulfill({ json: { points } }));
  await console.open('/local-server');
  await button('Show as table').click();
  const table = page.getByRole('region', { name: "Last hour's metrics" });
  await table.getByRole('rowheader').first().waitFor();
  expect(await table.getByRole('rowheader').count()).toBe(1);
});

test.each([
  ['exp', -3600, /^token has expired[\s\S]*\(1 hour ago by this computer's clock\)$/],
  ['nbf', 3630, /^token isn't valid yet[\s\S]*\(in 1 hour by this computer's clock\)$/],
  ['exp', 7230, /^exp is in the future[\s\S]*\(in 2 hours by this computer's clock\)$/],
])("a token's times are shown as time of day and distance (%s %i)", async (claim, by, told) => {
  const { page, homeserver } = console;
  const at = Math.floor(Date.now() / 1000) + by;
  const claims = { sub: 'pasted', aud: 'our-client', [claim]: at };
  const { body } = await homeserver.as('admin').post('/_gatehouse/v1/jwt/mint', { claims });
  await console.open('/local-server/jwt');
  await page.getByRole('textbox', { name: 'Token' }).fill(body.token);
  const check = page
    .getByRole('list', { name: 'Server checks, in order' })
    .getByRole('listitem')
    .filter({ hasText: claim === 'exp' ? 'Expires' : 'Not before' })
    .locator('> span')
    .last();
  await expect.poll(() => check.innerText()).toMatch(told);
  const [, minutesAndSeconds = ''] = /T\d\d(:\d\d:\d\d)/.exec(new Date(at * 1000).toISOString()) ?? [];
  expect(await check.innerText()).toContain(minutesAndSeconds);
});
