/** Session and token lifetimes in the configuration file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../../server/platform/config/load.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-sessions-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function load(settings: object) {
  const file = join(directory, 'homeserver.yaml');
  // YAML accepts JSON.
  await writeFile(file, JSON.stringify(settings));
  return (await loadConfig({ file, dataDir: directory })).sessions;
}

test.each([
  'nonrefreshable_access_token_lifetime',
  'refreshable_access_token_lifetime',
  'refresh_token_lifetime',
])('a token that would outlast its session is refused: %s', async (name) => {
  await expect(load({ session_lifetime: '1h', [name]: '61m' })).rejects.toThrow(
    `${name}: longer than session_lifetime; set it to session_lifetime or less`,
  );
  expect(await load({ session_lifetime: '1h', [name]: '1h' })).toMatchObject({ lifetimeMs: 3_600_000 });
  expect(await load({ [name]: '61m' })).toMatchObject({ lifetimeMs: undefined });
});

test('refreshed tokens last five minutes, or as long as a shorter session', async () => {
  expect(await load({})).toMatchObject({ refreshableTokenMs: 300_000 });
  expect(await load({ session_lifetime: '1m' })).toMatchObject({ lifetimeMs: 60_000 });
});

test('a session may end as it starts', async () => {
  expect(await load({ session_lifetime: '0s' })).toMatchObject({ lifetimeMs: 0 });
});
