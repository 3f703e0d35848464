/**
 * Measures the overhead of the developer tools, in CPU time of the server's thread. Two servers in one process, one
 * without developer tools, get requests from a worker thread in alternating blocks. Other load on the machine affects
 * both equally and isn't counted. Usage: `node test/bench/workbench.ts --blocks 40 --requests 1000`
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { createHomeserver } from '../../server/app/homeserver.ts';
import { createUser } from '../../server/identity/accounts/create-user.ts';
import { openSession } from '../../server/identity/sessions/sessions.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { loadConfig } from '../../server/platform/config/load.ts';
import { workbenchPaths } from '../../shared/workbench/paths.ts';
import { send } from './load.ts';

const { values } = parseArgs({
  options: {
    /** Blocks per variant, and requests per block. */
    blocks: { type: 'string', default: '30' },
    requests: { type: 'string', default: '1000' },
  },
});
const [blocks, requests] = [Number(values.blocks), Number(values.requests)];
const directory = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));

async function start(workbench: Config['workbench']) {
  const config = await loadConfig({ dataDir: join(directory, workbench), port: 0, console: false });
  const homeserver = await createHomeserver({ ...config, workbench });
  await homeserver.start();
  const userId = await createUser(homeserver.services, { localpart: 'admin', admin: true });
  const { accessToken: token } = await openSession(homeserver.services, userId);
  return { homeserver, url: homeserver.url, token };
}

const load = new Worker(new URL('./workbench-load.ts', import.meta.url));

/** Returns the CPU time of this thread per request, in microseconds. */
async function measure(url: string, path: string, token: string): Promise<number> {
  const before = process.threadCpuUsage();
  load.postMessage({ url: url + path, token, requests });
  await once(load, 'message');
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / requests;
}

const [looked, plain] = [await start('anywhere'), await start('nowhere')];
const turn = (on: boolean) =>
  send(looked.url, { method: 'PUT', path: workbenchPaths.inspector, token: looked.token, body: { on } });

/** Runs a function while a client reads the inspector's stream. */
async function watched<Made>(work: () => Promise<Made>): Promise<Made> {
  await send(looked.url, { method: 'DELETE', path: workbenchPaths.inspectorRequests, token: looked.token });
  const watcher = new Worker(new URL('./workbench-load.ts', import.meta.url));
  watcher.postMessage({ watch: looked.url + workbenchPaths.inspectorStream, token: looked.token });
  await once(watcher, 'message');
  const made = await work();
  await watcher.terminate();
  return made;
}

const ways: [name: string, (path: string) => Promise<number>][] = [
  ['without a workbench', (path) => measure(plain.url, path, plain.token)],
  [
    'with one, the inspector off',
    async (path) => {
      await turn(false);
      return measure(looked.url, path, looked.token);
    },
  ],
  [
    'on, and nobody looks',
    async (path) => {
      await turn(true);
      return measure(looked.url, path, looked.token);
    },
  ],
  [
    'on, and somebody watches',
    async (path) => {
      await turn(true);
      return watched(() => measure(looked.url, path, looked.token));
    },
  ],
];

/** Randomizes the order: each block finds the caches that the previous variant left. */
const shuffled = (items: number[]) =>
  items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);

for (const path of ['/_matrix/client/v3/account/whoami', '/_synapse/admin/v1/server_version']) {
  const taken = ways.map((): number[] => []);
  for (let block = -5; block < blocks; block++) {
    for (const index of shuffled([...ways.keys()])) {
      const each = await ways[index]?.[1](path);
      if (each === undefined) continue;
      if (block >= 0) taken[index]?.push(each);
    }
  }
  // Takes the first quartile: interference only adds to the time.
  const typical = taken.map((all) => all.sort((one, other) => one - other)[all.length >> 2] ?? Number.NaN);
  process.stdout.write(`\n${path}: processor time of a request\n`);
  for (const [index, [name]] of ways.entries()) {
    const each = typical[index] ?? Number.NaN;
    const more = (100 * (each / (typical[0] ?? Number.NaN) - 1)).toFixed(1);
    process.stdout.write(
      `${name.padEnd(30)} ${each.toFixed(1).padStart(8)} µs ${index === 0 ? '' : `${more} %`}\n`,
    );
  }
}

await load.terminate();
await looked.homeserver.stop();
await plain.homeserver.stop();
await rm(directory, { recursive: true });
process.exit();
