import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ManualClock, manualClock } from '../../manual-clock.ts';
import { startHomeserver, type TestHomeserver, unlimited } from '../homeserver.ts';

const hour = 3_600_000;
let clock: ManualClock;
let homeserver: TestHomeserver;
beforeAll(async () => {
  clock = manualClock();
  const message = { perSecond: 0.5, burstCount: 3 };
  homeserver = await startHomeserver({ clock, config: { rateLimits: { ...unlimited, message } } });
});
afterAll(() => homeserver.remove());

const say = async () => {
  const path = '/_chat/client/v3/rooms/!none:localhost/send/m.room.message/1';
  const { status, body } = await homeserver.as('alice').put(path, {});
  return status === 429 ? body.retry_after_ms : 'let through';
};

test('a clock set back by an hour makes no one wait an hour', async () => {
  for (let count = 0; count < 3; count++) expect(await say()).toBe('let through');
  clock.setBack(hour);
  expect(await say()).toBeLessThanOrEqual(2000);
  clock.advance(2000);
  expect(await say()).toBe('let through');
  expect(await say()).toBe(2000);
});

test.runIf(inject('postgres'))('limits are in the database and survive a restart', async () => {
  clock.advance(hour);
  for (let count = 0; count < 3; count++) expect(await say()).toBe('let through');
  await homeserver.restart();
  expect(await say()).toBe(2000);
});
