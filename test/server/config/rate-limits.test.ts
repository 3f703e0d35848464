/** Rate limits in the configuration file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../../server/platform/config/load.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-rate-limits-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function load(settings: object) {
  const file = join(directory, 'homeserver.yaml');
  // YAML accepts JSON.
  await writeFile(file, JSON.stringify(settings));
  return (await loadConfig({ file, dataDir: directory })).rateLimits;
}

const set = { per_second: 0.25, burst_count: 7 };
const limit = { perSecond: 0.25, burstCount: 7 };

test.each([
  ['rc_login', { address: set }, { loginAddress: limit }],
  ['rc_login', { account: set }, { loginAccount: limit }],
  // Ten networks can guess as often as one.
  [
    'rc_login',
    { failed_attempts: set },
    { loginFailures: limit, loginFailuresAnywhere: { ...limit, burstCount: 70 } },
  ],
  ['rc_registration', set, { registration: limit }],
  ['rc_message', set, { message: limit }],
  ['rc_reports', set, { reports: limit }],
  ['rc_joins', { local: set, remote: set }, { joins: limit }],
  ['rc_invites', { per_room: set }, { invitesPerRoom: limit }],
  ['rc_invites', { per_user: set }, { invitesPerUser: limit }],
  ['rc_invites', { per_issuer: set }, { invitesPerIssuer: limit }],
  ['rc_room_creation', set, { roomCreation: limit }],
  ['rc_media_create', set, { mediaCreation: limit }],
  ['rc_profile_changes', set, { profileChanges: limit }],
  ['rc_presence', { per_user: set }, { presence: limit }],
  ['rc_key_requests', set, { keyRequests: limit }],
  ['rc_account_data', set, { accountData: limit }],
])('%s %j sets these limits and no other', async (name, value, limits) => {
  expect(await load({ [name]: value })).toEqual({ ...(await load({})), ...limits });
});

test('either part has its default', async () => {
  const { message } = await load({});
  expect((await load({ rc_message: { per_second: 3 } })).message).toEqual({ ...message, perSecond: 3 });
  expect((await load({ rc_message: { burst_count: 3 } })).message).toEqual({ ...message, burstCount: 3 });
});
