/** Failed notifications are retried on schedule by any process, regardless of its clock. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, inject, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../server/platform/core/clock.ts';
import { startHomeserver } from '../homeserver.ts';
import { change, makeRoom, path, say } from '../rooms/client.ts';
import { callableNetworks } from './gateway.ts';

const hour = 60 * 60_000;

/** Starts a receiver with one half that works and one that fails until repaired. Records the received texts of each. */
async function startOthers() {
  const others = { url: '', isMended: false, told: { good: '', bad: '' } };
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const half = request.url?.includes('bad') ? 'bad' : 'good';
    const kind = request.url?.includes('/push/') ? 'pusher' : 'service';
    const works = half === 'good' || others.isMended;
    if (works) others.told[half] += `${kind} ${Buffer.concat(pieces)}`;
    response.writeHead(works ? 200 : 502).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  others.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return others;
}

test.runIf(inject('postgres')).each([
  // A process whose clock is an hour ahead considers a one-minute delay over.
  { side: 'ahead of', apart: hour, pause: 60_000, told: [] },
  { side: 'behind', apart: -hour, pause: 0, told: ['pusher', 'service'] },
])('by one that is $side the previous one', async ({ apart, pause, told }) => {
  const others = await startOthers();
  const service = (id: 'good' | 'bad') => ({
    ...{ id, token: id, hsToken: id, senderUserId: `@${id}:localhost`, url: `${others.url}/${id}` },
    ...{ rateLimited: false, receivesEphemeral: false, encrypts: false, protocols: [] },
    ...{ userNamespaces: [], aliasNamespaces: [], roomNamespaces: [{ pattern: '.*', exclusive: false }] },
  });
  let away = 0;
  const homeserver = await startHomeserver({
    clock: { ...systemClock, now: () => Date.now() + away },
    config: { callableNetworks, appServices: [service('good'), service('bad')] },
  });
  onTestFinished(() => homeserver.remove());
  const room = await makeRoom(homeserver.as('alice'));
  for (const [who, half] of [
    ['bob', 'bad'],
    ['carol', 'good'],
  ] as const) {
    await change(homeserver.as(who), room, 'join');
    await homeserver.as(who).post(path('pushers', 'set'), {
      ...{ app_id: 'org.example', pushkey: who, kind: 'http', lang: 'en' },
      ...{ app_display_name: 'Example', device_display_name: 'Phone' },
      data: { url: `${others.url}/_matrix/push/v1/notify?${half}` },
    });
  }
  await say(homeserver.as('alice'), room, 'first');
  for (const table of ['pushers', 'app_service_places'] as const) {
    const putOff = () =>
      homeserver.services.db
        .updateTable(table)
        .set((eb) => ({ retry_ts: eb('retry_ts', '+', pause) }))
        .where('retry_ts', '>', 0)
        .executeTakeFirst();
    await expect.poll(async () => (await putOff()).numUpdatedRows).toBe(1n);
  }

  away = apart;
  others.isMended = true;
  others.told = { good: '', bad: '' };
  await homeserver.restart();
  await say(homeserver.as('alice'), room, 'second');
  for (const kind of ['pusher', 'service']) {
    await expect.poll(() => others.told.good).toMatch(new RegExp(`${kind} .*second`));
  }
  for (const kind of told) await expect.poll(() => others.told.bad).toMatch(new RegExp(`${kind} .*first`));
  if (told.length === 0) expect(others.told.bad).toBe('');
});
