/** Tasks on a database with two processes: each runs in one of them, and none is left behind. */
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { until } from '../../until.ts';
import { type Pair, servePair } from './pair.ts';

/** Enough rooms for a display name change to become a task. */
const roomCount = 22;

describe.runIf(inject('postgres'))('two processes', () => {
  let pair: Pair;
  let rooms: string[];
  beforeEach(async () => {
    pair = await servePair({ rc_room_creation: { per_second: 1e6, burst_count: 1e6 } });
    rooms = [];
    for (let count = 0; count < roomCount; count++) {
      rooms.push((await pair.person.post('/createRoom', {})).body.room_id);
    }
  });
  afterEach(() => pair.end());

  const rename = (displayname: string) =>
    pair.person.put('/profile/@admin:localhost/displayname', { displayname });
  /** Returns the display name in each room's member event. */
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
  /** The connection that blocks the task. */
  let blocking: number;
  /** Returns the name of the process that waits for it, if any; processes also wait for each other. */
  const whoWaits = async (): Promise<string | undefined> => {
    const { rows } = await pair.database.query(
      'select application_name as name from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
      [blocking],
    );
    return rows[0]?.name;
  };
  /** Starts a task and blocks it at its first room until the returned function is called. */
  async function holdTask(displayname: string) {
    const administrator = await pair.data.connect();
    await administrator.query('begin');
    blocking = (await administrator.query('select pg_backend_pid() as pid')).rows[0].pid;
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

  test('share many tasks', async () => {
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
    await expect.poll(unfinished).toEqual([]);
  });

  /** Returns the process that runs the task of `holdTask`. */
  async function atWork() {
    // It waits for no lock between retries.
    const name = await until(async () => {
      const waiting = await whoWaits();
      if (!waiting) throw new Error('No process waits for the lock');
      return waiting;
    });
    return name === 'other' ? pair.other : pair.one;
  }

  test('and one continues a task when the other loses its connection', async () => {
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
    await expect.poll(async () => (await newestTask()).status).toBe('complete');
    expect(new Set(await shownNames())).toEqual(new Set(['Taken']));
  });

  test('and one continues a task when the other is killed', async () => {
    const { task, letGo } = await holdTask('Killed');
    const owner = await atWork();
    const left = owner === pair.one ? pair.other : pair.one;
    await owner.end('SIGKILL');
    const status = async () => {
      const { body } = await pair.at(left, 'GET', '/_service/admin/v1/scheduled_tasks');
      return body.scheduled_tasks.find(({ id }: { id: string }) => id === task.id)?.status;
    };
    expect(await status()).toBe('active');
    await letGo();
    await expect.poll(status).toBe('complete');
  });
});
