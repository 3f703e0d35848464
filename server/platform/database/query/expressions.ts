/** SQL expressions for both engines. */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { isPostgres } from '../engine.ts';
import type { Database } from '../schema.ts';

/** Returns the operand of `in` for a list of texts, as one parameter: the statement is the same for any length. */
export const textsIn = (db: Database, texts: readonly string[]) => textsOf(db, JSON.stringify(texts));

/** @param json the list as JSON, or a placeholder for it */
export const textsOf = (db: Database, json: string): RawBuilder<string> =>
  isPostgres(db)
    ? sql<string>`(select json_array_elements_text(cast(${json} as json)))`
    : sql<string>`(select value from json_each(${json}))`;

/** A text, as a column or an expression. */
type Text = Expression<string | null>;

/** Returns a case-insensitive test for a substring. */
export const contains = (text: Text, term: string): Expression<SqlBool> =>
  like(text, `%${escapeLike(term)}%`);

/** Like `contains`, for the local part of a user ID (`@`) or an alias (`#`). */
export const localpartContains = (identifier: Text, sigil: '@' | '#', term: string): Expression<SqlBool> =>
  like(identifier, `${sigil}%${escapeLike(term)}%:%`);

/** SQLite lowers only ASCII letters, so the engine must lower the pattern as well. */
const like = (text: Text, pattern: string) => sql<SqlBool>`lower(${text}) like lower(${pattern}) escape '\\'`;

/** Escapes text for a LIKE pattern, which NUL would end. */
const escapeLike = (text: string) => text.replaceAll('\0', '\u{FFFD}').replaceAll(/[\\%_]/g, '\\$&');

/**
 * The part of totals that a transaction updates. A total is the sum of several rows, so that concurrent transactions don't
 * block each other. SQLite, which runs one at a time, has one part.
 */
export const ownPart = (db: Database): RawBuilder<number> =>
  isPostgres(db) ? sql<number>`part_of_totals()` : sql.lit(0);

/**
 * The database's time as seen by a statement, in milliseconds since the Unix epoch. It is the same for all processes of a
 * database. On SQLite, which has one process, it is that process's clock.
 */
export function databaseTime(db: Database, clock: Pick<Clock, 'now' | 'databaseTime'>): RawBuilder<number> {
  if (!isPostgres(db)) return sql<number>`${clock.now()}`;
  const time = clock.databaseTime?.();
  return time === undefined
    ? sql<number>`extract(epoch from clock_timestamp())::double precision * 1000`
    : sql<number>`${time}::double precision`;
}
