/** Large account data: setting and reading it doesn't delay other users. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { longestTurn } from '../longest-turn.ts';
import { makeRoom } from '../rooms/client.ts';

let homeserver: TestHomeserver;
let room: string;
const client = '/_chat/client/v3';
const thing = (where = '') =>
  `${client}/user/${encodeURIComponent(homeserver.as('alice').userId)}${where}/account_data/org.example.thing`;
const inRoom = () => `/rooms/${encodeURIComponent(room)}`;

beforeAll(async () => {
  homeserver = await startHomeserver();
  room = await makeRoom(homeserver.as('alice'));
});
afterAll(() => homeserver.remove());

/** As many names as fit in a request body of 1 MB. */
const names = `{${Array.from({ length: 105_000 }, (_, index) => `"${index.toString(36)}a":0`)}}`;
/** Limit per event loop turn, in milliseconds. */
const limit = 150;

/** Returns the minimum of several measurements, because some include garbage collection. */
async function atBest(measure: () => Promise<number>, enough: number): Promise<number> {
  const times: number[] = [];
  while (times.length < 5 && times.every((time) => time >= enough)) times.push(await measure());
  return Math.min(...times);
}

test.each([
  ['of no room', names, () => ''],
  ['of a room', names, inRoom],
  ['within another name', `{"within":{"more":${names}}}`, () => ''],
])(
  'very large account data %s is written and read without blocking the event loop',
  async (_, json, where) => {
    const alice = homeserver.as('alice');
    const set = async () => expect(await alice.put(thing(where()), json)).toMatchObject({ status: 200 });
    const read = async () => {
      const response = await fetch(homeserver.url + thing(where()), {
        headers: { authorization: `Bearer ${alice.accessToken}` },
      });
      // Doesn't parse the body: parsing it at once would be a long turn in this test.
      for await (const _piece of response.body ?? []);
    };
    await set();
    expect((await alice.get(thing(where()))).body).toEqual(JSON.parse(json));
    expect(await atBest(() => longestTurn(set), limit)).toBeLessThan(limit);
    expect(await atBest(() => longestTurn(read), limit)).toBeLessThan(limit);
  },
);

test('one tag among very many is set, and all are read, without blocking the event loop', async () => {
  const alice = homeserver.as('alice');
  const tags = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`u.${index}`, {}]));
  const where = `${client}/user/${encodeURIComponent(alice.userId)}${inRoom()}`;
  expect(await alice.put(`${where}/account_data/m.tag`, { tags })).toMatchObject({ status: 200 });
  const set = async () => {
    expect(await alice.put(`${where}/tags/__proto__`, { order: 1 })).toMatchObject({ status: 200 });
  };
  await set();
  const { tags: found } = (await alice.get(`${where}/tags`)).body;
  expect(Object.entries(found)).toEqual([...Object.entries(tags), ['__proto__', { order: 1 }]]);
  expect(await atBest(() => longestTurn(set), limit)).toBeLessThan(limit);
  expect(await alice.delete(`${where}/tags/__proto__`)).toMatchObject({ status: 200 });
  expect(Object.keys((await alice.get(`${where}/tags`)).body.tags)).toHaveLength(60_000);
});

test('many items set at once are all stored without delaying others for long', async () => {
  const bob = homeserver.as('bob');
  const bobs = await makeRoom(bob);
  let sent = 0;
  const send = async () => {
    const path = `${client}/rooms/${encodeURIComponent(bobs)}/send/m.room.message/${sent++}`;
    expect(await bob.put(path, { msgtype: 'm.text', body: 'hello' })).toMatchObject({ status: 200 });
  };
  await send();
  const processorTime = (since?: NodeJS.CpuUsage) => {
    const { user, system } = process.threadCpuUsage(since);
    return user + system;
  };
  // Shares of processor time don't depend on other programs, nor on the speed of the machine.
  const longestWait = async () => {
    const start = process.threadCpuUsage();
    let underWay = true;
    const setting = Promise.all(
      Array.from({ length: isMatrix ? 12 : 5 }, (_, index) =>
        homeserver.as('alice').put(`${thing()}${index}`, names),
      ),
    ).finally(() => {
      underWay = false;
    });
    let longest = 0;
    while (underWay) {
      const before = process.threadCpuUsage();
      await send();
      longest = Math.max(longest, processorTime(before));
    }
    for (const { status } of await setting) expect(status).toBe(200);
    return longest / processorTime(start);
  };
  const most = 1 / 8;
  expect(await atBest(longestWait, most)).toBeLessThan(most);
}, 120_000);

const some = `${names.slice(0, names.indexOf(',', 400_000))}}`;

test.each([
  ['no end', some.slice(0, -1), 'M_NOT_JSON'],
  ['two ends', `${some}}`, 'M_NOT_JSON'],
  ['another one behind', `${some}${some.slice(0, 50_000)}}`, 'M_NOT_JSON'],
  ['a comma too many', `${some.slice(0, -1)},}`, 'M_NOT_JSON'],
  ['an empty item', some.replaceAll(',', ',,'), 'M_NOT_JSON'],
  ['the wrong bracket', `{"list":[${'1,'.repeat(60_000)}1}]`, 'M_NOT_JSON'],
  ['an item with a name', `{"list":["a":1,${'1,'.repeat(60_000)}1]}`, 'M_NOT_JSON'],
  ['text before a long list', `{"list":-[${'1,'.repeat(60_000)}1]}`, 'M_NOT_JSON'],
  ['too many levels', `{"a":${'['.repeat(600)}${']'.repeat(600)},${some.slice(1)}`, 'M_BAD_JSON'],
  ['half a character', `{"a":"\\ud800",${some.slice(1)}`, 'M_BAD_JSON'],
  ['a list', `[${'1,'.repeat(60_000)}1]`, 'M_BAD_JSON'],
])('a long body with %s is refused', async (_, json, errcode) => {
  expect(await homeserver.as('alice').put(thing(), json)).toMatchObject({ status: 400, body: { errcode } });
});

test('long content is stored as sent under any names', async () => {
  const long = (item: string) => `[${Array.from({ length: 20_000 }, () => item)}]`;
  const blanks = ' \n'.repeat(20_000);
  const json = ` {"z":${long('{}')} , "__proto__":{"x":${long('"\\u00e4,\\"]"')}}, "10":1, "b":[[${long('[1,[]]')}], 2],
    "2":"${'x'.repeat(40_000)}", "z":3, "toString": ${long('-1.50e1')}, "": {"long":${long('null')}},
    "nothing":[${blanks}], "no name":{${blanks}} } `;
  expect(await homeserver.as('alice').put(thing(), json)).toMatchObject({ status: 200 });
  const { accessToken } = homeserver.as('alice');
  const response = await fetch(homeserver.url + thing(), {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(await response.text()).toBe(JSON.stringify(JSON.parse(json)));
});
