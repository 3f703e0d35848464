/** What an archive says of a PostgreSQL database beside its rows. */
import { type Static, Type } from 'typebox';

export const postgresEntry = 'postgres.json';
/** Its size has a bound, in bytes: it is read into memory. */
export const largestPostgresEntry = 1024 * 1024;

/** A part of a table's rows, as `COPY` writes them: `postgres/events/000001`. */
export const rowsEntry = (table: string, number: number) =>
  `postgres/${table}/${String(number).padStart(6, '0')}`;
export const rowsName = /^postgres\/([a-z_]{1,63})\/\d{6,9}$/;
/** Ours are called nothing else. */
export const tableName = /^[a-z_]{1,63}$/;

export const PostgresContent = Type.Object({
  /** Those that had been run. */
  migrations: Type.Array(Type.String()),
  /** By their columns, but those that are made from others. */
  tables: Type.Record(Type.String(), Type.Array(Type.String())),
  /** `value` as text: it may be longer than a number is exact. */
  sequences: Type.Array(Type.Object({ name: Type.String(), value: Type.String(), called: Type.Boolean() })),
});
export type PostgresContent = Static<typeof PostgresContent>;

/** What the migrations themselves keep. */
export const migrationTables: readonly string[] = ['kysely_migration', 'kysely_migration_lock'];
