/** Escaped names in JSON are decoded correctly, regardless of earlier requests. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom } from '../rooms/client.ts';

const client = '/_matrix/client/v3';

let homeserver: TestHomeserver;
let room: string;
beforeAll(async () => {
  homeserver = await startHomeserver();
  room = encodeURIComponent(await makeRoom(homeserver.as('bob')));
});
afterAll(() => homeserver.remove());

/** Returns the raw reply, since a parser in the test might misread names too. */
async function ask(person: string, method: string, path: string, body?: string): Promise<string> {
  const response = await fetch(`${homeserver.url}${client}${path}`, {
    method,
    headers: { authorization: `Bearer ${homeserver.as(person).accessToken}` },
    body: body ?? null,
  });
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status: 200 });
  return text;
}

let number = 0;
const bob = '@bob:localhost';
/** Ways for Bob to send the JSON and read it back. */
const ways: Record<string, (json: string) => Promise<string>> = {
  async event(json) {
    const sent = await ask('bob', 'PUT', `/rooms/${room}/send/org.example.names/${number}`, json);
    const [, id = ''] = /"event_id":"([^"]+)"/.exec(sent) ?? [];
    return ask('bob', 'GET', `/rooms/${room}/event/${encodeURIComponent(id)}`);
  },
  async state(json) {
    await ask('bob', 'PUT', `/rooms/${room}/state/org.example.names/`, json);
    return ask('bob', 'GET', `/rooms/${room}/state/org.example.names/`);
  },
  async 'account data'(json) {
    await ask('bob', 'PUT', `/user/${bob}/account_data/org.example.names`, json);
    return ask('bob', 'GET', `/user/${bob}/account_data/org.example.names`);
  },
  async 'profile field'(json) {
    await ask('bob', 'PUT', `/profile/${bob}/org.example.names`, `{"org.example.names":${json}}`);
    return ask('bob', 'GET', `/profile/${bob}/org.example.names`);
  },
  async 'message to a device'(json) {
    const { next_batch } = (await homeserver.as('bob').get(`${client}/sync`)).body;
    const path = `/sendToDevice/org.example.names/${number}`;
    await ask('bob', 'PUT', path, `{"messages":{"${bob}":{"*":${json}}}}`);
    return ask('bob', 'GET', `/sync?since=${next_batch}`);
  },
};

/** A unique name per test: the names before a name affect how it's read. */
let first: string;
beforeEach(() => {
  number++;
  first = `!${number}`;
});

const filling = `,"x":"${'x'.repeat(40_000)}"`;

/** JSON with a name that could be mistaken for another after `before` was read. */
const orders: Record<string, () => { json: string; before: string }> = {
  // One is in sending order, the other in stored order, which sorts names.
  'in sending order': () => ({ json: `{"${first}":1,"\\"":2}`, before: `{"${first}":[],"\\\\":0}` }),
  'in stored order': () => ({ json: `{"\\"":2,"${first}":1}`, before: `{"${first}":[],"\\\\":0}` }),
  'in a long one': () => ({
    json: `{"${first}":1,"\\"":2${filling}}`,
    before: `{"${first}":[],"\\\\":0${filling}}`,
  }),
};

test.each(Object.keys(ways).flatMap((way) => Object.keys(orders).map((order) => [way, order] as const)))(
  '%s, %s',
  async (way, order) => {
    const { json, before } = orders[order]?.() ?? {};
    for (const type of ['org.example.names', 'org.example.others']) {
      await ask('alice', 'PUT', `/user/@alice:localhost/account_data/${type}`, before);
    }
    const reply = await ways[way]?.(json ?? '');
    expect(reply).toContain(String.raw`"\"":2`);
    expect(reply).not.toContain(String.raw`"\\"`);
  },
);
