/**
 * `node test/bench/sync.ts`: what syncs cost. How many a second there are with nothing new, how long after the reply to
 * a message another client has it while many wait, how long a first sync of an account in many rooms takes, and how
 * much memory those take who wait.
 */
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUser } from '../../server/accounts/create-user.ts';
import { openSession } from '../../server/accounts/sessions.ts';
import { loadConfig } from '../../server/config/load.ts';
import { inTransaction } from '../../server/database/transaction.ts';
import { appendEvents } from '../../server/rooms/append-events.ts';
import { createRoom } from '../../server/rooms/create-room.ts';
import { joinRoom } from '../../server/rooms/membership.ts';
import { openServices, type Services } from '../../server/services.ts';
import { type Served, serve } from '../server/gatehouse.ts';
import { send, throughput } from './load.ts';

const roomCount = 500;
const messagesPerRoom = 10;
const waitingClients = 200;
const manyClients = Number(process.env.CLIENTS ?? 5_000);
const sends = 50;

type Person = { userId: string; token: string };

async function makePerson(services: Services, localpart: string): Promise<Person> {
  const userId = await createUser(services, { localpart });
  const { accessToken: token } = await openSession(services, userId);
  return { userId, token };
}

/** Everybody is in the first room; one account is in all. */
async function prepare(dataDir: string, file: string) {
  const services = await openServices(await loadConfig({ file, dataDir }));
  const busy = await makePerson(services, 'busy');
  const rooms: string[] = [];
  for (let index = 0; index < roomCount; index++) {
    const roomId = await createRoom(services, busy.userId, { preset: 'public_chat', name: `Room ${index}` });
    const drafts = Array.from({ length: messagesPerRoom }, (_, message) => ({
      type: 'm.room.message',
      sender: busy.userId,
      content: { msgtype: 'm.text', body: `message ${message}` },
    }));
    await inTransaction(services.db, (tx) => appendEvents(tx, services, roomId, drafts));
    rooms.push(roomId);
  }
  const [lobby = ''] = rooms;
  const people: Person[] = [];
  for (let index = 0; index < manyClients; index++) people.push(await makePerson(services, `client${index}`));
  for (const { userId } of people.slice(0, 2)) await joinRoom(services, lobby, userId, {});
  await services.db.destroy();
  return { busy, people, lobby };
}

/** Opens a connection that waits for something new; gives it when the request has been sent. */
async function wait(url: string, { token }: Person, since: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', (error) => process.stderr.write(`a waiting connection: ${error.message}\n`));
  socket.on('data', (reply) =>
    process.stderr.write(`a waiting client was answered: ${reply.toString().slice(0, 300)}\n`),
  );
  const path = `/_matrix/client/v3/sync?timeout=600000&set_presence=offline&since=${since}`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  return socket;
}

const sync = async (url: string, { token }: Person, query = '') =>
  JSON.parse(await send(url, { path: `/_matrix/client/v3/sync?set_presence=offline${query}`, token })) as {
    next_batch: string;
  };

async function memoryOf({ process: { pid } }: Served): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

const median = (times: number[]) => times.sort((one, other) => one - other)[times.length >> 1] ?? 0;
const show = (what: string, value: number, unit: string) =>
  process.stdout.write(`${what.padEnd(60)} ${value.toFixed(1).padStart(10)} ${unit}\n`);

const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
const file = join(dataDir, 'homeserver.yaml');
await writeFile(file, 'rc_message: {per_second: 1000000, burst_count: 1000000}\n');
const { busy, people, lobby } = await prepare(dataDir, file);
const served = await serve('--config', file, '--data-dir', dataDir, '--no-console');
const { url } = served;
const [one, other] = people;
if (!one || !other) throw new Error('nobody is there');
try {
  const firsts: number[] = [];
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    await sync(url, busy);
    firsts.push(performance.now() - start);
  }
  show(`first sync of an account in ${roomCount} rooms, median`, median(firsts), 'ms');

  const { next_batch } = await sync(url, busy);
  const quiet = {
    path: `/_matrix/client/v3/sync?set_presence=offline&since=${next_batch}`,
    token: busy.token,
  };
  show('syncs with nothing new', await throughput(url, 3_000, () => quiet), 'a second');

  const since = (await sync(url, one)).next_batch;
  const before = await memoryOf(served);
  const sockets: Socket[] = [];
  const hold = async (clients: Person[]) => {
    for (let index = 0; index < clients.length; index += 100) {
      const some = clients.slice(index, index + 100);
      sockets.push(...(await Promise.all(some.map((client) => wait(url, client, since)))));
    }
    // The server has read them all when it has answered this.
    await sync(url, one);
  };
  await hold(people.slice(2, 2 + waitingClients));
  const delays: number[] = [];
  let place = (await sync(url, other)).next_batch;
  for (let count = 0; count < sends; count++) {
    const woken = sync(url, other, `&timeout=30000&since=${place}`).then((body) => {
      place = body.next_batch;
      return performance.now();
    });
    await sync(url, one);
    const path = `/_matrix/client/v3/rooms/${encodeURIComponent(lobby)}/send/m.room.message/b${count}`;
    await send(url, { path, method: 'PUT', token: one.token, body: { msgtype: 'm.text', body: 'x' } });
    const replied = performance.now();
    delays.push((await woken) - replied);
  }
  show(`from a reply to the other's sync, ${waitingClients} waiting, median`, median(delays), 'ms');

  await hold(people.slice(2 + waitingClients));
  const after = await memoryOf(served);
  show(`memory of ${sockets.length} waiting syncs`, after - before, 'MB');
  for (const socket of sockets) socket.destroy();
} finally {
  await served.end('SIGTERM');
  await rm(dataDir, { recursive: true });
}
