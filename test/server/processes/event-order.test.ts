/** The stream of all events: no event appears later before a position that was already read. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Homeserver } from '../../../server/app/homeserver.ts';
import { type Pair, startPair } from './pair.ts';

const often = { per_second: 1e6, burst_count: 1e6 };
const rooms = '/_chat/client/v3/rooms';

describe.runIf(inject('postgres'))('events added by two servers', () => {
  let pair: Pair<Homeserver>;
  beforeAll(async () => {
    // Disables the lock timeout.
    pair = await startPair({ rc_message: often, rc_room_creation: often }, { options: '-c lock_timeout=0' });
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
  const say = async (member: Homeserver, room: string, id: string) => {
    const path = `${rooms}/${room}/send/m.room.message/${id}`;
    const reply = await pair.at(member, 'PUT', path, { msgtype: 'm.text', body: 'x' });
    expect(reply.status).toBe(200);
    return reply.body.event_id as string;
  };

  test("aren't overtaken by an event with a higher position", async () => {
    const [slow, fast] = [await newRoom(), await newRoom()];
    const blocker = await pair.data.connect();
    await blocker.query('begin');
    await blocker.query(
      "select * from current_state where room_id = $1 and type = 'm.room.topic' for update",
      [slow],
    );
    // It has its stream position and waits for the state row that it changes.
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

  test('are read once each, in order', async () => {
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

  test('are synced once each, in order, from both servers in turn', async () => {
    const own = [await newRoom(), await newRoom(), await newRoom()];
    const filter = JSON.stringify({
      room: { rooms: own, timeline: { limit: 1_000 } },
      presence: { types: [] },
    });
    const sync = async (member: Homeserver, query: string) => {
      const path = `/_chat/client/v3/sync?set_presence=offline&filter=${encodeURIComponent(filter)}${query}`;
      return (await pair.at(member, 'GET', path)).body;
    };
    let { next_batch: since } = await sync(pair.one, '');
    const sent: string[][] = own.map(() => []);
    let isOver = false;
    // Both servers send to each room.
    const sending = Promise.all(
      own.flatMap((room, index) =>
        [pair.one, pair.other].map(async (member, half) => {
          for (let count = 0; count < 15; count++) {
            sent[index]?.push(await say(member, room, `${half}-${count}`));
          }
        }),
      ),
    ).finally(() => {
      isOver = true;
    });
    const shown: string[][] = own.map(() => []);
    for (let last = false, turn = 0; !last; turn++) {
      last = isOver;
      const body = await sync(turn % 2 === 0 ? pair.one : pair.other, `&since=${since}`);
      since = body.next_batch;
      for (const [index, room] of own.entries()) {
        const { timeline } = body.rooms?.join?.[room] ?? {};
        expect(timeline?.limited ?? false).toBe(false);
        shown[index]?.push(...(timeline?.events ?? []).map((event: { event_id: string }) => event.event_id));
      }
    }
    await sending;
    for (const [index, room] of own.entries()) {
      const { body } = await pair.at(pair.one, 'GET', `${rooms}/${room}/messages?dir=b&limit=30`);
      const inOrder = body.chunk.map((event: { event_id: string }) => event.event_id).reverse();
      expect(shown[index]).toEqual(inOrder);
      expect(new Set(shown[index])).toEqual(new Set(sent[index]));
    }
  });
});
