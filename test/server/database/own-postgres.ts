/** A private PostgreSQL for tests that would disturb the shared one. */
import { execFileSync } from 'node:child_process';
import { chmod, chown, cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../../free-port.ts';
import type { PostgresServer } from '../../postgres.ts';
import { loadEmbeddedPostgres } from '../../postgres.ts';

export type OwnPostgres = PostgresServer & {
  /** Data directory. */
  data: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  remove(): Promise<void>;
};

/** A synchronous standby. */
type Standby = OwnPostgres & {
  /** Makes it accept writes. */
  promote(): Promise<void>;
};

/** Starts a primary and a standby. */
export async function startOwnPair(): Promise<{ primary: OwnPostgres; standby: Standby }> {
  const primary = await startOwnPostgres({
    // Set on the primary only: it acknowledges a commit after the standby has received it.
    synchronous_standby_names: '*',
  });
  await primary.stop();
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-standby-'));
  await chmod(directory, 0o755);
  const data = join(directory, 'data');
  execFileSync('cp', ['-a', primary.data, data]);
  const { uid, gid } = await stat(data);
  const { host, port, user, password } = primary;
  const source = `host=${host} port=${port} user=${user} password=${password}`;
  for (const [name, text] of [
    ['standby.signal', ''],
    ['postgresql.auto.conf', `primary_conninfo = '${source}'\n`],
  ] as const) {
    await writeFile(join(data, name), text);
    await chown(join(data, name), uid, gid);
  }
  const server = { ...primary, port: await freePort() };
  const reads = Promise.withResolvers<void>();
  const postgres = await controlled(server, data, { fsync: 'off' }, (line) => {
    if (line.includes('ready to accept read-only connections')) reads.resolve();
  });
  /** Never logs the line that `start()` waits for until it's promoted. */
  const start = async () => {
    postgres.start().catch(reads.reject);
    await reads.promise;
  };
  await primary.start();
  await start();
  return {
    primary,
    standby: {
      ...server,
      data,
      start,
      stop: () => postgres.stop(),
      async promote() {
        const client = new Client({ host, port: server.port, user, password, database: 'postgres' });
        await client.connect();
        await client.query('select pg_promote()').finally(() => client.end());
      },
      async remove() {
        await postgres.stop();
        await rm(directory, { recursive: true, force: true });
      },
    },
  };
}

/**
 * Starts a server.
 *
 * @param settings settings for `postgresql.conf`
 * @param files content of files that the settings name, by name in the data directory
 */
export async function startOwnPostgres(
  settings: Record<string, string> = {},
  files: Record<string, string> = {},
): Promise<OwnPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-own-postgres-'));
  await chmod(directory, 0o755);
  const server = { host: '127.0.0.1', port: await freePort(), user: 'gatehouse', password: 'gatehouse' };
  const data = join(directory, 'data');
  const postgres = await controlled(server, data, { fsync: 'off', ...settings });
  await postgres.initialise();
  const { uid, gid } = await stat(data);
  for (const [name, source] of Object.entries(files)) {
    const file = join(data, name);
    await cp(source, file);
    await chmod(file, 0o600);
    await chown(file, uid, gid);
  }
  await postgres.start();
  return {
    ...server,
    data,
    start: () => postgres.start(),
    stop: () => postgres.stop(),
    async remove() {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function controlled(
  server: PostgresServer,
  data: string,
  settings: Record<string, string>,
  onLog: (line: string) => void = () => {},
) {
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  return new EmbeddedPostgres({
    ...server,
    databaseDir: data,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog,
    onError: () => {},
  });
}
