/**
 * Part of `npm run bench`: measures a server on SQLite, and on PostgreSQL with one and two processes. Prints Markdown
 * on standard output and progress on standard error. Usage: `node test/bench/engines.ts --reports 1000000 --minutes
 * 10 --beside side-by-side.json > docs/performance.md`. To measure only memory over time, on SQLite: `node
 * test/bench/engines.ts --only-memory --minutes 10`
 */
import { readFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { SignJWT } from 'jose';
import { holdIdleConnections } from './idle-connections.ts';
import { type Call, medianTimes, send, throughput } from './load.ts';
import { busy } from './load-data.ts';
import { mixedLoad } from './mixed-load.ts';
import { type Running, run, secret, startPostgres } from './set-ups.ts';

const { values } = parseArgs({
  options: {
    reports: { type: 'string', default: '1000000' },
    /** Duration of the memory measurement, in minutes. */
    minutes: { type: 'string', default: '10' },
    'only-memory': { type: 'boolean', default: false },
    /** File with the last line of a comparison with a reference homeserver. */
    beside: { type: 'string' },
  },
});
const reports = Number(values.reports);
const minutes = Number(values.minutes);
const idleConnections = 5_000;

/** Rows of the results table: name of the measurement to one cell per setup. */
const table = new Map<string, string[]>();
const note = (name: string, value: string) => table.set(name, [...(table.get(name) ?? []), value]);
const milliseconds = (value: number) => `${value.toFixed(2)} ms`;
const say = (line: string) => void process.stderr.write(`${line}\n`);

async function measurePages({ url, token }: Running): Promise<void> {
  const list = '/_service/admin/v1/event_reports';
  const pair = `room_id=${busy.room}&user_id=${busy.reporter}`;
  const middle = reports >> 1;
  const pages = {
    'Report list, first page': list,
    'Report list, middle page': `${list}?from=${middle}`,
    'Report list, last page': `${list}?from=${Math.max(0, reports - 100)}`,
    'Report list by reporter, first page': `${list}?user_id=@reporter11:localhost`,
    'Report list by reporter, middle page': `${list}?user_id=@reporter11:localhost&from=${Math.floor(middle / 200)}`,
    'Report list by two filters, first page': `${list}?${pair}`,
    'Report list by two filters, middle page': `${list}?${pair}&from=${Math.floor(middle / 6)}`,
    '10,000 tasks, all': '/_service/admin/v1/scheduled_tasks',
    '10,000 tasks, failed ones': '/_service/admin/v1/scheduled_tasks?status=failed',
    'Server version': '/_service/admin/v1/server_version',
  };
  const calls = Object.values(pages).map((path) => ({ url, call: { path, token } }));
  const times = await medianTimes(calls, 60);
  for (const [index, name] of Object.keys(pages).entries()) note(name, milliseconds(times[index] ?? 0));
}

async function measureWrites({ url, token, roomId }: Running): Promise<(index: number) => Call> {
  const perSecond = async (name: string, count: number, call: (index: number) => Call) =>
    note(`${name} per second`, (await throughput(url, count, call)).toFixed(0));
  const jwt = await new SignJWT({ sub: 'tester' })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret));
  await perSecond('JWT logins', 2_000, () => ({
    method: 'POST',
    path: '/_chat/client/r0/login',
    body: { type: 'org.vendor.login.jwt', token: jwt },
  }));
  const room = `/_chat/client/v3/rooms/${encodeURIComponent(roomId)}`;
  const run = Date.now();
  const message = (index: number): Call => ({
    method: 'PUT',
    path: `${room}/send/m.room.message/${run}-${index}`,
    token,
    body: { msgtype: 'm.text', body: `message ${index}` },
  });
  await perSecond('Messages', 3_000, message);
  const { event_id: eventId } = JSON.parse(await send(url, message(0)));
  await perSecond('Reports filed', 3_000, () => ({
    method: 'POST',
    path: `${room}/report/${encodeURIComponent(eventId)}`,
    token,
    body: { reason: 'spam', score: -50 },
  }));
  return message;
}

async function measureMixedLoad(server: Running, message: (index: number) => Call, seconds: number) {
  const { url, token, roomId } = server;
  const reads = [
    '/_service/admin/v1/event_reports',
    '/_chat/client/v3/account/whoami',
    `/_chat/client/v3/rooms/${encodeURIComponent(roomId)}/messages?dir=b&limit=20`,
    '/_service/admin/v1/rooms?limit=20',
  ].map((path) => ({ path, token }));
  await server.longestStall();
  const load = await mixedLoad(url, seconds * 1000, reads, (index) => message(10_000 + index));
  const stall = await server.longestStall();
  if (load.failed > 0) throw new Error(`${load.failed} calls of the mixed load failed`);
  return { ...load, stall };
}

async function measure(name: string, server: Running): Promise<void> {
  say(name);
  note('Memory after startup', `${(await server.memory()).toFixed(0)} MB`);
  await measurePages(server);
  const message = await measureWrites(server);
  const { perSecond, p50, p99, stall } = await measureMixedLoad(server, message, 20);
  note('Mixed load (80% reads, 20% messages) per second', perSecond.toFixed(0));
  note('Mixed load, median', milliseconds(p50));
  note('Mixed load, 99th percentile', milliseconds(p99));
  note('Mixed load, longest event loop stall', milliseconds(stall));
  const before = await server.memory();
  const release = await holdIdleConnections(server.url, idleConnections);
  note(
    `Memory of ${idleConnections.toLocaleString('en')} idle connections`,
    `${((await server.memory()) - before).toFixed(0)} MB`,
  );
  release();
  note('Memory at the end', `${(await server.memory()).toFixed(0)} MB`);
}

/** Samples memory once a minute under the mixed load, after the first minute. */
async function watchMemory(server: Running): Promise<number[]> {
  const seen: number[] = [];
  for (let minute = 0; minute <= minutes; minute++) {
    let sent = minute * 1_000_000;
    await measureMixedLoad(
      server,
      messageOf(server, () => sent++),
      60,
    );
    seen.push(await server.memory());
    say(`minute ${minute}: ${seen.at(-1)?.toFixed(0)} MB`);
  }
  return seen.slice(1);
}

const messageOf =
  ({ token, roomId }: Running, next: () => number) =>
  (): Call => ({
    method: 'PUT',
    path: `/_chat/client/v3/rooms/${encodeURIComponent(roomId)}/send/m.room.message/flat${next()}`,
    token,
    body: { msgtype: 'm.text', body: 'hello' },
  });

const measured: string[] = [];
let flat: number[] = [];

async function measureOnSqlite(): Promise<void> {
  const server = await run(reports, undefined, 1);
  if (!values['only-memory']) {
    measured.push('SQLite');
    await measure('SQLite', server);
  }
  if (minutes > 0) flat = await watchMemory(server);
  await server.end();
}

async function measureOnPostgres(): Promise<void> {
  const postgres = await startPostgres();
  for (const [name, database, processes] of [
    ['PostgreSQL', 'one', 1],
    ['PostgreSQL, two processes', 'two', 2],
  ] as const) {
    const server = await run(reports, await postgres.makeDatabase(database), processes);
    measured.push(name);
    await measure(name, server);
    await server.end();
  }
  await postgres.stop();
}

await measureOnSqlite();
if (!values['only-memory']) await measureOnPostgres();

/** The command line to reproduce this run. */
const given = process.argv.slice(2);
const command = given.length === 0 ? 'npm run bench' : `node test/bench/engines.ts ${given.join(' ')}`;

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const beside: { name: string; ours: number; theirs: number; ratio: number }[] = values.beside
  ? JSON.parse((await readFile(values.beside, 'utf8')).trim().split('\n').at(-1) ?? '[]')
  : [];
process.stdout.write(
  [
    '# Performance',
    '',
    `Benchmarks of the built-in homeserver with ${reports.toLocaleString('en')} reports, from one run of \`${command}\` on`,
    `${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${cpus()[0]?.model.trim()}, ` +
      `${(totalmem() / 1024 ** 3).toFixed(0)} GB, Node ${process.versions.node}. The load and PostgreSQL ran on the same computer.`,
    '',
    ...(measured.length > 0
      ? [
          line(['', ...measured]),
          line(['---', ...measured.map(() => '---:')]),
          ...[...table].map(([name, cells]) => line([name, ...cells])),
        ]
      : []),
    ...(flat.length > 0
      ? [
          '',
          `Memory under mixed load on SQLite, once a minute for ${minutes} minutes: ${flat.map((each) => each.toFixed(0)).join(', ')} MB.`,
        ]
      : []),
    ...(beside.length > 0
      ? [
          '',
          '## Beside Synapse',
          '',
          line(['', 'Gatehouse', 'Synapse', 'Factor']),
          line(['---', '---:', '---:', '---:']),
          ...beside.map(({ name, ours, theirs, ratio }) =>
            line([
              name,
              ...[ours, theirs].map((value) => value.toLocaleString('en', { maximumSignificantDigits: 3 })),
              ratio.toFixed(1),
            ]),
          ),
        ]
      : []),
    '',
  ].join('\n'),
);
