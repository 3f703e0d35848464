/**
 * Measures the endpoints that chat clients use most, on a server with many messages. Prints p50 and p99 in
 * milliseconds, and the ratio of p50 to that of `whoami`. `whoami` takes turns with each endpoint, so ratios are
 * comparable between runs. Usage: `node test/bench/endpoints.ts --messages 1000000 --postgres`
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openServices } from '../../server/app/services.ts';
import { ownChange } from '../../server/conversation/rooms/membership/change-membership.ts';
import { setMembership } from '../../server/conversation/rooms/membership/membership.ts';
import { createUser } from '../../server/identity/accounts/create-user.ts';
import { openSession } from '../../server/identity/sessions/sessions.ts';
import { loadConfig } from '../../server/platform/config/load.ts';
import { serve } from '../server/gatehouse.ts';
import { accountEndpoints } from './account-endpoints.ts';
import { client, type Endpoint, get, post, put } from './endpoint.ts';
import { send } from './load.ts';
import { loadMessages, loadUsers } from './load-data.ts';
import { makeRooms } from './rooms.ts';
import { startPostgres } from './set-ups.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    /** Requests per endpoint. */
    rounds: { type: 'string', default: '200' },
    postgres: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const warmUp = 10;
const roomCount = 50;
const memberCount = 200;

const unstable = '/_matrix/client/unstable';
const people = Array.from({ length: memberCount }, (_, index) => `@person${index}:localhost`);
const name = encodeURIComponent;

const postgres = values.postgres ? await startPostgres() : undefined;
const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
const file = join(dataDir, 'homeserver.yaml');
const often = { per_second: 1e6, burst_count: 1e6 };
await writeFile(
  file,
  JSON.stringify({
    ...{ rc_message: often, rc_joins: { local: often }, rc_room_creation: often, rc_key_requests: often },
    ...{ rc_profile_changes: often, rc_registration: often },
    rc_login: { address: often, account: often, failed_attempts: often },
    ...{ enable_registration: true, enable_registration_without_verification: true },
    ...{ rc_presence: { per_user: often }, rc_account_data: often },
    ...(postgres && { database: await postgres.makeDatabase('endpoints') }),
  }),
);

/** Creates a user with 50 rooms, a second device and another user to chat with. */
async function prepare() {
  const services = await openServices(await loadConfig({ file, dataDir }));
  await loadUsers(services, memberCount);
  const signIn = async (localpart: string) => {
    const userId = await createUser(services, { localpart });
    const { accessToken: token, deviceId } = await openSession(services, userId);
    return { userId, token, deviceId };
  };
  const [busy, other] = [await signIn('busy'), await signIn('other')];
  await services.db.destroy();
  return { busy, other };
}

const { busy, other } = await prepare();
const start = () => serve('--config', file, '--data-dir', dataDir, '--no-console');
let served = await start();
const { roomIds, lobby, space, root } = await makeRooms(served.url, busy.token, roomCount);
await served.end('SIGTERM');
const services = await openServices(await loadConfig({ file, dataDir }));
await loadMessages(services, { roomIds, count: Number(values.messages) });
for (const userId of [...people, other.userId])
  await setMembership(services, ownChange(lobby, userId, 'join'));
await services.db.destroy();
served = await start();
const { url } = served;

const room = `${client}/rooms/${name(lobby)}`;
const me = name(busy.userId);
const search = (search_term: string) =>
  post(`${client}/search`, { search_categories: { room_events: { search_term } } });

let since = '';
let backup = '';
const backedUp = { first_message_index: 0, forwarded_count: 0, is_verified: true, session_data: { a: 'b' } };
const oneTimeKeys = (index: number) => ({
  one_time_keys: { [`signed_curve25519:${index}`]: { key: `${index}`, signatures: {} } },
});
const fallback = { fallback_keys: { 'signed_curve25519:F': { key: 'F', fallback: true, signatures: {} } } };

const busyKeys = { user_id: busy.userId, algorithms: [], keys: {}, signatures: {} };

/** Each call gets its round number, so every write changes something else. */
const endpoints: Record<string, Endpoint> = {
  whoami: get(`${client}/account/whoami`),
  'sync, the first one': get(`${client}/sync?set_presence=offline`),
  'sync with nothing new': () => ({ path: `${client}/sync?set_presence=offline&since=${since}` }),
  'sliding sync, 20 rooms': post(`${unstable}/org.matrix.simplified_msc3575/sync`, {
    lists: { all: { ranges: [[0, 19]], timeline_limit: 1, required_state: [['m.room.name', '']] } },
  }),
  'filter, kept': post(`${client}/user/${me}/filter`, { room: { timeline: { limit: 10 } } }),
  'messages, newest 50': get(`${room}/messages?dir=b&limit=50`),
  'messages of a type that is rare': get(
    `${room}/messages?dir=b&limit=10&filter=${name(JSON.stringify({ types: ['org.example'] }))}`,
  ),
  'context of an event': get(`${room}/context/${name(root)}`),
  'event by time': get(`${client.replace('v3', 'v1')}/rooms/${name(lobby)}/timestamp_to_event?ts=0&dir=f`),
  'members of a room': get(`${room}/members`),
  'state of a room': get(`${room}/state`),
  'rooms shared with somebody': get(
    `${client.replace('v3', 'v1')}/mutual_rooms?user_id=${name(other.userId)}`,
  ),
  'members who are there': get(`${room}/joined_members`),
  'rooms of oneself': get(`${client}/joined_rooms`),
  'one piece of state': get(`${room}/state/m.room.power_levels`),
  'summary of a room': get(`${client.replace('v3', 'v1')}/room_summary/${name(lobby)}`),
  'room, as it was asked for before': get(`${room}/initialSync?limit=20`),
  'aliases of a room': get(`${room}/aliases`),
  'place in the directory': get(`${client}/directory/list/room/${name(lobby)}`),
  'room, made': post(`${client}/createRoom`, { preset: 'public_chat', name: 'Bench' }),
  'room, entered once more': post(`${client}/join/${name(lobby)}`),
  'event by itself': get(`${client}/events/${name(root)}`),
  'message, sent': put(
    (index) => `${room}/send/m.room.message/bench${index}`,
    (index) => ({ msgtype: 'm.text', body: `message ${index}` }),
  ),
  'state, set': put(
    () => `${room}/state/m.room.topic`,
    (index) => ({ topic: `topic ${index}` }),
  ),
  'relations of an event': get(`${client.replace('v3', 'v1')}/rooms/${name(lobby)}/relations/${name(root)}`),
  'threads of a room': get(`${client.replace('v3', 'v1')}/rooms/${name(lobby)}/threads`),
  'hierarchy of a space': get(`${client.replace('v3', 'v1')}/rooms/${name(space)}/hierarchy`),
  'public rooms': get(`${client}/publicRooms?limit=20`),
  'public rooms, those of all networks': post(`${client}/publicRooms`, {
    limit: 20,
    include_all_networks: true,
  }),
  'keys, uploaded': (index) => ({
    ...{ method: 'POST', path: `${client}/keys/upload` },
    body: { ...oneTimeKeys(index), ...fallback },
  }),
  'keys, queried of 200 people': post(`${client}/keys/query`, {
    device_keys: Object.fromEntries(people.map((person) => [person, []])),
  }),
  'keys, claimed': post(`${client}/keys/claim`, {
    one_time_keys: { [busy.userId]: { [busy.deviceId ?? '']: 'signed_curve25519' } },
  }),
  'key changes': () => ({ path: `${client}/keys/changes?from=${since}&to=${since}` }),
  'backed-up key, kept': (index) => ({
    method: 'PUT',
    path: `${client}/room_keys/keys/${name(lobby)}/session${index}?version=${backup}`,
    body: backedUp,
  }),
  'dehydrated device, kept': put(
    () => `${unstable}/org.matrix.msc3814.v1/dehydrated_device`,
    (index) => ({
      device_id: `DEHYDRATED${index}`,
      device_data: { algorithm: 'org.example', index },
      device_keys: { ...busyKeys, device_id: `DEHYDRATED${index}` },
    }),
  ),
  'backed-up keys': () => ({ path: `${client}/room_keys/keys?version=${backup}` }),
  'to-device message': put(
    (index) => `${client}/sendToDevice/org.example/bench${index}`,
    (index) => ({ messages: { [other.userId]: { '*': { index } } } }),
  ),
  'receipt, of the newest message': post(`${room}/receipt/m.read/${name(root)}`),
  'read markers': post(`${room}/read_markers`, { 'm.fully_read': root, 'm.read': root }),
  'tag, set': put(
    () => `${client}/user/${me}/rooms/${name(lobby)}/tags/m.favourite`,
    (index) => ({ order: (index % 100) / 100 }),
  ),
  tags: get(`${client}/user/${me}/rooms/${name(lobby)}/tags`),
  typing: put(
    () => `${room}/typing/${me}`,
    (index) => ({ typing: index % 2 === 0, timeout: 30_000 }),
  ),
  'thread subscription': put(
    () => `${unstable}/io.element.msc4306/rooms/${name(lobby)}/thread/${name(root)}/subscription`,
    () => ({}),
  ),
  'thread subscriptions, changed': get(`${unstable}/io.element.msc4308/thread_subscriptions?dir=b`),
  'presence, set': put(
    () => `${client}/presence/${me}/status`,
    (index) => ({ presence: 'online', status_msg: `${index}` }),
  ),
  'presence, asked': get(`${client}/presence/${me}/status`),
  'push rules': get(`${client}/pushrules/`),
  'push rule, set': put(
    () => `${client}/pushrules/global/content/bench`,
    (index) => ({ pattern: `bench${index}`, actions: ['notify'] }),
  ),
  pushers: get(`${client}/pushers`),
  notifications: get(`${client}/notifications?limit=20`),
  'account data, set': put(
    () => `${client}/user/${me}/account_data/org.example`,
    (index) => ({ index }),
  ),
  'profile, asked': get(`${client}/profile/${me}`),
  'field of a profile, set': put(
    () => `${client}/profile/${me}/org.example`,
    (index) => ({ 'org.example': index }),
  ),
  'OpenID token': post(`${client}/user/${me}/openid/request_token`),
  addresses: get(`${client}/account/3pid`),
  'networks beside this one': get(`${client}/thirdparty/protocols`),
  capabilities: get(`${client}/capabilities`),
  versions: get('/_matrix/client/versions'),
  devices: get(`${client}/devices`),
  'user directory': post(`${client}/user_directory/search`, { search_term: 'person 1', limit: 10 }),
  'search for a word of ten messages': search('seldom4711'),
  'search for a word of a thousand': search('often47'),
  'search for a word of all': search('common'),
  'search for two words': search('common often47'),
  'search for a beginning': search('seldom47'),
  ...accountEndpoints({ url, busy, other, roomId: roomIds[1] ?? '' }),
};

const replies = new Map<string, string>();
async function ask(name: string, endpoint: Endpoint, index: number): Promise<number> {
  const call = await endpoint(index, replies.get(name));
  const begun = performance.now();
  replies.set(name, await send(url, { token: busy.token, ...call }));
  return performance.now() - begun;
}

try {
  const sync = { path: `${client}/sync?set_presence=offline`, token: busy.token };
  since = JSON.parse(await send(url, sync)).next_batch;
  const algorithm = { algorithm: 'm.megolm_backup.v1.curve25519-aes-sha2', auth_data: {} };
  const version = { method: 'POST' as const, path: `${client}/room_keys/version`, body: algorithm };
  backup = JSON.parse(await send(url, { ...version, token: busy.token })).version;
  const times = new Map(Object.keys(endpoints).map((each) => [each, [] as number[]]));
  for (let index = -warmUp; index < rounds; index++) {
    for (const [each, endpoint] of Object.entries(endpoints)) {
      const time = await ask(each, endpoint, index + warmUp);
      if (index >= 0) times.get(each)?.push(time);
    }
  }
  const within = (share: number, all: number[]) =>
    all.toSorted((one, two) => one - two)[Math.floor(share * (all.length - 1))] ?? 0;
  const shortest = within(0.5, times.get('whoami') ?? []);
  const engine = postgres ? 'PostgreSQL' : 'SQLite';
  process.stdout.write(
    `| on ${engine}, ${values.messages} messages | half within | 99% within | times whoami |\n| --- | ---: | ---: | ---: |\n`,
  );
  for (const [each, all] of times) {
    const [half, most] = [within(0.5, all), within(0.99, all)];
    process.stdout.write(
      `| ${each} | ${half.toFixed(2)} ms | ${most.toFixed(2)} ms | ${(half / shortest).toFixed(1)} |\n`,
    );
  }
} finally {
  await served.end('SIGTERM');
  await rm(dataDir, { recursive: true });
  await postgres?.stop();
}
