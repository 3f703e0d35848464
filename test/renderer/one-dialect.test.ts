/** The console on a built-in homeserver with only one dialect. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '../../server/identity/accounts/create-user.ts';
import { consoleOnHomeserver } from './console-on-homeserver.ts';

describe.each([
  ['matrix', '/_matrix', 'Synapse'],
  ['vendor', '/_chat', 'Generic'],
] as const)('%s', (dialect, chat, label) => {
  const console = consoleOnHomeserver({ apiDialects: [dialect] });
  beforeAll(async () => {
    await createUser(console.homeserver.services, { localpart: 'newcomer', password: 'a password' });
  });

  test('only addresses that the server supports are shown and copied', async () => {
    await console.open('/local-server', dialect);
    const addresses = console.page.getByRole('table').filter({ hasText: 'Client API' });
    await addresses.getByText(`${console.homeserver.url}${chat}`).waitFor();
    expect(await addresses.getByRole('rowheader').allTextContents()).toEqual([label]);
  });

  test('client examples work as copied', async () => {
    const { page, homeserver } = console;
    await console.open('/local-server', dialect);
    const clients = () => page.getByRole('radiogroup', { name: 'Client' });
    const snippet = async (client: string) => {
      await clients().getByText(client, { exact: true }).click();
      const copy = page.getByRole('button', { name: `Copy: ${client} example` });
      const text = (await copy.locator('xpath=preceding-sibling::code').textContent()) ?? '';
      return text.replace('NAME', 'newcomer').replace('PASSWORD', 'a password');
    };
    const run = async (program: string, ...args: string[]) =>
      (await promisify(execFile)(program, args)).stdout;

    const said = await run('sh', '-c', (await snippet('curl')).replaceAll(/^curl/gm, 'curl --silent'));
    expect(said).toContain('"versions"');
    expect(said).toContain('"user_id":"@newcomer:localhost"');

    const synced = `client.once('sync', (state) => { process.stdout.write('now ' + state + client.getUserId()); process.exit(); });`;
    const program = `${await snippet('matrix-js-sdk')}\n${synced}`;
    expect(await run(process.execPath, '--input-type=module', '--eval', program)).toContain(
      'now PREPARED@newcomer:localhost',
    );

    await clients().getByText('Element').click();
    if (dialect === 'vendor') {
      await page.getByText('Element needs /_matrix paths.').waitFor();
      return;
    }
    expect(JSON.parse(await snippet('Element'))).toEqual({
      default_server_config: { 'm.homeserver': { base_url: homeserver.url, server_name: 'localhost' } },
    });
  });
});
