import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration doesn't know later tables
export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of [
    'drop table duties',
    'alter table scheduled_tasks drop column lease_number',
    'alter table scheduled_tasks drop column lease_until',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
