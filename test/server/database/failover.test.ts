import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { type Served, serve } from '../gatehouse.ts';
import { call } from '../homeserver.ts';
import { sharedSecret } from './data.ts';
import { signIn } from './logged-in-user.ts';
import { startOwnPair } from './own-postgres.ts';

describe.runIf(inject('postgres') && isMatrix)('a PostgreSQL with a standby', () => {
  test('two processes continue at the promoted standby with all acknowledged events', {
    timeout: 180_000,
  }, async () => {
    const { primary, standby } = await startOwnPair();
    const { host, port, user, password } = primary;
    const administrator = new Client({ host, port, user, password, database: 'postgres' });
    administrator.on('error', () => {});
    await administrator.connect();
    await administrator.query("create database matrix template template0 lc_collate 'C' lc_ctype 'C'");
    await administrator.end();
    const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-failover-'));
    const file = join(dataDir, 'homeserver.yaml');
    const args = {
      ...{ user, password, dbname: 'matrix', sslmode: 'disable', target_session_attrs: 'read-write' },
      // The read-only host comes first, but the server must skip it.
      host: `${standby.host},${host}`,
      port: `${standby.port},${port}`,
    };
    await writeFile(
      file,
      JSON.stringify({
        registration_shared_secret: sharedSecret,
        database: { name: 'psycopg2', args },
      }),
    );
    const source = ['--config', file, '--data-dir', dataDir];
    const one = await serve(...source);
    const other = await serve(...source);
    const person = await signIn(one.url);
    const room = encodeURIComponent((await person.post('/createRoom', {})).body.room_id);
    const acknowledged: string[] = [];
    let sent = 0;
    const say = async (served: Served) => {
      const body = `message ${++sent}`;
      const path = `/_chat/client/v3/rooms/${room}/send/m.room.message/${sent}`;
      const reply = await call(served.url, 'PUT', path, person.token, { msgtype: 'm.text', body });
      if (reply.status === 200) acknowledged.push(body);
      return reply;
    };
    const sayAtBoth = async () => {
      for (let count = 0; count < 10; count++) {
        for (const served of [one, other]) expect((await say(served)).status).toBe(200);
      }
    };
    await sayAtBoth();

    await primary.stop();
    for (const reply of await Promise.all([one, other, one, other].map(say))) {
      expect(reply).toMatchObject({ status: 503, body: { errcode: 'M_UNKNOWN' } });
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await standby.promote();
    for (const served of [one, other]) {
      const status = async () => (await say(served)).status;
      await expect.poll(status, { interval: 100 }).toBe(200);
    }
    await sayAtBoth();

    for (const served of [one, other]) {
      const path = `/_chat/client/v3/rooms/${room}/messages?dir=f&limit=1000`;
      const { body } = await call(served.url, 'GET', path, person.token);
      const bodies = body.chunk.map(({ content }: { content: { body?: string } }) => content.body);
      expect(bodies).toEqual(expect.arrayContaining(acknowledged));
    }
    for (const served of [one, other]) expect(await served.end('SIGTERM')).toBe(0);
    await rm(dataDir, { recursive: true });
    await standby.remove();
    await primary.remove();
  });
});
