/** Finding what holds a text, with patterns that every engine reads the same way. */
import { type Expression, type SqlBool, sql } from 'kysely';

/** A text, as a column or an expression. */
type Text = Expression<string | null>;

/** Whether a text holds another, whatever case either is written in. */
export const holds = (text: Text, term: string): Expression<SqlBool> => like(text, `%${literally(term)}%`);

/** Whether the local part of a user's identifier or an alias (`sigil` is `@` or `#`) holds a text, likewise. */
export const localpartHolds = (identifier: Text, sigil: '@' | '#', term: string): Expression<SqlBool> =>
  like(identifier, `${sigil}%${literally(term)}%:%`);

/** SQLite's own small letters are those of ASCII: the pattern's are made by the engine that compares them. */
const like = (text: Text, pattern: string) => sql<SqlBool>`lower(${text}) like lower(${pattern}) escape '\\'`;

/** Text as part of a pattern that stands for itself, escaped with a backslash; one with NUL would end there. */
const literally = (text: string) => text.replaceAll('\0', '\u{FFFD}').replaceAll(/[\\%_]/g, '\\$&');
