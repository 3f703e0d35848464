import { type CreateTableBuilder, type Kysely, SqliteAdapter } from 'kysely';

/** A primary key that numbers the rows from 1 and never gives a number twice. */
export function identityColumn<Table extends string>(
  table: CreateTableBuilder<Table>,
  name: string,
  db: Kysely<unknown>,
) {
  const sqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  return sqlite
    ? table.addColumn(name, 'integer', (column) => column.primaryKey().autoIncrement())
    : table.addColumn(name, 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity());
}
