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
 * Creates a PostgreSQL database for one homeserver in the PostgreSQL project. Returns undefined in the others, which
 * use SQLite files.
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
  // Copies files: PostgreSQL's default also writes every page to the WAL, which costs twice as much.
  await run(`create database ${name} template ${template} strategy file_copy ${sorting}`);
  const config = connectionTo(server, name, 5);
  return { config, drop: () => run(`drop database ${name} with (force)`) };
}

let sqliteTemplate: Promise<Buffer> | undefined;

/** Writes a SQLite database with its tables. Copies a per-process template, which is much cheaper than creating one. */
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

/** Runs a statement in a homeserver's database over a separate connection. */
export async function queryDatabase(config: DatabaseConfig, statement: string): Promise<void> {
  if (config.name !== 'psycopg2') throw new Error('there is no PostgreSQL database');
  const client = new Client({ ...config });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
