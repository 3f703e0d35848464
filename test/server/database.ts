import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import type { DatabaseConfig } from '../../server/platform/config/database.ts';
import { openDatabase } from '../../server/platform/database/database.ts';
import { connectionTo, templateDatabase } from '../postgres.ts';

/**
 * A PostgreSQL database for one homeserver, in the test project that runs on PostgreSQL; undefined in the
 * others, where a homeserver has its SQLite file.
 */
export async function makeDatabase(
  locale = 'C',
  kind: 'with its tables' | 'empty' = locale === 'C' ? 'with its tables' : 'empty',
): Promise<{ config: DatabaseConfig; drop(): Promise<void> } | undefined> {
  const server = inject('postgres');
  if (!server) return undefined;
  const name = `test_${randomBytes(8).toString('hex')}`;
  const run = async (statement: string) => {
    const client = new Client({ ...server, database: 'postgres' });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  const [template, sorting] =
    kind === 'with its tables'
      ? [templateDatabase, '']
      : ['template0', `encoding 'UTF8' lc_collate '${locale}' lc_ctype '${locale}'`];
  // Its files are copied: to write every page to the log as well, as PostgreSQL does by itself, costs twice as much.
  await run(`create database ${name} template ${template} strategy file_copy ${sorting}`);
  const config = connectionTo(server, name, 5);
  return { config, drop: () => run(`drop database ${name} with (force)`) };
}

let sqliteTemplate: Promise<Buffer> | undefined;

/** Writes a SQLite database with its tables, made once for this process: to copy one is far less than to make it. */
export async function writeSqliteDatabase(file: string): Promise<void> {
  sqliteTemplate ??= newSqliteDatabase();
  await writeFile(file, await sqliteTemplate, { mode: 0o600 });
}

async function newSqliteDatabase(): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-template-'));
  const file = join(directory, 'homeserver.db');
  const db = await openDatabase({ name: 'sqlite3', file });
  await db.destroy();
  const content = await readFile(file);
  await rm(directory, { recursive: true });
  return content;
}

/** Runs a statement in the database of a homeserver, beside it. */
export async function queryDatabase(config: DatabaseConfig, statement: string): Promise<void> {
  if (config.name !== 'psycopg2') throw new Error('there is no PostgreSQL database');
  const client = new Client({ ...config });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
