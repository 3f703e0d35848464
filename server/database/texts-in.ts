/** Lists as one parameter of a query, so that the query is the same for any number of items. */
import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from './engine.ts';
import type { Database } from './schema.ts';

/** Returns the operand of `in` for a list of texts. */
export const textsIn = (db: Database, texts: readonly string[]) => textsOf(db, JSON.stringify(texts));

/** @param json the list as JSON, or a placeholder for it */
export const textsOf = (db: Database, json: string): RawBuilder<string> =>
  isPostgres(db)
    ? sql<string>`(select json_array_elements_text(cast(${json} as json)))`
    : sql<string>`(select value from json_each(${json}))`;
