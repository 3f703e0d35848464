/**
 * `npm run bench`: server performance. Each figure is a ratio to the `versions` endpoint in the same run, so it's
 * comparable between machines.
 */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { openServices } from '../../server/app/services.ts';
import { createRoom } from '../../server/conversation/rooms/creation/create-room.ts';
import { createUser } from '../../server/identity/accounts/create-user.ts';
import { openSession } from '../../server/identity/sessions/sessions.ts';
import { loadConfig } from '../../server/platform/config/load.ts';
import { taskStatuses } from '../../shared/api/tasks.ts';
import { serve } from '../server/gatehouse.ts';
import { type Call, medianTimes, send, throughput } from './load.ts';
import { busy, loadReports, loadTasks } from './load-data.ts';

const sizes = [1_000, 100_000, 1_000_000];
const taskCount = 10_000;
const secret = 'my-secret-token';
const reports = '/_service/admin/v1/event_reports';
const tasks = '/_service/admin/v1/scheduled_tasks';

const configuration = `
jwt_config: {enabled: true, secret: ${secret}, algorithm: HS256}
rc_login: {address: &often {per_second: 1000000, burst_count: 1000000}, account: *often, failed_attempts: *often}
rc_message: *often
rc_reports: *often
`;

type Prepared = { dataDir: string; file: string; token: string; roomId: string };

async function prepare(reportCount: number): Promise<Prepared & { loadMs: number }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const file = join(dataDir, 'homeserver.yaml');
  await writeFile(file, configuration);
  const services = await openServices(await loadConfig({ file, dataDir }));
  const admin = await createUser(services, { localpart: 'admin', admin: true });
  await createUser(services, { localpart: 'tester', password: 'right' });
  const { accessToken: token } = await openSession(services, admin);
  const roomId = await createRoom(services, admin, { preset: 'public_chat' });
  const start = performance.now();
  await loadReports(services, reportCount);
  const loadMs = performance.now() - start;
  await loadTasks(services, taskCount);
  await services.db.destroy();
  return { dataDir, file, token, roomId, loadMs };
}

const listCalls: Record<string, (token: string) => Call> = {
  'first page of 100': (token) => ({ path: reports, token }),
  '  of a room': (token) => ({ path: `${reports}?room_id=!room7:localhost`, token }),
  '  by a reporter': (token) => ({ path: `${reports}?user_id=@reporter11:localhost`, token }),
  '  against a sender': (token) => ({ path: `${reports}?event_sender_user_id=@sender13:localhost`, token }),
};

const rows: [string, ...string[]][] = [];
const verdicts: string[] = [];

function judge(what: string, value: number, limit: number, unit: string): void {
  const good = value <= limit;
  if (!good) process.exitCode = 1;
  verdicts.push(`${good ? 'ok  ' : 'OVER'} ${what}: ${value.toFixed(2)}${unit} (at most ${limit}${unit})`);
}

const prepared: Prepared[] = [];
for (const size of sizes) {
  const { loadMs, ...data } = await prepare(size);
  prepared.push(data);
  process.stdout.write(`${size.toLocaleString('en')} reports, loaded in ${(loadMs / 1000).toFixed(1)} s\n`);
  if (size === sizes.at(-1)) judge('loading a million reports', loadMs / 1000, 60, ' s');
}

const servers = await Promise.all(
  prepared.map(({ dataDir, file }) => serve('--config', file, '--data-dir', dataDir, '--no-console')),
);
for (const [name, call] of Object.entries(listCalls)) {
  const times = await medianTimes(
    servers.flatMap(({ url }, index) => [
      { url, call: { path: '/_chat/client/versions' } },
      { url, call: call(prepared[index]?.token ?? '') },
    ]),
  );
  const ratios = sizes.map((_, index) => (times[2 * index + 1] ?? 0) / (times[2 * index] ?? 1));
  rows.push([name, ...ratios.map((ratio) => ratio.toFixed(2))]);
  const [small = 1, , large = 0] = sizes.map((_, index) => times[2 * index + 1] ?? 0);
  judge(`${name.trim()}, a million against a thousand`, large / small, 1.5, ' times');
}

const last = servers.at(-1);
const lastData = prepared.at(-1);
if (!last || !lastData) throw new Error('there is nothing to measure');
await measurePages(lastData, last.url);
await measureTheRest(lastData, last.url);
await measureRefusals(last.url);
rows.push(['resident memory', '', '', `${await residentMemory(last.process.pid ?? 0)} MB`]);
for (const server of servers) await server.end('SIGTERM');
await measureStart(lastData);
for (const { dataDir } of prepared) await rm(dataDir, { recursive: true });

/** Compares pages throughout the list with the first page. Offset paging skips up to half a million rows. */
async function measurePages({ token }: Prepared, url: string): Promise<void> {
  const pair = `&room_id=${busy.room}&user_id=${busy.reporter}`;
  const pages: [name: string, from: number, filter: string][] = [
    ['first page of a million', 0, ''],
    ['middle page', 499_500, ''],
    ['page 9,000', 899_900, ''],
    ['first page of a pair of filters', 0, pair],
    ['middle page of a pair of filters', 83_250, pair],
  ];
  const [versions = 1, ...times] = await medianTimes([
    { url, call: { path: '/_chat/client/versions' } },
    ...pages.map(([, from, filter]) => ({
      url,
      call: (round: number) => ({ path: `${reports}?from=${from + round}${filter}`, token }),
    })),
  ]);
  const [first = 1] = times;
  for (const [index, [name]] of pages.entries()) {
    const time = times[index] ?? 0;
    rows.push([name, '', '', (time / versions).toFixed(2)]);
    judge(`${name} against the first`, time / first, 15, ' times');
  }
}

async function measureTheRest({ token, roomId }: Prepared, url: string): Promise<void> {
  const [versions = 1, all = 0, ...byStatus] = await medianTimes(
    ['/_chat/client/versions', tasks, ...taskStatuses.map((status) => `${tasks}?status=${status}`)].map(
      (path) => ({ url, call: { path, token } }),
    ),
    40,
  );
  judge(`${taskCount.toLocaleString('en')} tasks listed`, all, 50, ' ms');
  rows.push([`${taskCount.toLocaleString('en')} tasks`, '', '', (all / versions).toFixed(1)]);
  for (const [index, status] of taskStatuses.entries()) {
    rows.push([`  ${status}`, '', '', ((byStatus[index] ?? 0) / versions).toFixed(1)]);
  }

  const perSecond = async (name: string, count: number, call: (index: number) => Call) =>
    rows.push([`${name} a second`, '', '', (await throughput(url, count, call)).toFixed(0)]);
  await perSecond('versions', 4000, () => ({ path: '/_chat/client/versions' }));
  const jwt = await new SignJWT({ sub: 'tester' })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret));
  await perSecond('JWT logins', 1000, () => ({
    method: 'POST',
    path: '/_chat/client/r0/login',
    body: { type: 'org.vendor.login.jwt', token: jwt },
  }));
  const room = `/_chat/client/v3/rooms/${encodeURIComponent(roomId)}`;
  const message = (index: number): Call => ({
    method: 'PUT',
    path: `${room}/send/m.room.message/bench${index}`,
    token,
    body: { msgtype: 'm.text', body: `message ${index}` },
  });
  await perSecond('messages sent', 2000, message);
  const { event_id: eventId } = JSON.parse(await send(url, message(0)));
  await perSecond('reports filed', 2000, () => ({
    method: 'POST',
    path: `${room}/report/${encodeURIComponent(eventId)}`,
    token,
    body: { reason: 'spam', score: -50 },
  }));
}

/** The time of a failed login must not reveal if the user exists. */
async function measureRefusals(url: string): Promise<void> {
  const refusal = (user: string): Call => ({
    method: 'POST',
    path: '/_chat/client/v3/login',
    body: { type: 'm.login.password', user, password: 'wrong' },
    status: 403,
  });
  const [known = 1, unknown = 1] = await medianTimes(
    ['tester', 'nobody'].map((user) => ({ url, call: refusal(user) })),
    15,
  );
  judge(
    'refusing an unknown user against a known one',
    Math.max(unknown / known, known / unknown),
    1.2,
    ' times',
  );
}

async function measureStart({ dataDir, file }: Prepared): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    const server = await serve('--config', file, '--data-dir', dataDir, '--no-console');
    times.push(performance.now() - start);
    await server.end('SIGTERM');
  }
  times.sort((one, other) => one - other);
  rows.push(['start with a million reports', '', '', `${times[2]?.toFixed(0)} ms`]);
}

async function residentMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

process.stdout.write(
  `\n${'times versions, where no unit is given'.padEnd(40)}${sizes.map((size) => size.toLocaleString('en').padStart(12)).join('')}\n`,
);
for (const [name, ...cells] of rows) {
  process.stdout.write(`${name.padEnd(40)}${cells.map((cell) => cell.padStart(12)).join('')}\n`);
}
process.stdout.write(`\n${verdicts.join('\n')}\n`);
