/** Finding what holds a text, with a pattern that every engine reads the same way. */
import { type Expression, type SqlBool, sql } from 'kysely';

/** Whether a text in lower case holds another, whatever case that is written in. */
export function holds(text: Expression<string | null>, term: string): Expression<SqlBool> {
  return like(text, `%${literally(term.toLowerCase())}%`);
}

/** Whether the local part of an alias in lower case holds a text, whatever case that is written in. */
export function localpartHolds(alias: Expression<string | null>, term: string): Expression<SqlBool> {
  return like(alias, `#%${literally(term.toLowerCase())}%:%`);
}

const like = (text: Expression<string | null>, pattern: string) =>
  sql<SqlBool>`${text} like ${pattern} escape '\\'`;

/** Text as part of a pattern that stands for itself, escaped with a backslash; one with NUL would end there. */
export const literally = (text: string) => text.replaceAll('\0', '\u{FFFD}').replaceAll(/[\\%_]/g, '\\$&');
