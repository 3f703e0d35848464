/** A lost notification between processes costs a few seconds and has no other effect. */
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { until } from '../../until.ts';
import { type Pair, servePair } from './pair.ts';

const client = '/_chat/client/v3';

describe.runIf(inject('postgres'))('of two processes', () => {
  let pair: Pair;
  beforeEach(async () => {
    pair = await servePair();
  });
  afterEach(() => pair.end());

  /** Returns the PostgreSQL backend of the connection over which the first server sends notifications. */
  const tellsOver = async () => {
    const { rows } = await pair.database.query(
      `select pid from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and objid = $1 and granted and application_name = 'one'
         and datname = current_database()`,
      [0x6761_7465],
    );
    return rows[0].pid as number;
  };

  /**
   * Sends an event on the first server while a client waits on the second. The notification is lost.
   *
   * @param then runs after sending; its argument makes PostgreSQL notice the closed connection
   */
  async function sendUnheard(then: (end: () => Promise<void>) => Promise<void>): Promise<void> {
    // The first server may still be rejoining after the previous test.
    const { room_id: room } = await until(async () => {
      const created = await pair.at(pair.one, 'POST', `${client}/createRoom`, {});
      expect(created).toMatchObject({ status: 200 });
      return created.body;
    });
    const sync = async (query: string) =>
      (await pair.at(pair.other, 'GET', `${client}/sync?set_presence=offline&${query}`)).body;
    const { next_batch: since } = await sync('');
    // Without the notification, this would wait longer than the test.
    const waiting = sync(`since=${since}&timeout=600000`);
    // After these replies, the sync has checked for events and waits.
    for (let count = 0; count < 5; count++) {
      await pair.at(pair.other, 'GET', `${client}/account/whoami`);
    }
    const backend = await tellsOver();
    process.kill(backend, 'SIGSTOP');
    let isOver = false;
    const end = async () => {
      if (isOver) return;
      isOver = true;
      await pair.database.query('select pg_terminate_backend($1)', [backend]);
      process.kill(backend, 'SIGCONT');
    };
    try {
      const path = `${client}/rooms/${room}/send/m.room.message/unheard`;
      const sent = await pair.at(pair.one, 'PUT', path, { msgtype: 'm.text', body: 'x' });
      expect(sent).toMatchObject({ status: 200 });
      await then(end);
      const { rooms } = await waiting;
      expect(rooms.join[room].timeline.events).toMatchObject([{ event_id: sent.body.event_id }]);
    } finally {
      await end();
    }
  }

  test.runIf(isMatrix)('one finds a background update without a notification', async () => {
    await pair.database.query(
      `insert into background_updates (name, ordering, progress, total_item_count, total_duration_ms)
       values ('populate_stats_process_rooms', 1, '{}', 0, 0)`,
    );
    const status = async () =>
      (await pair.at(pair.other, 'GET', '/_service/admin/v1/background_updates/status')).body;
    await expect.poll(status).toEqual({ enabled: true, current_updates: {} });
  });

  test.runIf(isMatrix)(
    'one answers a long poll after the other, whose notification was lost, joins again',
    () => sendUnheard(async () => {}),
  );

  test('one answers a long poll after the other died before its notification', () =>
    sendUnheard(async (end) => {
      await pair.one.end('SIGKILL');
      await end();
    }));
});
