/** Data for one homeserver, on the engine of the test project that runs. */
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
  /** Options of the command line. */
  source: string[];
  /** The same for this process. */
  configSource: ConfigSource;
  /** Starts a homeserver in this process. */
  start(): Promise<Homeserver>;
  /** Writes its `homeserver.yaml` anew, with these `database.args` beside its own. PostgreSQL only. */
  configure(args: Record<string, unknown>): Promise<void>;
  /** A connection to its database, or another of that server, as its administrator. PostgreSQL only. */
  connect(database?: string): Promise<Client>;
  /** The name of its PostgreSQL database; empty on SQLite. */
  database: string;
  remove(): Promise<void>;
};

/** Registers its users. */
export const sharedSecret = 'shared';

/**
 * Creates a data directory, and on PostgreSQL a database that its configuration names.
 *
 * @param settings of `homeserver.yaml`
 * @param kind of the PostgreSQL database: an empty one for tests of the first start
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
    // JSON is YAML.
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
