/** The schema of version 0.1.0, the first that was released. */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../engine.ts';
import * as postgres from './0001-postgres.ts';
import * as sqlite from './0001-sqlite.ts';
import { tables } from './0001-tables.ts';

const counters = [
  'insert into event_report_order (changes, followed) values (0, 0)',
  'insert into push_rule_version (version) values (0)',
];

// biome-ignore lint/suspicious/noExplicitAny: a migration doesn't know later tables
export async function up(db: Kysely<any>): Promise<void> {
  const statements = isPostgres(db)
    ? [...postgres.beforeTables, ...tables(postgres.spelling), ...postgres.afterTables]
    : [...tables(sqlite.spelling), ...sqlite.afterTables];
  for (const statement of [...statements, ...counters]) await sql.raw(statement).execute(db);
}
