/** Data that a client sets just as its user joins a replacement room. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path } from './client.ts';

// SQLite can't reach this state: it runs one transaction at a time.
describe.runIf(inject('postgres'))('direct message data', () => {
  let homeserver: TestHomeserver;
  beforeAll(async () => {
    homeserver = await startHomeserver();
  });
  afterAll(() => homeserver.remove());

  test('set while its user joins a replacement room is kept', async () => {
    const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
    const { db } = homeserver.services;
    const [old, other] = [await makeRoom(alice), await makeRoom(alice)];
    await change(bob, old, 'join');
    const direct = path('user', bob.userId, 'account_data', 'm.direct');
    await bob.put(direct, { '@alice:localhost': [old] });
    const { body } = await alice.post(path('rooms', old, 'upgrade'), { new_version: '12' });
    const next = body.replacement_room;

    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows[0]?.count;
    };
    const { set, joined } = await db.transaction().execute(async (tx) => {
      await sql`select 1 from account_data where user_id = ${bob.userId} for update`.execute(tx);
      const set = bob.put(direct, { '@alice:localhost': [old], '@carol:localhost': [other] });
      await expect.poll(waiting).toBe(1);
      const joined = bob.post(path('rooms', next, 'join'), {});
      await expect.poll(waiting).toBe(2);
      return { set, joined };
    });
    expect([(await set).status, (await joined).status]).toEqual([200, 200]);
    expect((await bob.get(direct)).body).toEqual({
      '@alice:localhost': [old, next],
      '@carol:localhost': [other],
    });
  });
});
