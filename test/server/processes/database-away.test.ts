/** PostgreSQL fails under two processes: both recover automatically without losing data. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { type OwnPostgres, startOwnPostgres } from '../database/own-postgres.ts';
import type { Served } from '../gatehouse.ts';
import { type Pair, servePair } from './pair.ts';

const client = '/_chat/client/v3';

describe.runIf(inject('postgres') && isMatrix)('two processes', () => {
  let postgres: OwnPostgres;
  let pair: Pair;
  let room: string;
  beforeAll(async () => {
    postgres = await startOwnPostgres();
    const { host, port, user, password } = postgres;
    const often = { per_second: 1e6, burst_count: 1e6 };
    pair = await servePair({ rc_message: often }, { host, port, user, password, dbname: 'postgres' });
    room = (await pair.at(pair.one, 'POST', `${client}/createRoom`, {})).body.room_id;
  });
  afterAll(async () => {
    await pair.end();
    await postgres.remove();
  });

  const acknowledged: string[] = [];
  let sent = 0;
  const say = async (served: Served) => {
    const path = `${client}/rooms/${room}/send/m.room.message/${++sent}`;
    const reply = await pair.at(served, 'PUT', path, { msgtype: 'm.text', body: 'x' });
    if (reply.status === 200) acknowledged.push(reply.body.event_id);
    else {
      expect(reply).toMatchObject({ status: 503, body: { errcode: 'M_UNKNOWN' } });
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    return reply.status;
  };
  const both = () => [pair.one, pair.other];

  test('continue after a restart with all acknowledged events', async () => {
    for (const served of both()) expect(await say(served)).toBe(200);
    const storm = Promise.all(Array.from({ length: 20 }, (_, index) => say(both()[index % 2] ?? pair.one)));
    await postgres.stop();
    await storm;
    for (const served of both()) expect(await say(served)).toBe(503);
    await postgres.start();
    for (const served of both()) {
      await expect.poll(() => say(served), { interval: 100 }).toBe(200);
    }
    const { body } = await pair.at(pair.other, 'GET', `${client}/rooms/${room}/messages?dir=f&limit=1000`);
    const ids = body.chunk.map(({ event_id }: { event_id: string }) => event_id);
    expect(ids).toEqual(expect.arrayContaining(acknowledged));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
