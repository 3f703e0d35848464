/** Tasks of a database that two processes serve: each runs in one of them, and none is left behind. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Pair, servePair } from './pair.ts';

/** So many that a task shows a new name in them. */
const roomCount = 22;
/** Within so many milliseconds what a dead process was at goes on elsewhere. */
const takeover = 20_000;

describe.runIf(inject('postgres'))('two processes', () => {
  let pair: Pair;
  const rooms: string[] = [];
  beforeAll(async () => {
    pair = await servePair({ rc_room_creation: { per_second: 1e6, burst_count: 1e6 } });
    for (let count = 0; count < roomCount; count++) {
      rooms.push((await pair.person.post('/createRoom', {})).body.room_id);
    }
  });
  afterAll(() => pair.end());

  const rename = (displayname: string) =>
    pair.person.put('/profile/@admin:localhost/displayname', { displayname });
  /** Who the name is shown by: each room's member event. */
  const shownNames = async () =>
    Promise.all(
      rooms.map(async (room) => {
        const path = `/_chat/client/v3/rooms/${encodeURIComponent(room)}/state/m.room.member/@admin:localhost`;
        return (await pair.at(pair.other, 'GET', path)).body.displayname;
      }),
    );
  const newestTask = async () => {
    const { rows } = await pair.database.query(
      "select * from scheduled_tasks where action = 'update_join_states' order by timestamp_ms desc, id limit 1",
    );
    return rows[0];
  };
  /** Which process waits for a lock, if one does. */
  const whoWaits = async (): Promise<string | undefined> => {
    const { rows } = await pair.database.query(
      "select application_name as name from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'",
      [pair.data.database],
    );
    return rows[0]?.name;
  };
  /** Lets the next task begin and stops it at its first room, until the function that it gives is called. */
  async function holdTask(displayname: string) {
    const administrator = await pair.data.connect();
    await administrator.query('begin');
    await administrator.query('select * from rooms where room_id = any($1) for update', [rooms]);
    await rename(displayname);
    await expect.poll(whoWaits).toBeDefined();
    return {
      task: await newestTask(),
      async letGo() {
        await administrator.query('rollback');
        await administrator.end();
      },
    };
  }

  test('do many tasks together', async () => {
    const base = '/_service/admin/v1';
    await Promise.all(
      rooms.slice(0, 20).map(async (room, index) => {
        const served = index % 2 === 0 ? pair.one : pair.other;
        const path = `${base}/purge_history/${encodeURIComponent(room)}`;
        await pair.at(served, 'POST', path, { purge_up_to_ts: Date.now() });
      }),
    );
    const unfinished = async () => {
      const { body } = await pair.at(pair.other, 'GET', `${base}/scheduled_tasks?action_name=purge_history`);
      return body.scheduled_tasks.filter(({ status }: { status: string }) => status !== 'complete');
    };
    await expect.poll(unfinished, { timeout: 20_000 }).toEqual([]);
  });

  /** The process that waits for a lock, until the task of `holdTask` may go on. */
  async function atWork() {
    // Between two attempts it waits for nothing.
    await expect.poll(whoWaits, { interval: 20 }).toBeDefined();
    return (await whoWaits()) === 'other' ? pair.other : pair.one;
  }

  test('and one goes on with a task when the other has lost its connection', {
    timeout: 60_000,
  }, async () => {
    const { task, letGo } = await holdTask('Taken');
    const owner = await atWork();
    const lost = new Promise<void>((resolve) => {
      owner.process.stderr?.on('data', (chunk: Buffer) => {
        if (String(chunk).includes(`lost task ${task.id}`)) resolve();
      });
    });
    await pair.database.query(
      `select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and objid = $1 and granted and application_name = $2
         and datname = current_database()`,
      [0x6761_7465, owner === pair.one ? 'one' : 'other'],
    );
    await lost;
    expect(await newestTask()).toMatchObject({ id: task.id, status: 'active' });
    await letGo();
    await expect.poll(async () => (await newestTask()).status, { timeout: takeover }).toBe('complete');
    expect(new Set(await shownNames())).toEqual(new Set(['Taken']));
  });

  test('and one goes on with what the other was at when it was killed', async () => {
    const { task, letGo } = await holdTask('Killed');
    const owner = await atWork();
    const left = owner === pair.one ? pair.other : pair.one;
    await owner.end('SIGKILL');
    const killed = performance.now();
    await letGo();
    const status = async () => {
      const { body } = await pair.at(left, 'GET', '/_service/admin/v1/scheduled_tasks');
      return body.scheduled_tasks.find(({ id }: { id: string }) => id === task.id)?.status;
    };
    expect(await status()).toBe('active');
    await expect.poll(status, { timeout: takeover + 5_000, interval: 100 }).toBe('complete');
    expect(performance.now() - killed).toBeLessThan(takeover);
  });
});
