/** Large requests don't delay other requests. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Reply, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { longestTurn, mostTurn } from '../longest-turn.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
  await whoami();
});
afterAll(() => homeserver.remove());

const whoami = () => homeserver.as('bob').get('/_chat/client/v3/account/whoami');

const large = {
  invite: Array.from({ length: 1000 }, (_, index) => `@guest${index}:localhost`),
  initial_state: Array.from({ length: 1000 }, (_, index) => ({
    type: 'org.example.thing',
    state_key: `thing ${index}`,
    content: { text: 'Something of the usual length', index },
  })),
};

/** Returns the number of another user's sequential requests that got a reply during the work. */
async function answeredDuring(work: () => Promise<unknown>): Promise<number> {
  let underway = true;
  const done = work().finally(() => {
    underway = false;
  });
  let answered = 0;
  while (underway) {
    expect((await whoami()).status).toBe(200);
    if (underway) answered++;
  }
  await done;
  return answered;
}

const makeLargeRoom = () => homeserver.as('alice').post('/_chat/client/v3/createRoom', large);

test('a large room is created while others get replies', async () => {
  let made: Reply | undefined;
  const answered = await answeredDuring(async () => {
    made = await makeLargeRoom();
  });
  expect(made?.status).toBe(200);
  expect(answered).toBeGreaterThan(2);
  const state = await homeserver.as('alice').get(`/_chat/client/v3/rooms/${made?.body.room_id}/state`);
  const types = state.body.map(({ type }: { type: string }) => type);
  expect(types.filter((type: string) => type === 'org.example.thing')).toHaveLength(1000);
  expect(types.filter((type: string) => type === 'm.room.member')).toHaveLength(1001);
});

test("creating or reading it doesn't block the event loop", async () => {
  const turns: Record<string, number> = {};
  let room = '';
  const alice = homeserver.as('alice');
  turns.made = await longestTurn(async () => {
    room = (await makeLargeRoom()).body.room_id;
  });
  const path = `/_chat/client/v3/rooms/${room}`;
  for (const part of ['state', 'members', 'joined_members', 'messages?dir=b&limit=1000']) {
    // The first reply of a kind also compiles its serializer.
    await alice.get(`${path}/${part}`);
    turns[part] = await longestTurn(() => alice.get(`${path}/${part}`));
  }
  expect(
    Object.values(turns).every((milliseconds) => milliseconds < mostTurn),
    JSON.stringify(turns),
  ).toBe(true);
});

test('many are created concurrently while others get replies', { timeout: 120_000 }, async () => {
  const count = 3;
  let replies: Reply[] = [];
  let turn = 0;
  const answered = await answeredDuring(async () => {
    turn = await longestTurn(async () => {
      replies = await Promise.all(Array.from({ length: count }, makeLargeRoom));
    });
  });
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 200));
  expect(answered).toBeGreaterThan(count);
  expect(turn).toBeLessThan(mostTurn);
});

test.each(['b', 'f'])('very large messages come in smaller pages without gaps (dir=%s)', async (dir) => {
  const alice = homeserver.as('alice');
  const room = (await alice.post('/_chat/client/v3/createRoom', {})).body.room_id;
  const sent = Array.from({ length: 120 }, (_, index) => `${index} ${'x'.repeat(50_000)}`);
  for (const [index, body] of sent.entries()) {
    const path = `/_chat/client/v3/rooms/${room}/send/m.room.message/${dir}${index}`;
    expect((await alice.put(path, { msgtype: 'm.text', body })).status).toBe(200);
  }
  const pages: string[][] = [];
  for (let from: string | undefined = ''; from !== undefined; ) {
    const page: Reply = await alice.get(
      `/_chat/client/v3/rooms/${room}/messages?dir=${dir}&limit=1000&from=${from}`,
    );
    const bodies = page.body.chunk.map(({ content }: { content: { body?: string } }) => content.body ?? '');
    pages.push(bodies.filter((body: string) => body !== ''));
    from = page.body.end;
  }
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.flat()).toEqual(dir === 'f' ? sent : sent.reverse());
});
