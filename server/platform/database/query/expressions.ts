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
export const holds = (text: Text, term: string): Expression<SqlBool> => like(text, `%${literally(term)}%`);

/** Whether the local part of a user's identifier or an alias (`sigil` is `@` or `#`) holds a text, likewise. */
export const localpartHolds = (identifier: Text, sigil: '@' | '#', term: string): Expression<SqlBool> =>
  like(identifier, `${sigil}%${literally(term)}%:%`);

/** SQLite's own small letters are those of ASCII: the pattern's are made by the engine that compares them. */
const like = (text: Text, pattern: string) => sql<SqlBool>`lower(${text}) like lower(${pattern}) escape '\\'`;

/** Text as part of a pattern that stands for itself, escaped with a backslash; one with NUL would end there. */
const literally = (text: string) => text.replaceAll('\0', '\u{FFFD}').replaceAll(/[\\%_]/g, '\\$&');

/**
 * The part of each total in which a transaction counts: a total is the sum of several, so that those who count at the
 * same time don't wait for each other. On SQLite they come one after the other, and there is one.
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
