import { sql } from 'kysely';
import { isPostgres } from './engine.ts';
import type { Database } from './schema.ts';

/** A list of any length as one parameter. */
export const textsIn = (db: Database, texts: readonly string[]) =>
  isPostgres(db)
    ? sql<string>`(select value from json_array_elements_text(${JSON.stringify(texts)}::json) as texts(value))`
    : sql<string>`(select value from json_each(${JSON.stringify(texts)}))`;
