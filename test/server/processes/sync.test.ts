/** An event on one process reaches clients on the other, and external services. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { type Pair, servePair } from './pair.ts';

describe.runIf(inject('postgres'))('of two processes', () => {
  let pair: Pair;
  let directory: string;
  /** Serves as a push gateway and an application service; `told` has the received texts of each. */
  let outside: Server;
  let told: { gateway: string[]; service: string[] };
  beforeEach(async () => {
    told = { gateway: [], service: [] };
    outside = createServer(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const { notification, events = [] } = JSON.parse(Buffer.concat(pieces).toString() || '{}');
      if (notification) told.gateway.push(notification.content.body);
      told.service.push(
        ...events.flatMap(({ content }: { content: { body?: string } }) => content.body ?? []),
      );
      response.end('{}');
    });
    await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
    directory = await mkdtemp(join(tmpdir(), 'gatehouse-service-'));
    const file = join(directory, 'service.yaml');
    await writeFile(
      file,
      JSON.stringify({
        ...{ id: 'watcher', as_token: 'as', hs_token: 'hs', sender_localpart: 'watcher', url: address() },
        namespaces: { rooms: [{ exclusive: false, regex: '!.*' }] },
      }),
    );
    pair = await servePair({ ip_range_whitelist: ['127.0.0.1/32'], app_service_config_files: [file] });
  });
  afterEach(async () => {
    await pair.end();
    outside.close();
    await rm(directory, { recursive: true });
  });

  const address = () => `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  const client = '/_chat/client/v3';
  const user = encodeURIComponent('@admin:localhost');
  const sync = async (query: string) => {
    const reply = await pair.at(pair.one, 'GET', `${client}/sync?set_presence=offline&${query}`);
    expect(reply.status).toBe(200);
    return reply.body;
  };
  /** Creates another user in a room. */
  async function makeGuest(name: string, room: string): Promise<string> {
    const password = 'correct horse';
    await pair.at(pair.one, 'PUT', `/_service/admin/v2/users/@${name}:localhost`, { password });
    const login = { type: 'm.login.password', user: name, password };
    const { access_token: token } = (await pair.at(pair.other, 'POST', `${client}/login`, login, '')).body;
    expect((await pair.at(pair.other, 'POST', `${client}/join/${room}`, {}, token)).status).toBe(200);
    return token;
  }

  test('one answers long polls for messages, new rooms and account data of the other', async () => {
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
    const data = await woken('PUT', `/user/${user}/account_data/org.example`, { a: 1 });
    expect(data.shown.account_data.events).toContainEqual({ type: 'org.example', content: { a: 1 } });
  });

  test("one answers long polls for the other's typing, receipts, presence and to-device messages", async () => {
    const { room_id: room } = (
      await pair.at(pair.one, 'POST', `${client}/createRoom`, { preset: 'public_chat' })
    ).body;
    const guest = await makeGuest('guest', room);
    const event = await pair.at(pair.one, 'PUT', `${client}/rooms/${room}/send/m.room.message/r`, {
      ...{ msgtype: 'm.text', body: 'read this' },
    });
    let { next_batch: since } = await sync('');
    /** Returns the matching part of a sync that a request wakes. Unrelated events may come first. */
    async function woken<Shown>(
      method: string,
      path: string,
      body: object,
      find: (shown: Awaited<ReturnType<typeof sync>>) => Shown | undefined,
    ): Promise<Shown> {
      const waiting = sync(`since=${since}&timeout=600000`);
      expect((await pair.at(pair.other, method, client + path, body, guest)).status).toBe(200);
      for (let shown = await waiting; ; shown = await sync(`since=${since}&timeout=600000`)) {
        since = shown.next_batch;
        const found = find(shown);
        if (found) return found;
      }
    }
    const passing = (type: string) => (shown: Awaited<ReturnType<typeof sync>>) =>
      shown.rooms?.join?.[room]?.ephemeral?.events.find((one: { type: string }) => one.type === type);

    const typing = { typing: true, timeout: 60_000 };
    expect(
      await woken('PUT', `/rooms/${room}/typing/@guest:localhost`, typing, passing('m.typing')),
    ).toMatchObject({ content: { user_ids: ['@guest:localhost'] } });
    const read = `/rooms/${room}/receipt/m.read/${event.body.event_id}`;
    expect(await woken('POST', read, {}, passing('m.receipt'))).toMatchObject({
      content: { [event.body.event_id]: { 'm.read': { '@guest:localhost': {} } } },
    });
    const messages = { messages: { '@admin:localhost': { '*': { body: 'psst' } } } };
    expect(
      await woken('PUT', '/sendToDevice/org.example/1', messages, ({ to_device }) => to_device?.events[0]),
    ).toMatchObject({ type: 'org.example', content: { body: 'psst' } });
    const away = { presence: 'unavailable', status_msg: 'at tea' };
    expect(
      await woken('PUT', '/presence/@guest:localhost/status', away, ({ presence }) =>
        presence?.events.find(({ content }: { content: object }) => 'status_msg' in content),
      ),
    ).toMatchObject({ sender: '@guest:localhost', content: away });
  });

  test('the other takes over pushing to gateways and services when one is killed', async () => {
    const { room_id: room } = (
      await pair.at(pair.one, 'POST', `${client}/createRoom`, { preset: 'public_chat' })
    ).body;
    const listener = await makeGuest('listener', room);
    const pusher = {
      ...{ app_id: 'org.example', pushkey: 'key', kind: 'http', lang: 'en' },
      ...{ app_display_name: 'Example', device_display_name: 'Phone' },
      data: { url: `${address()}/_matrix/push/v1/notify` },
    };
    const set = await pair.at(pair.other, 'POST', `${client}/pushers/set`, pusher, listener);
    expect(set.status).toBe(200);
    const say = (body: string) =>
      pair.at(pair.other, 'PUT', `${client}/rooms/${room}/send/m.room.message/${body}`, {
        ...{ msgtype: 'm.text', body },
      });
    const owners = async () => {
      const { rows } = await pair.database.query(
        `select distinct application_name as name from pg_locks join pg_stat_activity using (pid)
         where locktype = 'advisory' and objsubid = 1 and classid <> 0 and datname = current_database()`,
      );
      return rows.map(({ name }) => name);
    };
    const place = async () => (await pair.database.query('select place from pushers')).rows[0]?.place;
    const first = await place();
    await say('before');
    await expect.poll(() => [told.gateway.at(-1), told.service.at(-1)]).toEqual(['before', 'before']);
    // A notification that isn't recorded when its process dies is sent again, so waits for the record.
    await expect.poll(place).not.toBe(first);
    // The first process, which was alone for a while.
    expect(await owners()).toEqual(['one']);

    await pair.one.end('SIGKILL');
    await say('after');
    await expect.poll(() => [told.gateway.at(-1), told.service.at(-1)]).toEqual(['after', 'after']);
    expect(await owners()).toEqual(['other']);
    expect(told.gateway).toEqual(['before', 'after']);
  });
});
