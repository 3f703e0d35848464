/** Data for one homeserver, on the engine of the current test project. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import { createHomeserver, type Homeserver } from '../../../server/app/homeserver.ts';
import { type ConfigSource, loadConfig } from '../../../server/platform/config/load.ts';
import { makeDatabase } from '../database.ts';

export type Data = {
  dataDir: string;
  /** Command line options for this data. */
  source: string[];
  /** The same options for this process. */
  configSource: ConfigSource;
  /** Starts a homeserver in this process. */
  start(): Promise<Homeserver>;
  /** Rewrites `homeserver.yaml` with these additional `database.args`. PostgreSQL only. */
  configure(args: Record<string, unknown>): Promise<void>;
  /** Connects to its database, or another one of that server, as a database admin. PostgreSQL only. */
  connect(database?: string): Promise<Client>;
  /** Name of its PostgreSQL database; empty on SQLite. */
  database: string;
  remove(): Promise<void>;
};

/** Shared secret to register its users. */
export const sharedSecret = 'shared';

/**
 * Creates a data directory, and on PostgreSQL the database that its configuration names.
 *
 * @param settings settings for `homeserver.yaml`
 * @param kind kind of PostgreSQL database; tests of the first start use an empty one
 */
export async function makeData(
  settings: Record<string, unknown> = {},
  kind: 'with its tables' | 'empty' = 'with its tables',
): Promise<Data> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-data-'));
  const file = join(dataDir, 'homeserver.yaml');
  const database = await makeDatabase('C', kind);
  const name = database?.config.name === 'psycopg2' ? (database.config.database ?? '') : '';
  const server = inject('postgres');
  const configure = (args: Record<string, unknown>) =>
    // YAML accepts JSON.
    writeFile(
      file,
      JSON.stringify({
        registration_shared_secret: sharedSecret,
        ...settings,
        ...(server && { database: { name: 'psycopg2', args: { ...server, dbname: name, ...args } } }),
      }),
    );
  await configure({});
  const configSource = { file, dataDir, port: 0, console: false };
  return {
    dataDir,
    source: ['--config', file, '--data-dir', dataDir],
    configSource,
    async start() {
      const homeserver = await createHomeserver(await loadConfig(configSource));
      await homeserver.start();
      return homeserver;
    },
    configure,
    async connect(other = name) {
      const client = new Client({ ...server, database: other });
      await client.connect();
      return client;
    },
    database: name,
    async remove() {
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
