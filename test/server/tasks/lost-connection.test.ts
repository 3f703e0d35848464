import { describe, expect, inject, test } from 'vitest';
import { makeData } from '../database/data.ts';
import { signIn } from '../database/logged-in-user.ts';

/** Enough rooms for a display name change to become a task. */
const roomCount = 22;

describe.runIf(inject('postgres'))('a task whose room is locked and whose connections are ended', () => {
  test('stays active and completes when the database allows it', { timeout: 120_000 }, async () => {
    const data = await makeData({ rc_room_creation: { per_second: 1e6, burst_count: 1e6 } });
    const homeserver = await data.start();
    const person = await signIn(homeserver.url);
    const rooms: string[] = [];
    for (let count = 0; count < roomCount; count++) {
      rooms.push((await person.post('/createRoom', {})).body.room_id);
    }
    const { user_id: userId } = (await person.get('/account/whoami')).body;

    const administrator = await data.connect();
    await administrator.query('begin');
    await administrator.query('select * from rooms where room_id = $1 for update', [rooms[0]]);
    await person.put(`/profile/${userId}/displayname`, { displayname: 'Renamed' });
    const { rows: tasks } = await administrator.query<{ id: string }>(
      "select id from scheduled_tasks where action = 'update_join_states'",
    );
    const status = async () => {
      const { rows } = await administrator.query('select status from scheduled_tasks where id = $1', [
        tasks[0]?.id,
      ]);
      return rows[0]?.status;
    };
    const lockWaiters = async () => {
      const { rows } = await administrator.query<{ pid: number }>(
        "select pid from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'",
        [data.database],
      );
      return rows.map(({ pid }) => pid);
    };
    // The task waits for the room, loses its connection, and retries.
    for (let round = 0; round < 2; round++) {
      await expect.poll(lockWaiters).not.toEqual([]);
      await administrator.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [
        await lockWaiters(),
      ]);
      expect(await status()).toBe('active');
    }
    await administrator.query('rollback');
    await expect.poll(status).toBe('complete');
    await administrator.end();

    for (const room of rooms) {
      const member = await person.get(`/rooms/${encodeURIComponent(room)}/state/m.room.member/${userId}`);
      expect(member.body.displayname).toBe('Renamed');
    }
    await homeserver.stop();
    await data.remove();
  });
});
