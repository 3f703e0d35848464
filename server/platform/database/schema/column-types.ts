import type { ColumnType } from 'kysely';

/** SQLite has no booleans: 0 or 1. */
export type Flag = ColumnType<number, number | undefined, number>;
