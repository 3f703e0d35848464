/** Rows as a file: CSV for spreadsheets, raw CSV and NDJSON for programs. */
export type FileFormat = 'csv' | 'raw-csv' | 'ndjson';

export type FileRow = Record<string, string | number | boolean | null>;

export const fileTypes: Record<FileFormat, string> = {
  csv: 'text/csv;charset=utf-8',
  'raw-csv': 'text/csv;charset=utf-8',
  ndjson: 'application/x-ndjson',
};

export const extensionOf = (format: FileFormat) => (format === 'ndjson' ? 'ndjson' : 'csv');

/** Returns the first line of a file. Spreadsheets read a CSV as UTF-8 only with a byte order mark. */
export const headerLine = (format: FileFormat, columns: readonly string[]) =>
  format === 'ndjson' ? '' : `${format === 'csv' ? '\uFEFF' : ''}${columns.join(',')}\r\n`;

/** @param unguarded columns whose values are never changed, even if a spreadsheet would run them as formulas */
export const rowLine = (
  format: FileFormat,
  columns: readonly string[],
  row: FileRow,
  unguarded: readonly string[] = [],
): string => {
  if (format === 'ndjson') return `${JSON.stringify(row)}\n`;
  const cells = columns.map((column) =>
    formatCell(row[column] ?? null, format === 'csv' && !unguarded.includes(column)),
  );
  return `${cells.join(',')}\r\n`;
};

function formatCell(value: FileRow[string], isSpreadsheet: boolean): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = isSpreadsheet ? escapeFormula(value) : value;
  return /[",\r\n]|^'/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Puts an apostrophe before text that a spreadsheet would run as a formula: most of it comes from strangers, and user
 * IDs begin with @. With semicolons or tabs as separators, part of a cell becomes its own cell.
 */
function escapeFormula(value: string): string {
  const pieces = value.replace(/([;\s\p{Cc}\p{Cf}]+)([=+\-@|%＝＋－＠]?)/gu, (all, gap, sign) =>
    sign && /[;\t\r\n]/.test(gap) ? `${gap}'${sign}` : all,
  );
  return /^[\s\p{Cc}\p{Cf}]*[=+\-@\t\r|%＝＋－＠]/u.test(value) ? `'${pieces}` : pieces;
}

/** Formats a timestamp in ISO 8601; null if there is none. Out-of-range ones from hostile servers must not end an export. */
export function fileTime(timestamp: number | null | undefined): string | null {
  if (!timestamp) return null;
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
