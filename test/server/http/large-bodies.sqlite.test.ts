/** Large request bodies block the event loop for at most a few times their parsing time. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { longestTurn } from '../longest-turn.ts';
import { connectTo, parseReply } from '../raw-connection.ts';
import { makeRoom } from '../rooms/client.ts';

let homeserver: TestHomeserver;
let room: string;
beforeAll(async () => {
  homeserver = await startHomeserver();
  room = await makeRoom(homeserver.as('admin'));
});
afterAll(() => homeserver.remove());

/** Sends all but the end of a request. Returns a function that sends the end and resolves to the reply's status. */
async function allButItsEnd(body: string): Promise<() => Promise<number>> {
  const connection = await connectTo(homeserver.url);
  const head = `POST /_matrix/client/v3/login HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`;
  await connection.write(head + body.slice(0, -1));
  return async () => {
    await connection.write(body.slice(-1));
    return parseReply(await connection.closed).status;
  };
}

test('twenty that end at once are parsed one at a time', async () => {
  const state = { type: 'm.room.member', state_key: '@someone:localhost', content: { membership: 'invite' } };
  const body = JSON.stringify({
    type: 'org.example.none',
    state: Array.from({ length: 9_000 }, () => state),
  });
  const send = async () => {
    const ends = await Promise.all(Array.from({ length: 20 }, () => allButItsEnd(body)));
    // The server reads part of the received data in each turn.
    for (let turn = 0; turn < 40; turn++) await call(homeserver.url, 'GET', '/health');
    const statuses: number[] = [];
    const turn = await longestTurn(async () => {
      statuses.push(...(await Promise.all(ends.map((end) => end()))));
    });
    return { statuses, turn };
  };
  // The first request includes compilation.
  await send();
  const { statuses, turn } = await send();
  expect(statuses).toEqual(Array.from({ length: 20 }, () => 400));
  expect(turn).toBeLessThan(150);
});

type Sent = readonly [method: 'post' | 'put', path: string, json: string, status: number];

/** Returns the longest event loop turn that a body causes. */
const holdOf = ([method, path, json, status]: Sent) =>
  longestTurn(async () => {
    expect(await homeserver.as('admin')[method](path, json)).toMatchObject({ status });
  });

const fewestRounds = 3;
const mostRounds = 12;

/**
 * Checks that a body blocks the loop at most `factor` times as long as one that's only read. Allows 10 ms more.
 * Measures both alternately, so that a slow machine affects both, and uses each one's minimum.
 */
async function expectHold(sent: Sent, factor: number, onlyRead: string): Promise<void> {
  let read = Infinity;
  let held = Infinity;
  const allowed = () => factor * read + 10;
  for (let round = 0; round < mostRounds && (round < fewestRounds || held >= allowed()); round++) {
    read = Math.min(read, await holdOf(['post', '/_matrix/client/v3/login', onlyRead, 400]));
    held = Math.min(held, await holdOf(sent));
  }
  expect(held).toBeLessThan(allowed());
}

const scale = isMatrix ? 1 : 3;
const things = `[${Array.from({ length: 300_000 / scale }, () => '{}')}]`;
const names = `{${Array.from({ length: 60_000 / scale }, (_, index) => `"name${index}":{}`)}}`;
const user = '/_synapse/admin/v2/users/@someone:localhost';

test.each([
  ['a room with too much state', 'post', '/_matrix/client/v3/createRoom', `"initial_state":${things}`],
  ['a room with invalid invites', 'post', '/_matrix/client/v3/createRoom', `"invite":${things}`],
  ['a user with an invalid type', 'put', user, `"user_type":${names}`],
  ['a user with too many addresses', 'put', user, `"threepids":${things}`],
] as const)('%s is refused in little more time than parsing takes', (_, method, path, members) =>
  expectHold([method, path, `{${members}}`, 400], 2, `{"type":"none",${members}}`),
);

test.each([
  ['one-time keys', 'post', 'keys/upload', `{"one_time_keys":${names}}`, 400],
  ['keys of a device', 'post', 'keys/upload', `{"device_keys":{"keys":${names}}}`, 400],
  ['messages to users', 'put', 'sendToDevice/org.example/many', `{"messages":${names}}`, 400],
  ['messages to devices', 'put', 'sendToDevice/org.example/many', `{"messages":{"@a:b":${names}}}`, 400],
  ['backed-up rooms', 'put', 'room_keys/keys?version=1', `{"rooms":${names}}`, 400],
  ['backed-up keys', 'put', 'room_keys/keys?version=1', `{"rooms":{"!a":{"sessions":${names}}}}`, 400],
  ['users whose keys are queried', 'post', 'keys/query', `{"device_keys":${names}}`, 400],
  ['users whose keys are claimed', 'post', 'keys/claim', `{"one_time_keys":${names}}`, 400],
  ['signed things', 'post', 'keys/signatures/upload', names, 400],
  ['things in a message', 'put', 'rooms/!a:b/send/org.example/many', names, 413],
  ['things in account data', 'put', 'user/@admin:localhost/account_data/org.example', names, 200],
] as const)(
  'very many %s block the loop only a few times as long as parsing them',
  (_, method, path, json, status) => {
    const place = `/_matrix/client/v3/${path.replace('!a:b', encodeURIComponent(room))}`;
    return expectHold([method, place, json, status], 8, `{"type":"none","things":${names}}`);
  },
);

test("additional properties of an admin request aren't copied", () => {
  const path = `/_synapse/admin/v1/purge_history/${encodeURIComponent(room)}`;
  const more = names.slice(1);
  return expectHold(['post', path, `{"purge_up_to_ts":1,${more}`, 404], 1.4, `{"type":"none",${more}`);
});

test('names with escapes block the loop only several times as long', () => {
  const place = '/_matrix/client/v3/user/@admin:localhost/account_data/org.example';
  const quoted = names.replaceAll('name', '\\"me');
  return expectHold(['put', place, quoted, 200], 10, `{"type":"none","things":${names}}`);
});

test('an escaped surrogate pair needs no scan of the body', () => {
  const login = (text: string) => `{"type":"none","text":"${text}","things":${things}}`;
  return expectHold(['post', '/_matrix/client/v3/login', login('\\ud83d\\ude00'), 400], 1.6, login(''));
});
