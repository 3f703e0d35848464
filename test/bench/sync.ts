/**
 * `node test/bench/sync.ts`: performance of `/sync` as a Markdown table. Measures empty syncs per second, delivery
 * latency with many waiting clients, initial sync, and memory of waiting clients. `REFERENCE_HOMESERVER` names a
 * command that starts a Synapse, which is measured too, except for memory.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SignJWT } from 'jose';
import { type Served, serve } from '../server/gatehouse.ts';
import { send, throughput } from './load.ts';

/** Few: most of the time goes into creating them on Synapse. */
const roomCount = 100;
const messagesPerRoom = 10;
const waitingClients = 200;
const manyClients = Number(process.env.CLIENTS ?? 5_000);
const sends = 50;
const idleSyncs = 2_000;
const client = '/_matrix/client/v3';

type Homeserver = { url: string; jwtSecret: string };

/** Names are unique per run, because a Synapse keeps earlier accounts. */
const run = Date.now().toString(36);

const json = async (...of: Parameters<typeof send>) => JSON.parse(await send(...of));

/** Creates an account. Returns its access token. */
async function makePerson({ url, jwtSecret }: Homeserver, name: string): Promise<string> {
  const token = await new SignJWT({ sub: `${name}-${run}` })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(jwtSecret));
  const body = { type: 'org.matrix.login.jwt', token };
  return (await json(url, { method: 'POST', path: `${client}/login`, body })).access_token;
}

async function makePeople(homeserver: Homeserver, count: number): Promise<string[]> {
  const people: string[] = [];
  for (let index = 0; index < count; index++)
    people.push(await makePerson(homeserver, `client${people.length}`));
  return people;
}

const messageIn = (roomId: string, transaction: string, token: string) => ({
  method: 'PUT' as const,
  path: `${client}/rooms/${encodeURIComponent(roomId)}/send/m.room.message/${transaction}`,
  token,
  body: { msgtype: 'm.text', body: 'a message of usual length' },
});

/** Creates many rooms for an account. Returns the first. */
async function fillRooms({ url }: Homeserver, token: string): Promise<string> {
  const rooms: string[] = [];
  for (let index = 0; index < roomCount; index++) {
    const body = { preset: 'public_chat', name: `Room ${index}` };
    const { room_id: roomId } = await json(url, {
      method: 'POST',
      path: `${client}/createRoom`,
      token,
      body,
    });
    for (let message = 0; message < messagesPerRoom; message++) {
      await send(url, messageIn(roomId, `m${message}`, token));
    }
    rooms.push(roomId);
  }
  return rooms[0] ?? '';
}

const syncPath = (query: string) => `${client}/sync?set_presence=offline${query}`;
const sync = (url: string, token: string, query = ''): Promise<{ next_batch: string }> =>
  json(url, { path: syncPath(query), token });

/** Returns a distinct filter. Synapse answers identical requests from its cache, but real clients differ. */
const withFilter = (index: number) =>
  `&filter=${encodeURIComponent(JSON.stringify({ room: { timeline: { limit: 10 + index } } }))}`;

/** Opens a long-polling `/sync` connection. Resolves when the request is sent. */
async function wait(url: string, token: string, since: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', (error) => process.stderr.write(`a waiting connection: ${error.message}\n`));
  socket.on('data', (reply) =>
    process.stderr.write(`a waiting client was answered: ${reply.toString().slice(0, 300)}\n`),
  );
  const path = syncPath(`&timeout=600000&since=${since}`);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  return socket;
}

/** Opens waiting syncs, a hundred at a time. Returns their connections when the server has read all requests. */
async function hold(url: string, people: readonly string[]): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let index = 0; index < people.length; index += 100) {
    const some = people.slice(index, index + 100);
    const waiting = some.map(async (token) => wait(url, token, (await sync(url, token)).next_batch));
    sockets.push(...(await Promise.all(waiting)));
  }
  const [first = ''] = people;
  await sync(url, first);
  return sockets;
}

const median = (times: number[]) => times.sort((one, other) => one - other)[times.length >> 1] ?? 0;

/** Measures a homeserver. Returns the figures in the order of `names`. */
async function measure(homeserver: Homeserver): Promise<number[]> {
  const { url } = homeserver;
  const busy = await makePerson(homeserver, 'busy');
  const lobby = await fillRooms(homeserver, busy);
  const [one = '', other = '', ...waiting] = await makePeople(homeserver, waitingClients + 2);
  for (const token of [one, other]) {
    await send(url, { method: 'POST', path: `${client}/join/${encodeURIComponent(lobby)}`, token, body: {} });
  }

  const firsts: number[] = [];
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    await sync(url, busy, withFilter(round));
    firsts.push(performance.now() - start);
  }

  const { next_batch: since } = await sync(url, busy);
  const perSecond = await throughput(url, idleSyncs, (index) => ({
    path: syncPath(`&since=${since}${withFilter(index % 50)}`),
    token: busy,
  }));

  const sockets = await hold(url, waiting);
  const delays: number[] = [];
  let place = (await sync(url, other)).next_batch;
  for (let count = 0; count < sends; count++) {
    const woken = sync(url, other, `&timeout=30000&since=${place}`).then((body) => {
      place = body.next_batch;
      return performance.now();
    });
    // When this later request is answered, the server has read the other client's sync.
    await sync(url, one, `&since=${place}`);
    await send(url, messageIn(lobby, `wake${count}`, one));
    const replied = performance.now();
    delays.push((await woken) - replied);
  }
  for (const socket of sockets) socket.destroy();
  return [median(firsts), perSecond, median(delays)];
}

const names = [
  `Initial sync of an account in ${roomCount} rooms, median`,
  'Syncs without news per second',
  `From sending a message to another user's sync, ${waitingClients} waiting, median`,
];

async function memoryOf({ process: { pid } }: Served): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

async function measureOurs(): Promise<{ figures: number[]; memory: number }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const file = join(dataDir, 'homeserver.yaml');
  const jwtSecret = 'a secret of this bench alone';
  const often = { per_second: 1e6, burst_count: 1e6 };
  await writeFile(
    file,
    // JSON is YAML.
    JSON.stringify({
      server_name: 'localhost',
      jwt_config: { enabled: true, secret: jwtSecret, algorithm: 'HS256' },
      rc_login: { address: often, account: often, failed_attempts: often },
      rc_registration: often,
      rc_message: often,
      rc_room_creation: often,
      rc_joins: { local: often },
    }),
  );
  const start = () => serve('--config', file, '--data-dir', dataDir, '--no-console');
  let served = await start();
  try {
    const homeserver = { url: served.url, jwtSecret };
    const figures = await measure(homeserver);
    const people = await makePeople(homeserver, manyClients);
    // Restarts the server, because earlier load left free space in its heap.
    await served.end('SIGTERM');
    served = await start();
    const before = await memoryOf(served);
    const sockets = await hold(served.url, people);
    const memory = (await memoryOf(served)) - before;
    for (const socket of sockets) socket.destroy();
    return { figures, memory };
  } finally {
    await served.end('SIGTERM');
    await rm(dataDir, { recursive: true });
  }
}

async function measureReference(command: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)(command, ['start'], { timeout: 600_000 });
  const [, url = '', jwtSecret = ''] = /(https?:\/\/[\w.:-]+).*JWT secret: (\S+)\)/.exec(stdout) ?? [];
  return measure({ url, jwtSecret });
}

const { figures, memory } = await measureOurs();
const reference = process.env.REFERENCE_HOMESERVER;
const theirs = reference ? await measureReference(reference) : [];

const rounded = (value: number | undefined) =>
  value === undefined ? '' : value.toLocaleString('en', { maximumSignificantDigits: 3 });
const rows = figures.map((ours, index) => {
  const other = theirs[index];
  const isRate = names[index]?.endsWith('per second');
  const times = other === undefined ? '' : (isRate ? ours / other : other / ours).toFixed(1);
  const unit = isRate ? '' : ' ms';
  return `| ${names[index]} | ${rounded(ours)}${unit} | ${other === undefined ? '' : rounded(other) + unit} | ${times} |`;
});
process.stdout.write(
  [
    '',
    '## Sync',
    '',
    '|  | Gatehouse | Synapse | Factor |',
    '| --- | ---: | ---: | ---: |',
    ...rows,
    `| Memory of ${manyClients} waiting syncs | ${memory.toFixed(0)} MB |  |  |`,
    '',
  ].join('\n'),
);
