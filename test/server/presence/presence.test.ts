/** Presence by the clock, and during a database failure. */
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPresence } from '../../../server/conversation/presence/presence-store.ts';
import { manualClock } from '../../manual-clock.ts';
import { until } from '../../until.ts';
import { refuseInserts } from '../database/before-insert.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

test('users who stop or start syncing during a database fault are shown correctly afterwards', async () => {
  const clock = manualClock();
  const logged: string[] = [];
  const homeserver = await startHomeserver({ clock, log: (line) => logged.push(line) });
  const { db, presence } = homeserver.services;
  const [leaving, arriving] = [homeserver.as('alice').userId, homeserver.as('bob').userId];
  const shown = async (userId: string) => (await findPresence(db, userId))?.presence;
  const disconnect = presence.connect(leaving, 'online');
  await until(async () => expect(await shown(leaving)).toBe('online'));

  const begun = clock.monotonic();
  const acceptInserts = await refuseInserts(homeserver, 'presence');
  disconnect();
  presence.connect(arriving, 'online');
  // Longer than a user stays online after a sync, and longer than a retry takes.
  await until(() => {
    clock.advance(1_000);
    expect(clock.monotonic()).toBeGreaterThan(begun + 40_000);
    expect(logged.filter((line) => line.includes("presence: couldn't save changes"))).toHaveLength(1);
  });
  await acceptInserts();

  await until(async () => {
    clock.advance(1_000);
    expect([await shown(leaving), await shown(arriving)]).toEqual(['offline', 'online']);
  });
  await homeserver.remove();
});

test('users stay online while an update takes longer than a connection counts', async () => {
  const clock = manualClock();
  const homeserver = await startHomeserver({ clock });
  const { db, presence } = homeserver.services;
  const { userId } = homeserver.as('alice');
  presence.connect(userId, 'online');
  await until(async () => expect((await findPresence(db, userId))?.presence).toBe('online'));
  // The update begins after ten seconds, and ends after the minute.
  clock.advance(60_000);
  await presence.stop();
  expect((await findPresence(db, userId))?.presence).toBe('online');
  await homeserver.remove();
});

describe('by the clock', () => {
  const clock = manualClock();
  let homeserver: TestHomeserver;
  beforeAll(async () => {
    homeserver = await startHomeserver({ clock });
  });
  afterAll(() => homeserver.remove());

  const shown = async (userId: string) => (await findPresence(homeserver.services.db, userId))?.presence;
  /** Lets the time pass, and the sweeps that are due. */
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000);
      await setImmediate();
    }
    await homeserver.services.presence.settle();
  };

  test('users stay online for half a minute after their last sync', async () => {
    const { presence } = homeserver.services;
    const { userId } = await homeserver.add('dora');
    const ends = [presence.connect(userId, 'online'), presence.connect(userId, 'online')];
    await until(async () => expect(await shown(userId)).toBe('online'));
    await pass(60);
    expect(await shown(userId)).toBe('online');
    ends[0]?.();
    await pass(60);
    expect(await shown(userId)).toBe('online');
    ends[1]?.();
    await pass(29);
    expect(await shown(userId)).toBe('online');
    await until(async () => {
      clock.advance(1_000);
      expect(await shown(userId)).toBe('offline');
    });
  });

  test('users are unavailable after five idle minutes, until they do something', async () => {
    const { presence } = homeserver.services;
    const { userId } = await homeserver.add('erik');
    presence.connect(userId, 'online');
    await until(async () => expect(await shown(userId)).toBe('online'));
    await pass(299);
    expect(await shown(userId)).toBe('online');
    await until(async () => {
      clock.advance(1_000);
      expect(await shown(userId)).toBe('unavailable');
    });
    // Another sync isn't an activity.
    presence.connect(userId, 'online');
    await pass(1);
    expect(await shown(userId)).toBe('unavailable');
    presence.noteActive(userId);
    await until(async () => expect(await shown(userId)).toBe('online'));
    await pass(200);
    presence.noteActive(userId);
    await pass(200);
    expect(await shown(userId)).toBe('online');
  });

  test.each([
    ['offline', undefined, undefined],
    ['unavailable', 'unavailable', 'online'],
    ['online', 'online', 'online'],
  ] as const)(
    'a user who syncs as %s is shown as %s, and after an activity as %s',
    async (wanted, before, after) => {
      const { presence } = homeserver.services;
      const { userId } = await homeserver.add(`as-${wanted}`);
      presence.connect(userId, wanted);
      await presence.settle();
      expect(await shown(userId)).toBe(before);
      presence.noteActive(userId);
      await presence.settle();
      expect(await shown(userId)).toBe(after);
    },
  );

  test('a user who sets another presence keeps it while syncing', async () => {
    const { presence } = homeserver.services;
    const { userId } = await homeserver.add('frida');
    presence.connect(userId, 'online');
    await presence.set(userId, 'offline', 'away');
    presence.noteActive(userId);
    await pass(20);
    expect(await shown(userId)).toBe('offline');
    await presence.set(userId, 'unavailable', null);
    presence.connect(userId, 'unavailable');
    await pass(20);
    expect(await shown(userId)).toBe('unavailable');
  });
});
