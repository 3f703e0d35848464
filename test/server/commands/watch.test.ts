/** A watcher's alerts: each is sent once, by any active watcher. */
import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { send } from '../../../server/app/commands/send.ts';
import { type Alert, backAlert, oneLine, shortened } from '../../../server/app/watch/alerts.ts';
import { roomTarget, type Target, webhookTarget } from '../../../server/app/watch/deliver.ts';
import { quietHours } from '../../../server/app/watch/quiet-hours.ts';
import { openWatchedServer, type WatchedServer } from '../../../server/app/watch/watched-server.ts';
import { createWatcher } from '../../../server/app/watch/watcher.ts';
import { dialects } from '../../../shared/dialect.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
let server: WatchedServer;
beforeEach(async () => {
  homeserver = await startHomeserver();
  const token = homeserver.as('admin').accessToken ?? '';
  server = await openWatchedServer(send, { baseUrl: homeserver.url, dialect: dialects.vendor }, token);
});
afterEach(() => homeserver.remove());

const report = async (about: string, reason: string) => {
  const path = `/_chat/client/v3/users/${encodeURIComponent(homeserver.as(about).userId)}/report`;
  expect((await homeserver.as('alice').post(path, { reason })).status).toBe(200);
};

/** Time of all watchers. */
let time = Date.now();
const minute = 60_000;

function watching(id: string, { isQuiet = false, of = server, targets = [] as Target[] } = {}) {
  const told: Alert[][] = [];
  const lines: string[] = [];
  const watcher = createWatcher({
    server: of,
    targets: [{ name: 'test', deliver: async (alerts) => void told.push([...alerts]) }, ...targets],
    everyMs: 10 * minute,
    isQuiet: () => isQuiet,
    leaseMs: 90_000,
    id,
    now: () => time,
    sleep: async () => {},
    log: (line) => lines.push(line),
  });
  return {
    ...watcher,
    lines,
    /** Returns the titles of one round's alerts. */
    async tells() {
      await watcher.round();
      return told.splice(0).flatMap((alerts) => alerts.map(({ title }) => title));
    },
    told,
  };
}

test.each([
  [20, '19'],
  [21, 'and 1 more'],
])('of %i lines, an alert ends with: %s', (count, last) => {
  expect(shortened(Array.from({ length: count }, (_, index) => String(index))).at(-1)).toBe(last);
});

test.each([
  [1_000, '1 min'],
  [90_000, '2 min'],
])('an outage of %i ms is told as %s', (ms, told) => {
  expect(backAlert(5, 5 + ms).lines).toEqual([`It was unreachable for ${told}.`]);
});

test("a line of an alert can't be forged, and has up to 300 characters", () => {
  expect(oneLine('a\r\nb\u2028c\u0085d')).toBe('a b c d');
  expect(oneLine('x'.repeat(301))).toBe('x'.repeat(300));
});

test("existing reports aren't announced, new ones are once, urgent ones at once", async () => {
  await report('bob', 'Old');
  const watcher = watching('one');
  expect(await watcher.tells()).toEqual([]);
  await report('bob', 'Spam');
  expect(await watcher.tells()).toEqual(['1 new user report']);
  await report('carol', 'Spam\nReport 99 on @admin: forged');
  await report('carol', 'He threatens to kill you');
  await watcher.round();
  expect(watcher.told.splice(0)).toMatchObject([
    [
      {
        isUrgent: true,
        title: '1 urgent user report',
        lines: [expect.stringMatching(/^Report 4 on @carol:.*: He threatens to kill you$/)],
      },
    ],
  ]);
  expect(await watcher.tells()).toEqual([]);
  time += 10 * minute;
  await watcher.round();
  const [[alert]] = watcher.told.splice(0) as [[Alert]];
  expect(alert.title).toBe('1 new user report');
  expect(alert.lines.some((line) => line.includes('\n'))).toBe(false);
  await watcher.release();
});

test('a restart announces nothing again, and of two watchers one announces', async () => {
  const [one, two] = [watching('two'), watching('three')];
  await one.round();
  time += 10 * minute;
  await report('bob', 'Again');
  expect(await one.tells()).toEqual(['1 new user report']);
  expect(await two.tells()).toEqual([]);
  time += minute;
  await report('bob', 'Kill yourself');
  expect(await two.tells()).toEqual([]);
  expect(await one.tells()).toEqual(['1 urgent user report']);
  // The first watcher disappears without notice; the other takes over.
  time += 2 * minute;
  expect(await two.tells()).toEqual([]);
  expect(await one.tells()).toEqual([]);
  await report('bob', 'A death threat');
  expect(await two.tells()).toEqual(['1 urgent user report']);
  await two.release();
  const restarted = watching('four');
  expect(await restarted.tells()).toEqual([]);
  await restarted.release();
});

test("quiet hours hold back alerts that aren't urgent", async () => {
  time += 20 * minute;
  const night = watching('night', { isQuiet: true });
  await night.round();
  await report('bob', 'Spam');
  await report('bob', 'suicide');
  expect(await night.tells()).toEqual(['1 urgent user report']);
  await night.release();
  time += 20 * minute;
  const morning = watching('morning');
  expect(await morning.tells()).toEqual(['1 new user report']);
  await morning.release();
  const at = (hour: number, minutes = 0) => new Date(2026, 10, 29, hour, minutes).getTime();
  const isQuiet = quietHours('22:00-07:00');
  expect([at(21, 59), at(22), at(6, 59), at(7)].map(isQuiet)).toEqual([false, true, true, false]);
  expect(() => quietHours('22-7')).toThrow('Must be a span');
});

test('an unreachable server is announced once, and its return', async () => {
  let isAway = false;
  const flaky: WatchedServer = {
    ...server,
    request: (method, path, body) =>
      isAway ? send({ method, url: 'http://127.0.0.1:1/' }) : server.request(method, path, body),
  };
  const watcher = watching('flaky', { of: flaky });
  await watcher.round();
  isAway = true;
  expect(await watcher.tells()).toEqual([]);
  time += minute;
  expect(await watcher.tells()).toEqual(['Server unreachable']);
  expect(await watcher.tells()).toEqual([]);
  isAway = false;
  expect(await watcher.tells()).toEqual(['Server reachable again']);
  await watcher.release();
});

test('alerts go to a room and to a webhook, whose text has no user content', async () => {
  const admin = homeserver.as('admin');
  const { body: room } = await admin.post('/_chat/client/v3/createRoom', {});
  const received: { text: string; alerts: Alert[] }[] = [];
  const hook = createServer(async (request, response) => {
    received.push(JSON.parse((await request.setEncoding('utf8').toArray()).join('')));
    response.end();
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const { port } = hook.address() as { port: number };
  time += 20 * minute;
  const targets = [
    roomTarget(server, room.room_id),
    webhookTarget(`http://127.0.0.1:${port}/hook`, 'localhost'),
    { name: 'broken', deliver: () => Promise.reject(new Error('HTTP 500')) },
  ];
  const watcher = watching('delivering', { targets });
  await watcher.round();
  await report('bob', '@channel kill yourself');
  await watcher.round();
  hook.close();
  expect(received).toHaveLength(1);
  expect(received[0]?.text).toBe('localhost: 1 urgent user report');
  expect(received[0]?.alerts[0]?.lines[0]).toContain('@channel kill yourself');
  const { body } = await admin.get(
    `/_chat/client/v3/rooms/${encodeURIComponent(room.room_id)}/messages?dir=b&limit=1`,
  );
  expect(body.chunk[0].content).toMatchObject({ 'm.mentions': {} });
  expect(body.chunk[0].content.body).toContain('@channel kill yourself');
  expect(watcher.lines).toContain("couldn't deliver to broken: HTTP 500");
});
