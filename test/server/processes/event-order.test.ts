/** The order of all events: who has read up to a place never finds another event there later. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Served } from '../gatehouse.ts';
import { type Pair, servePair } from './pair.ts';

const often = { per_second: 1e6, burst_count: 1e6 };
const rooms = '/_chat/client/v3/rooms';

describe.runIf(inject('postgres'))('events that two processes add', () => {
  let pair: Pair;
  beforeAll(async () => {
    // Who waits for a lock keeps waiting.
    pair = await servePair({ rc_message: often, rc_room_creation: often }, { options: '-c lock_timeout=0' });
  });
  afterAll(() => pair.end());

  const settled = async () => {
    const { rows } = await pair.database.query('select settled_event_place()::int as place');
    return rows[0].place as number;
  };
  const eventsUpTo = async (place: number) => {
    const { rows } = await pair.database.query(
      'select event_id from events where stream_ordering <= $1 order by stream_ordering',
      [place],
    );
    return rows.map((row) => row.event_id as string);
  };
  const placeOf = async (eventId: string) => {
    const { rows } = await pair.database.query(
      'select stream_ordering::int as place from events where event_id = $1',
      [eventId],
    );
    return rows[0].place as number;
  };
  const newRoom = async () =>
    (await pair.at(pair.one, 'POST', '/_chat/client/v3/createRoom', { topic: 'first' })).body.room_id;
  const say = async (served: Served, room: string, id: string) => {
    const path = `${rooms}/${room}/send/m.room.message/${id}`;
    const reply = await pair.at(served, 'PUT', path, { msgtype: 'm.text', body: 'x' });
    expect(reply.status).toBe(200);
    return reply.body.event_id as string;
  };

  test('are not passed by while one with a lower number is on its way', async () => {
    const [slow, fast] = [await newRoom(), await newRoom()];
    const blocker = await pair.data.connect();
    await blocker.query('begin');
    await blocker.query(
      "select * from current_state where room_id = $1 and type = 'm.room.topic' for update",
      [slow],
    );
    // It has its number, and waits for the state that it changes.
    const changing = pair.at(pair.one, 'PUT', `${rooms}/${slow}/state/m.room.topic`, { topic: 'second' });
    const marks = async () => {
      const { rows } = await pair.database.query(
        `select count(*)::int as count from pg_locks where locktype = 'advisory' and classid = ${0x6761_7468}
         and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows[0].count;
    };
    await expect.poll(marks).toBe(1);
    const event = await say(pair.other, fast, 'past');
    const place = await settled();
    expect(place).toBeLessThan((await placeOf(event)) - 1);
    const seen = await eventsUpTo(place);
    await blocker.query('rollback');
    await blocker.end();
    expect((await changing).status).toBe(200);
    expect(await eventsUpTo(place)).toEqual(seen);
    expect(await settled()).toBe(await placeOf(event));
    expect(await placeOf((await changing).body.event_id)).toBeLessThan(await placeOf(event));
  });

  test('are read once each, in order, by who reads on from where they were', async () => {
    const own = [await newRoom(), await newRoom(), await newRoom(), await newRoom()];
    const begun = await settled();
    const sending = Promise.all(
      own.map(async (room, index) => {
        for (let count = 0; count < 15; count++) {
          await say(index % 2 === 0 ? pair.one : pair.other, room, `${index}-${count}`);
        }
      }),
    );
    const read: string[] = [];
    let isOver = false;
    const over = sending.finally(() => {
      isOver = true;
    });
    for (let place = begun, last = false; !last; ) {
      last = isOver;
      const next = await settled();
      expect(next).toBeGreaterThanOrEqual(place);
      const { rows } = await pair.database.query(
        'select event_id from events where stream_ordering > $1 and stream_ordering <= $2 order by stream_ordering',
        [place, next],
      );
      read.push(...rows.map((row) => row.event_id));
      place = next;
    }
    await over;
    const { rows } = await pair.database.query(
      'select event_id from events where stream_ordering > $1 order by stream_ordering',
      [begun],
    );
    expect(rows).toHaveLength(60);
    expect(read).toEqual(rows.map((row) => row.event_id));
  });
});
