/** Presence during a database failure: unsaved changes are saved afterwards. */
import { expect, test } from 'vitest';
import { findPresence } from '../../../server/conversation/presence/presence-store.ts';
import { manualClock } from '../../manual-clock.ts';
import { until } from '../../until.ts';
import { refuseInserts } from '../database/before-insert.ts';
import { startHomeserver } from '../homeserver.ts';

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
