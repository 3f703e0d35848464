import { expect, test } from 'vitest';
import { createCache } from '../../../server/platform/core/cache.ts';
import { manualClock } from '../../manual-clock.ts';
import { startHomeserver } from '../homeserver.ts';

const minute = 60_000;

test('an unused entry expires, a used one stays', () => {
  const clock = manualClock();
  const cache = createCache<string, number>(10, { globalFactor: 1, entryTtlMs: 30 * minute }, clock);
  cache.set('asked', 1);
  cache.set('idle', 2);
  clock.advance(29 * minute);
  expect(cache.get('asked')).toBe(1);
  clock.advance(minute);
  cache.evictIdle();
  expect(cache.get('idle')).toBeUndefined();
  expect(cache.get('asked')).toBe(1);
  clock.advance(30 * minute);
  expect(cache.get('asked')).toBeUndefined();
});

test("entries that don't expire stay", () => {
  const clock = manualClock();
  const cache = createCache<string, number>(10, { globalFactor: 1, entryTtlMs: undefined }, clock);
  cache.set('kept', 1);
  clock.advance(1000 * minute);
  cache.evictIdle();
  expect(cache.get('kept')).toBe(1);
});

test('the factor sets the size', () => {
  const held = (globalFactor: number) => {
    const cache = createCache<number, number>(100, { globalFactor, entryTtlMs: undefined }, manualClock());
    for (let key = 0; key < 1000; key++) cache.set(key, key);
    return Array.from({ length: 1000 }, (_, key) => cache.get(key)).filter((value) => value !== undefined)
      .length;
  };
  expect(held(0.1)).toBeLessThanOrEqual(20);
  expect(held(2)).toBeGreaterThanOrEqual(200);
});

test('a tiny cache only affects caching, not permissions', async () => {
  const homeserver = await startHomeserver({ config: { caches: { globalFactor: 0.0001, entryTtlMs: 0 } } });
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  const { body } = await alice.post('/_chat/client/v3/createRoom', { preset: 'public_chat' });
  const room = `/_chat/client/v3/rooms/${encodeURIComponent(body.room_id)}`;
  await bob.post(`${room}/join`, {});
  const say = (txn: string) =>
    bob.put(`${room}/send/m.room.message/${txn}`, { msgtype: 'm.text', body: txn });
  expect((await say('1')).status).toBe(200);
  await alice.post(`${room}/ban`, { user_id: '@bob:localhost' });
  expect(await say('2')).toMatchObject({ status: 403, body: { errcode: 'M_FORBIDDEN' } });
  await homeserver.remove();
});
