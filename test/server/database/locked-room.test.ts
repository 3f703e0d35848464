import { describe, expect, inject, test } from 'vitest';
import { makeData } from './data.ts';
import { signIn } from './logged-in-user.ts';

const senders = 14;

describe.runIf(inject('postgres'))('a locked room', () => {
  test('delays its senders only', { timeout: 120_000 }, async () => {
    const data = await makeData();
    await data.configure({ options: '-c lock_timeout=300ms' });
    const homeserver = await data.start();
    const person = await signIn(homeserver.url);
    const rooms: string[] = [];
    for (const name of ['Locked', 'Free']) {
      rooms.push(encodeURIComponent((await person.post('/createRoom', { name })).body.room_id));
    }
    const say = (room: string | undefined, transaction: number) =>
      person.put(`/rooms/${room}/send/m.room.message/${transaction}`, { msgtype: 'm.text', body: 'x' });

    const administrator = await data.connect();
    await administrator.query('begin');
    await administrator.query("select * from rooms where name = 'Locked' for update");
    const waiting = Array.from({ length: senders }, (_, index) => say(rooms[0], index));
    // All requests have arrived: none has a reply, and some wait for the room's lock.
    await expect
      .poll(async () => {
        const { rows } = await administrator.query(
          "select count(*)::int as count from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'",
          [data.database],
        );
        return rows[0].count;
      })
      .toBeGreaterThan(0);

    const began = performance.now();
    while (performance.now() - began < 1_000) {
      const asked = performance.now();
      expect((await person.get('/account/whoami')).status).toBe(200);
      expect(performance.now() - asked).toBeLessThan(2_000);
    }
    expect((await say(rooms[1], 1)).status).toBe(200);

    for (const { status, body } of await Promise.all(waiting)) {
      expect({ status, body }).toMatchObject({ status: 503, body: { errcode: 'M_UNKNOWN' } });
    }
    await administrator.query('rollback');
    await administrator.end();
    expect((await say(rooms[0], 100)).status).toBe(200);
    await homeserver.stop();
    await data.remove();
  });
});
