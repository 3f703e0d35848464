/** `rate_limited` in an application service's registration file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../../server/platform/config/load.ts';
import { manualClock } from '../../manual-clock.ts';
import { call, startHomeserver, type TestHomeserver, unlimited } from '../homeserver.ts';

const client = '/_chat/client/v3';
const few = { perSecond: 0.5, burstCount: 2 };

let directory: string;
let homeserver: TestHomeserver;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-app-services-'));
  const registration = (id: string, limited: string) => `
id: ${id}
url: null
as_token: ${id}-secret
hs_token: ${id}-other-secret
sender_localpart: ${id}
${limited}
namespaces: {users: [{exclusive: true, regex: '@_${id}_.*'}]}
`;
  const files = { free: 'rate_limited: false', bound: 'rate_limited: true', usual: '' };
  for (const [id, limited] of Object.entries(files)) {
    await writeFile(join(directory, `${id}.yaml`), registration(id, limited));
  }
  const file = join(directory, 'homeserver.yaml');
  const names = Object.keys(files).map((id) => `${id}.yaml`);
  await writeFile(file, `app_service_config_files: [${names}]`);
  const { appServices } = await loadConfig({ file, dataDir: directory });
  homeserver = await startHomeserver({
    clock: manualClock(),
    config: {
      appServices,
      rateLimits: {
        ...unlimited,
        loginAddress: few,
        message: few,
        roomCreation: few,
        profileChanges: few,
        invitesPerIssuer: few,
        invitesPerRoom: few,
      },
    },
  });
});
afterAll(async () => {
  await homeserver.remove();
  await rm(directory, { recursive: true });
});

const as = (id: string, method: string, path: string, body: unknown) =>
  call(homeserver.url, method, `${client}${path}`, `${id}-secret`, body);

/** Returns the statuses of creating four rooms, sending four messages, inviting four users and renaming four times. */
async function statusesOf(id: string): Promise<Record<string, number[]>> {
  const rooms = [];
  for (let count = 0; count < 4; count++) rooms.push(await as(id, 'POST', '/createRoom', {}));
  const room = rooms[0]?.body.room_id;
  const statuses: Record<string, number[]> = { rooms: rooms.map(({ status }) => status) };
  const four = async (what: string, act: (count: number) => Promise<{ status: number }>) => {
    const results = [];
    for (let count = 0; count < 4; count++) results.push((await act(count)).status);
    statuses[what] = results;
  };
  await four('messages', (count) =>
    as(id, 'PUT', `/rooms/${room}/send/m.room.message/${count}`, { msgtype: 'm.text', body: 'hello' }),
  );
  await four('invitations', (count) =>
    as(id, 'POST', `/rooms/${room}/invite`, { user_id: `@${id}guest${count}:localhost` }),
  );
  await four('names', (count) =>
    as(id, 'PUT', `/profile/@${id}:localhost/displayname`, { displayname: `${count}` }),
  );
  return statuses;
}

test.each([
  ['bound', [200, 200, 429, 429]],
  ['usual', [200, 200, 429, 429]],
  ['free', [200, 200, 200, 200]],
])('%s', async (id, statuses) => {
  expect(await statusesOf(id)).toEqual({
    rooms: statuses,
    messages: statuses,
    invitations: statuses,
    names: statuses,
  });
});

test('an unlimited one logs in its users, and callers from its address are unlimited too', async () => {
  const logIn = (id: string, token: string) =>
    call(homeserver.url, 'POST', `${client}/login`, token, { type: 'm.login.application_service', user: id });
  for (let count = 0; count < 5; count++) expect((await logIn('free', 'free-secret')).status).toBe(200);
  expect((await logIn('bound', 'bound-secret')).status).toBe(200);
  expect((await logIn('bound', 'bound-secret')).status).toBe(200);
  expect((await logIn('bound', 'bound-secret')).status).toBe(429);
  expect((await logIn('free', 'made-up')).status).toBe(429);
  expect((await logIn('free', 'free-secret')).status).toBe(200);
});

test("naming a service doesn't lift limits", async () => {
  const make = () => homeserver.as('alice').post(`${client}/createRoom?user_id=@free:localhost`, {});
  expect([(await make()).status, (await make()).status, (await make()).status]).toEqual([200, 200, 429]);
});
