/** Gateways that are slow or never reply. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { openSession } from '../../../server/identity/sessions/sessions.ts';
import { manualClock } from '../../manual-clock.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path, say } from '../rooms/client.ts';
import { callableNetworks, type Pushing, startPushing } from './gateway.ts';

let { homeserver, gateway, room, pusher, set, end } = {} as Pushing;

beforeAll(async () => {
  ({ homeserver, gateway, room, pusher, set, end } = await startPushing());
});
afterAll(() => end());

test('a user with unresponsive gateways delays no one else', async () => {
  const release = gateway.hold('held');
  for (let i = 0; i < 12; i++) await set(pusher({ pushkey: `held ${i}` }, { url: gateway.url('held') }));
  await set(pusher({ pushkey: 'carol' }), 'carol');
  gateway.notes = [];
  const keys = () => gateway.notes.map(({ devices }) => devices[0].pushkey);
  await say(homeserver.as('alice'), room, 'to everybody');
  await expect.poll(keys).toContain('carol');
  await say(homeserver.as('alice'), room, 'and on');
  await expect.poll(() => keys().filter((key) => key === 'carol').length).toBe(2);
  expect(gateway.givenUp).toBe(0);
  release();
  await expect.poll(() => new Set(keys()).size).toBe(13);
  for (let i = 0; i < 12; i++) await set(pusher({ pushkey: `held ${i}`, kind: null }));
  await set(pusher({ pushkey: 'carol', kind: null }), 'carol');
});

test('a slow gateway receives nothing after its pusher is deleted', async () => {
  await set(pusher());
  await set(pusher({ pushkey: 'taken' }, { url: gateway.url('taken') }));
  gateway.notes = [];
  const release = gateway.hold('taken');
  await say(homeserver.as('alice'), room, 'first');
  await expect.poll(() => gateway.told('taken')).toEqual(['first']);
  // One pass sends both.
  for (const text of ['second', 'third']) await say(homeserver.as('alice'), room, text);
  const releaseAgain = gateway.hold('taken');
  release();
  await expect.poll(() => gateway.told('taken')).toEqual(['first', 'second']);
  await set(pusher({ pushkey: 'taken', kind: null }));
  releaseAgain();
  await say(homeserver.as('alice'), room, 'fourth');
  await expect.poll(() => gateway.told('key')).toEqual(['first', 'second', 'third', 'fourth']);
  expect(gateway.told('taken')).toEqual(['first', 'second']);
  await set(pusher({ kind: null }));
});

test('events during a slow request are sent soon after it', async () => {
  await set(pusher({ pushkey: 'slow' }, { url: gateway.url('slow') }));
  await set(pusher({ pushkey: 'slower' }, { url: gateway.url('slower') }), 'carol');
  gateway.notes = [];
  const releaseSlow = gateway.hold('slow');
  await say(homeserver.as('alice'), room, 'slow first');
  await expect.poll(() => gateway.told('slow')).toEqual(['slow first']);
  await expect.poll(() => gateway.told('slower')).toEqual(['slow first']);
  // The next pass notifies this gateway and skips the slow one.
  const releaseSlower = gateway.hold('slower');
  await say(homeserver.as('alice'), room, 'slow second');
  await expect.poll(() => gateway.told('slower')).toEqual(['slow first', 'slow second']);
  const { db } = homeserver.services;
  const isThrough = async () =>
    (await db.selectFrom('pushers').select('badged').where('pushkey', '=', 'slow').execute())[0]?.badged;
  releaseSlow();
  await expect.poll(isThrough).toBe(1);
  releaseSlower();
  await expect.poll(() => gateway.told('slow')).toEqual(['slow first', 'slow second']);
  await set(pusher({ pushkey: 'slow', kind: null }));
  await set(pusher({ pushkey: 'slower', kind: null }), 'carol');
});

test("events read during a slow request aren't sent", async () => {
  await set(pusher({ pushkey: 'read' }, { url: gateway.url('read') }));
  const release = gateway.hold('read');
  await say(homeserver.as('alice'), room, 'first');
  await expect.poll(() => gateway.told('read')).toEqual(['first']);
  // One pass sends both.
  await say(homeserver.as('alice'), room, 'second');
  const third = await say(homeserver.as('alice'), room, 'third');
  const releaseAgain = gateway.hold('read');
  release();
  await expect.poll(() => gateway.told('read')).toEqual(['first', 'second']);
  await homeserver.as('bob').post(path('rooms', room, 'receipt', 'm.read', third), {});
  releaseAgain();
  await say(homeserver.as('alice'), room, 'fourth');
  // Excludes notifications that clear the badge.
  const texts = () => gateway.told('read').filter((text) => text !== undefined);
  await expect.poll(texts).toEqual(['first', 'second', 'fourth']);
  await set(pusher({ pushkey: 'read', kind: null }));
});

describe('while time stands still', () => {
  let clock: ReturnType<typeof manualClock>;
  let still: TestHomeserver;
  let hall: string;
  beforeEach(async () => {
    clock = manualClock();
    gateway.notes = [];
    still = await startHomeserver({ clock, config: { callableNetworks } });
    hall = await makeRoom(still.as('alice'));
    await change(still.as('bob'), hall, 'join');
  });
  afterEach(() => still.remove());

  /** Polls while advancing the clock by at most this many milliseconds. */
  const within = <Seen>(milliseconds: number, look: () => Seen) => {
    let left = milliseconds;
    return expect.poll(() => {
      const step = Math.min(left, 50);
      left -= step;
      clock.advance(step);
      return look();
    });
  };

  test.each([
    ['fails', { status: 502, body: {} }],
    ['knows the key no more', { status: 200, body: { rejected: ['anew'] } }],
  ])("a late reply (%s) of a gateway doesn't affect its replacement", async (_, answer) => {
    const setTo = (query: string) =>
      still.as('bob').post(path('pushers', 'set'), pusher({ pushkey: 'anew' }, { url: gateway.url(query) }));
    const release = gateway.hold('old');
    await setTo('old');
    await say(still.as('alice'), hall, 'hello');
    // Far less than the delay after a failure.
    await within(500, () => gateway.told('anew')).toEqual(['hello']);
    await setTo('new');
    release(answer);
    await within(500, () => gateway.told('anew')).toEqual(['hello', 'hello']);
    expect((await still.as('bob').get(path('pushers'))).body.pushers).toHaveLength(1);
  });

  test("many users with an unresponsive gateway don't delay one with another", async () => {
    const release = gateway.hold('never');
    const elsewhere = gateway.url('never').replace('localhost', '127.0.0.1');
    const held = () => gateway.notes.filter(({ devices }) => devices[0].pushkey.startsWith('@slow')).length;
    const nameTwo = async (localpart: string) => {
      const userId = await createUser(still.services, { localpart });
      const { accessToken } = await openSession(still.services, userId);
      const post = (at: string, body: object) => call(still.url, 'POST', at, accessToken, body);
      await post(path('rooms', hall, 'join'), {});
      for (const pushkey of [`${userId} 1`, `${userId} 2`]) {
        const body = pusher({ pushkey }, { url: elsewhere });
        expect(await post(path('pushers', 'set'), body)).toMatchObject({ status: 200 });
      }
    };
    await Promise.all(Array.from({ length: 51 }, (_, index) => nameTwo(`slow${index}`)));
    await still.as('bob').post(path('pushers', 'set'), pusher({ pushkey: 'quick' }));
    await say(still.as('alice'), hall, 'to everybody');
    await within(3_000, () => gateway.told('quick')).toEqual(['to everybody']);
    await expect.poll(held).toBe(100);
    expect(gateway.givenUp).toBe(0);
    release();
    await within(3_000, held).toBe(102);
    // Also when all pushers have failed before.
    const releaseAgain = gateway.hold('never');
    const isThrough = async () => {
      clock.advance(50);
      const behind = still.services.db.selectFrom('pushers').select('id').where('badged', '=', 0);
      return (await behind.execute()).length;
    };
    await expect.poll(isThrough).toBe(0);
    await still.services.db.updateTable('pushers').set({ attempts: 1 }).execute();
    gateway.notes = [];
    await say(still.as('alice'), hall, 'once more');
    await within(3_000, () => gateway.told('quick')).toEqual(['once more']);
    await expect.poll(held).toBe(100);
    releaseAgain();
  });
});
