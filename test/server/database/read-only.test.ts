/** A PostgreSQL primary that rejects writes: some hosts set this when a disk is full. */
import { expect, inject, test } from 'vitest';
import { gatehouse, serve } from '../gatehouse.ts';
import { makeData } from './data.ts';
import { signIn } from './logged-in-user.ts';

test.runIf(inject('postgres'))(
  'a read-only database prevents the start, and one that becomes so gives 503 until writable',
  async () => {
    const data = await makeData();
    const administrator = await data.connect('postgres');
    /** Changes the setting and ends all connections, as a database restart would. */
    const setReadOnly = async (value: 'on' | 'off') => {
      await administrator.query(
        `alter database ${data.database} set default_transaction_read_only = ${value}`,
      );
      await administrator.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        data.database,
      ]);
    };

    await setReadOnly('on');
    const refused = await gatehouse('serve', '--port', '0', ...data.source);
    expect(refused).toMatchObject({ code: 1, output: '' });
    expect(refused.errors).toMatch(/^gatehouse: database[^\n]*the database server is read-only[^\n]*\n$/);
    await setReadOnly('off');

    const served = await serve(...data.source);
    const person = await signIn(served.url);
    const room = encodeURIComponent((await person.post('/createRoom', {})).body.room_id);
    let sent = 0;
    const say = () =>
      person.put(`/rooms/${room}/send/m.room.message/${++sent}`, { msgtype: 'm.text', body: 'x' });
    const calls = [
      say,
      () => person.get(`/rooms/${room}/messages?dir=b`),
      () => person.get('/account/whoami'),
    ];
    for (const call of calls) expect((await call()).status).toBe(200);

    await setReadOnly('on');
    // PostgreSQL reports ended connections before the last one is closed.
    await expect.poll(async () => (await person.get('/account/whoami')).status).toBe(503);
    // Reads fail too: a read-only server may be a standby with outdated data.
    for (const { status, body, headers } of await Promise.all([...calls, ...calls].map((call) => call()))) {
      expect({ status, body }).toMatchObject({ status: 503, body: { errcode: 'M_UNKNOWN' } });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }

    await setReadOnly('off');
    for (const call of calls) {
      await expect.poll(async () => (await call()).status).toBe(200);
    }
    expect(await served.end('SIGTERM')).toBe(0);
    await administrator.end();
    await data.remove();
  },
);
