/** A sync at one process is woken by what happens at another. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Pair, servePair } from './pair.ts';

describe.runIf(inject('postgres'))('a sync that waits at one process', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await servePair();
  });
  afterAll(() => pair.end());

  const client = '/_chat/client/v3';
  const sync = async (query: string) => {
    const reply = await pair.at(pair.one, 'GET', `${client}/sync?set_presence=offline&${query}`);
    expect(reply.status).toBe(200);
    return reply.body;
  };

  test('is answered by a message, a new room and account data of the other, long before its time is up', async () => {
    const { room_id: room } = (await pair.at(pair.one, 'POST', `${client}/createRoom`, {})).body;
    let { next_batch: since } = await sync('');
    const filter = JSON.stringify({ presence: { types: [] } });
    const woken = async (method: string, path: string, body: object) => {
      const waiting = sync(`since=${since}&timeout=600000&filter=${filter}`);
      const reply = await pair.at(pair.other, method, `${client}${path}`, body);
      expect(reply.status).toBe(200);
      const shown = await waiting;
      since = shown.next_batch;
      return { reply: reply.body, shown };
    };
    const message = await woken('PUT', `/rooms/${room}/send/m.room.message/1`, {
      msgtype: 'm.text',
      body: 'x',
    });
    expect(message.shown.rooms.join[room].timeline.events).toMatchObject([
      { event_id: message.reply.event_id },
    ]);
    const made = await woken('POST', '/createRoom', { name: 'Elsewhere' });
    expect(Object.keys(made.shown.rooms.join)).toEqual([made.reply.room_id]);
    const user = encodeURIComponent('@admin:localhost');
    const data = await woken('PUT', `/user/${user}/account_data/org.example`, { a: 1 });
    expect(data.shown.account_data.events).toContainEqual({ type: 'org.example', content: { a: 1 } });
  });
});
