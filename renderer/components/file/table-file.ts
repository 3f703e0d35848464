/** Rows as a file: CSV for spreadsheets, NDJSON for programs. */
export type FileFormat = 'csv' | 'ndjson';

export type FileRow = Record<string, string | number | null>;

export const fileTypes: Record<FileFormat, string> = {
  csv: 'text/csv;charset=utf-8',
  ndjson: 'application/x-ndjson',
};

/** What stands at the beginning of a file. Spreadsheets take a CSV for UTF-8 only where it has the mark. */
export const headOf = (format: FileFormat, columns: readonly string[]) =>
  format === 'csv' ? `\uFEFF${columns.join(',')}\r\n` : '';

export const lineOf = (format: FileFormat, columns: readonly string[], row: FileRow): string =>
  format === 'ndjson'
    ? `${JSON.stringify(row)}\n`
    : `${columns.map((column) => cellOf(row[column] ?? null)).join(',')}\r\n`;

/**
 * A cell of a CSV. A spreadsheet runs what begins like a formula, and much here was written by strangers: an
 * apostrophe before it makes it text. Where lists are parted by semicolons or tabs, as in many languages, a piece of a
 * cell becomes a cell of its own.
 */
function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const pieces = value.replace(/([;\s\p{Cc}\p{Cf}]+)([=+\-@|%＝＋－＠]?)/gu, (all, gap, sign) =>
    sign && /[;\t\r\n]/.test(gap) ? `${gap}'${sign}` : all,
  );
  const text = /^[\s\p{Cc}\p{Cf}]*[=+\-@\t\r|%＝＋－＠]/u.test(value) ? `'${pieces}` : pieces;
  return /[",\r\n]|^'/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Out-of-range timestamps come from hostile servers and must not end an export. */
export function fileTime(timestamp: number): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
