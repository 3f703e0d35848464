/** The server setups to measure, each with its own data. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openServices } from '../../server/app/services.ts';
import { createRoom } from '../../server/conversation/rooms/creation/create-room.ts';
import { createUser } from '../../server/identity/accounts/create-user.ts';
import { openSession } from '../../server/identity/sessions/sessions.ts';
import { loadConfig } from '../../server/platform/config/load.ts';
import { freePort } from '../free-port.ts';
import { loadEmbeddedPostgres } from '../postgres.ts';
import { serve } from '../server/gatehouse.ts';
import { loadReports, loadTasks } from './load-data.ts';

export const secret = 'my-secret-token';

export type Running = {
  url: string;
  token: string;
  roomId: string;
  /** Memory of all processes, in MB. */
  memory(): Promise<number>;
  /** Longest event loop stall of any process since the last call, in milliseconds. */
  longestStall(): Promise<number>;
  end(): Promise<void>;
};

type PostgresDatabase = Awaited<ReturnType<Awaited<ReturnType<typeof startPostgres>>['makeDatabase']>>;

/** Starts a PostgreSQL with production durability: commits are flushed to disk. */
export async function startPostgres() {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-bench-postgres-'));
  // PostgreSQL runs as another user if this process runs as root.
  await chmod(directory, 0o755);
  const port = await freePort();
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const postgres = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'gatehouse',
    password: 'gatehouse',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    onLog: () => {},
    onError: () => {},
  });
  await postgres.initialise();
  await postgres.start();
  const access = { host: '127.0.0.1', port, user: 'gatehouse', password: 'gatehouse' };
  return {
    /** Creates a database. Returns the `database` setting for it. */
    async makeDatabase(name: string) {
      const client = new Client({ ...access, database: 'postgres' });
      await client.connect();
      await client.query(`create database ${name} template template0 lc_collate 'C' lc_ctype 'C'`);
      await client.end();
      return { name: 'psycopg2', args: { ...access, dbname: name } };
    },
    async stop() {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Fills a server with reports and tasks, and starts it with the given number of processes. */
export async function run(
  reports: number,
  database: PostgresDatabase | undefined,
  processes: number,
): Promise<Running> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const file = join(dataDir, 'homeserver.yaml');
  const often = { per_second: 1e6, burst_count: 1e6 };
  const [port, metricsPort] = [await freePort(), await freePort()];
  const listener = (type: string, at: number) => ({ type, port: at, bind_addresses: ['127.0.0.1'] });
  await writeFile(
    file,
    // JSON is YAML.
    JSON.stringify({
      jwt_config: { enabled: true, secret, algorithm: 'HS256' },
      rc_login: { address: often, account: often, failed_attempts: often },
      rc_message: often,
      rc_reports: often,
      listeners: [
        listener('http', port),
        // Processes share the HTTP port. Each has its own metrics port, counting up.
        listener('metrics', metricsPort),
      ],
      ...(database && { database }),
    }),
  );
  const services = await openServices(await loadConfig({ file, dataDir }));
  const admin = await createUser(services, { localpart: 'admin', admin: true });
  await createUser(services, { localpart: 'tester' });
  const { accessToken: token } = await openSession(services, admin);
  const roomId = await createRoom(services, admin, { preset: 'public_chat' });
  await loadReports(services, reports);
  await loadTasks(services, 10_000);
  await services.db.destroy();
  if (database) await vacuum(database);
  const many = processes === 1 ? [] : ['--processes', String(processes)];
  const served = await serve('--config', file, '--data-dir', dataDir, '--no-console', ...many);
  return {
    url: served.url,
    token,
    roomId,
    memory: () => memoryOf(served.process.pid ?? 0),
    async longestStall() {
      const ports = Array.from({ length: processes }, (_, index) => metricsPort + index);
      return Math.max(...(await Promise.all(ports.map(stallOf))));
    },
    async end() {
      await served.end('SIGTERM');
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Does at once what autovacuum does within minutes. Without it, pages of reports take three times as long. */
async function vacuum({ args: { dbname, ...access } }: PostgresDatabase): Promise<void> {
  const client = new Client({ ...access, database: dbname });
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
}

async function stallOf(metricsPort: number): Promise<number> {
  const figures = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(figures)?.[1]) * 1000;
}

/** Returns the memory of a process and its descendants, in MB. */
async function memoryOf(pid: number): Promise<number> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  const own = Number(/VmRSS:\s+(\d+)/.exec(await read('status'))?.[1] ?? 0) / 1024;
  const children = (await read(`task/${pid}/children`)).split(' ').filter(Boolean).map(Number);
  const theirs = await Promise.all(children.map(memoryOf));
  return theirs.reduce((sum, each) => sum + each, own);
}
