/** Copies of data from earlier builds, for the engine of the current test project. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { inject } from 'vitest';
import type { DatabaseConfig } from '../../../server/platform/config/database.ts';
import type { Manifest } from '../../fixtures/read-data.ts';
import { makeDatabase } from '../database.ts';

type FixtureCopy = {
  dataDir: string;
  database: DatabaseConfig;
  manifest: Manifest;
  remove(): Promise<void>;
};

/** Copies a directory of test/fixtures. Changes to the copy don't affect the original. */
export async function copyFixture(name: string): Promise<FixtureCopy> {
  const original = fileURLToPath(new URL(`../../fixtures/${name}/`, import.meta.url));
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-fixture-'));
  await cp(join(original, 'sqlite'), dataDir, { recursive: true });
  const manifest: Manifest = JSON.parse(await readFile(join(original, 'manifest.json'), 'utf8'));
  const made = await makeDatabase('C', 'empty');
  if (made?.config.name === 'psycopg2') {
    const client = new Client({ ...inject('postgres'), database: made.config.database });
    await client.connect();
    await client.query(await readFile(join(original, 'postgres.sql'), 'utf8'));
    await client.end();
  }
  return {
    dataDir,
    database: made?.config ?? { name: 'sqlite3', file: join(dataDir, 'homeserver.db') },
    manifest,
    async remove() {
      await made?.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}
