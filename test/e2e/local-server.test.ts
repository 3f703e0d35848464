/** First use of the developer tools, from a new server to a reset one. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hosts, openScreen, type RunningHost } from './hosts.ts';

const settings = `server_name: localhost
jwt_config:
  enabled: true
  secret: a secret that is shared and long enough for every algorithm
  algorithm: HS256
  audiences: [our-client]
`;

// Only the app can start and reset the server. In a browser, the server runs on its own.
const app = hosts.find(({ name }) => name === 'stand-in');
let running: RunningHost;
beforeAll(async () => {
  if (!app) throw new Error('There is no app to test in');
  running = await app.start();
}, 180_000);
afterAll(() => running?.close());

test('a tester creates a user, fixes a failing login, finds it again, runs it in a shell, and resets the server', async () => {
  const { page, dataDir } = running;
  const part = (name: string) => page.getByRole('tab', { name }).click();
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  // The first screen after the app connects.
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await openScreen(page, 'Local server');
  writeFileSync(join(dataDir, 'homeserver.yaml'), settings);
  await button('Restart').click();
  await page.getByText('Server restarted').waitFor();

  await part('Users and data');
  const middleOf = async (control: Locator) => {
    const { y = 0, height = 0 } = (await control.boundingBox()) ?? {};
    return y + height / 2;
  };
  const administrator = page.getByRole('checkbox', { name: 'Server admin' });
  expect(Math.abs((await middleOf(administrator)) - (await middleOf(button('Create user'))))).toBeLessThan(2);
  await page.getByLabel('Name', { exact: true }).fill('newcomer');
  await button('Create user').click();
  await page.getByText('@newcomer:localhost created.').waitFor();

  await part('JWT');
  await page.getByLabel('User (sub)').fill('newcomer');
  await button('Wrong audience').click();
  await page
    .getByRole('listitem')
    .filter({ hasText: "claim 'aud' doesn't match the configuration" })
    .waitFor();
  await button('Log in with token').click();
  await page.getByText('Rejected with status 403').waitFor();
  await page.getByLabel('Audience (aud)').fill('our-client');
  await button('Create token').click();
  await page.getByText('Accepted, logs in newcomer').waitFor();
  await page.getByText('@newcomer:localhost logs in').waitFor();
  const token = await page.getByRole('textbox', { name: 'Token' }).inputValue();
  await button('Log in with token').click();
  await page.getByText('Logged in').waitFor();

  await part('Requests');
  await page.getByLabel('Path', { exact: true }).fill('/login');
  await page
    .getByRole('row', { name: /login.*200/ })
    .first()
    .click();
  await page.getByRole('article').getByText('@newcomer:localhost').first().waitFor();
  await page.getByText('Statements (values omitted)').click();
  const statements = page.getByRole('article').locator('code');
  await statements
    .filter({ hasText: /^insert into "access_tokens" .*\?/ })
    .first()
    .waitFor();
  await button('Copy as curl').click();
  // The page can't read the clipboard, so the test pastes.
  const field = page.getByLabel('User', { exact: true });
  const pasted = async () => {
    await field.fill('');
    await field.press('Control+v');
    return field.inputValue();
  };
  // The clipboard is filled asynchronously after the click.
  await expect.poll(pasted).toContain('curl');
  const command = await field.inputValue();
  await field.fill('');
  // The token is redacted in the command; the user inserts their own.
  expect(command).not.toContain(token);
  const replied = execFileSync('sh', ['-c', `${command.replace('<redacted>', token)} --silent`], {
    encoding: 'utf8',
  });
  expect(JSON.parse(replied)).toMatchObject({ user_id: '@newcomer:localhost' });

  // A click must not replay another client's request with this user's token.
  const origin = new URL(/https?:[^'"\s]+/.exec(command)?.[0] ?? '').origin;
  const path = '/_service/admin/v1/users/@newcomer:localhost/admin';
  const headers = { 'content-type': 'application/json' };
  await fetch(origin + path, { method: 'PUT', headers, body: '{"admin":true}' });
  await page.getByLabel('Path', { exact: true }).fill('newcomer:localhost/admin');
  await page.getByRole('row', { name: /admin.*401/ }).click();
  await button('Resend…').click();
  await page.getByText('No valid session').waitFor();
  await page.keyboard.press('Escape');
  await button('Resend…').waitFor();
  expect(await page.getByRole('row', { name: /admin.*200/ }).count()).toBe(0);

  await part('Overview');
  await button('Reset…').click();
  await page.getByLabel('Type localhost to confirm').fill('localhost');
  await button('Reset server').click();
  await running.answer?.('Reset server');
  await page.getByText('Server is empty and running').waitFor();
  // The previous restart must not show as the latest action.
  expect(await page.getByText('Server restarted').count()).toBe(0);
  // Undo survives a reload.
  await page.reload();
  await part('Backups');
  await page.getByText('Data before the last reset or restore:').waitFor();
  await button('Restore previous data').waitFor();
  await part('JWT');
  await page.getByLabel('User (sub)').fill('newcomer');
  await button('Create token').click();
  // The configuration is kept, and all users are deleted.
  await page.getByText('Accepted, logs in newcomer').waitFor();
  await page.getByText("@newcomer:localhost logs in; the account is created if it doesn't exist").waitFor();
});

test('the request log continues after a server restart and marks the gap', async () => {
  const { page } = running;
  const row = (name: RegExp) => page.getByRole('row', { name });
  /** The server's current URL; undefined while it isn't listening. */
  const url = () =>
    page.evaluate(async () => {
      const outcome = await window.gatehouse?.invoke('local-server:state', undefined);
      return outcome?.ok ? outcome.value.url : undefined;
    });
  const ask = async (query: string) => {
    const base = await url();
    if (base) await fetch(`${base}/_matrix/client/versions?${query}`).catch(() => {});
  };

  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await openScreen(page, 'Local server');
  await page.getByRole('tab', { name: 'Requests' }).click();
  // On by default for a server that listens on loopback only.
  await page.getByText('In memory only, without secrets').waitFor();
  await ask('before');
  await row(/before/).waitFor();

  await page.evaluate(() => window.gatehouse?.invoke('local-server:restart', undefined));
  // The inspector stays on after the restart.
  const seen = async () => {
    await ask('after');
    return row(/after/).count();
  };
  await expect.poll(seen, { interval: 200 }).toBeGreaterThan(0);
  await page.getByText(/^Server restarted. Some requests/).waitFor();
  // The earlier request is still in the list, but maybe out of view.
  await page.getByRole('textbox', { name: 'Path' }).fill('before');
  await row(/before/).waitFor();
});
