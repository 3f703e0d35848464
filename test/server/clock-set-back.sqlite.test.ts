/** Setting the machine's clock back by a day: nothing waits for that day to pass. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../server/platform/core/clock.ts';
import { type ManualClock, manualClock } from '../manual-clock.ts';
import { startHomeserver, type TestHomeserver } from './homeserver.ts';
import { callableNetworks } from './notifications/gateway.ts';
import { change, makeRoom, path, say } from './rooms/client.ts';

const day = 24 * 60 * 60_000;

async function start(clock: ManualClock): Promise<TestHomeserver> {
  const homeserver = await startHomeserver({ clock });
  onTestFinished(() => homeserver.remove());
  return homeserver;
}

test('typing and presence expire on time after the clock is set back', async () => {
  const clock = manualClock();
  const homeserver = await start(clock);
  const alice = homeserver.as('alice');
  const room = await makeRoom(alice);
  await change(homeserver.as('bob'), room, 'join');
  const sync = async (who: string, presence: string) =>
    (await homeserver.as(who).get(`${path('sync')}?set_presence=${presence}&timeout=0`)).body;
  const writing = async () => {
    const { events } = (await sync('bob', 'offline')).rooms.join[room].ephemeral;
    return events.filter(({ type }: { type: string }) => type === 'm.typing');
  };
  const presence = async () =>
    (await homeserver.as('bob').get(path('presence', alice.userId, 'status'))).body.presence;
  await alice.put(path('rooms', room, 'typing', alice.userId), { typing: true, timeout: 25_000 });
  await sync('alice', 'online');
  await expect.poll(writing).toMatchObject([{ content: { user_ids: [alice.userId] } }]);
  await expect.poll(presence).toBe('online');

  clock.setBack(day);
  const inMinutes = <Value>(look: () => Promise<Value>) => {
    const end = clock.monotonic() + 5 * 60_000;
    return expect.poll(() => {
      if (clock.monotonic() < end) clock.advance(10_000);
      return look();
    });
  };
  await inMinutes(writing).toEqual([]);
  await inMinutes(presence).toBe('offline');
});

test('last seen addresses are recorded again', async () => {
  const clock = manualClock();
  const homeserver = await start(clock);
  const seen = async () => (await homeserver.as('alice').get(path('devices'))).body.devices[0].last_seen_ts;
  await seen();
  clock.advance(2_000);
  await expect.poll(seen).toBeLessThanOrEqual(clock.now());
  const before = await seen();
  clock.setBack(day);
  await expect
    .poll(() => {
      clock.advance(60_000);
      return seen();
    })
    .toBeLessThan(before);
});

test('failed pushes are retried after the usual pause', async () => {
  let works = false;
  const told = new Set<string>();
  let calls = 0;
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    calls++;
    if (works) told.add(request.url?.includes('notify') ? 'pusher' : 'service');
    response.writeHead(works ? 200 : 502).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let ahead = day;
  const homeserver = await startHomeserver({
    clock: { ...systemClock, now: () => Date.now() + ahead },
    config: {
      callableNetworks,
      appServices: [
        {
          ...{ id: 'service', token: 'service', hsToken: 'service', senderUserId: '@service:localhost', url },
          ...{ rateLimited: false, receivesEphemeral: false, encrypts: false, protocols: [] },
          ...{ userNamespaces: [], aliasNamespaces: [] },
          roomNamespaces: [{ pattern: '.*', exclusive: false }],
        },
      ],
    },
  });
  onTestFinished(() => homeserver.remove());
  const room = await makeRoom(homeserver.as('alice'));
  await change(homeserver.as('bob'), room, 'join');
  await homeserver.as('bob').post(path('pushers', 'set'), {
    ...{ app_id: 'org.example', pushkey: 'bob', kind: 'http', lang: 'en' },
    ...{ app_display_name: 'Example', device_display_name: 'Phone' },
    data: { url: `${url}/_matrix/push/v1/notify` },
  });
  await say(homeserver.as('alice'), room, 'first');
  const { db } = homeserver.services;
  for (const table of ['pushers', 'app_service_places'] as const) {
    const waiting = () => db.selectFrom(table).select('retry_ts').where('retry_ts', '>', 0).execute();
    await expect.poll(waiting).toHaveLength(1);
  }
  expect(calls).toBeGreaterThan(0);
  works = true;
  ahead = 0;
  await expect.poll(() => [...told].sort()).toEqual(['pusher', 'service']);
});
