/** Lists as one value of a query: the query is the same for any number of items, and built once. */
import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from './engine.ts';
import type { Database } from './schema.ts';

/**
 * The texts of a JSON list, as what stands after `in`.
 *
 * @param json the list, or the stand-in for it
 */
export const textsOf = (db: Database, json: string): RawBuilder<string> =>
  isPostgres(db)
    ? sql<string>`(select json_array_elements_text(cast(${json} as json)))`
    : sql<string>`(select value from json_each(${json}))`;
