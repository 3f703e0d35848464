const separators = ',;\\t';
/** A quote that nothing closes is part of its cell: it must not swallow the lines below it. */
const cellBefore = (separator: string) =>
  new RegExp(`[ ]*"((?:[^"]|"")*)"[ ]*(?=[${separator}]|\\r?\\n|$)|([^${separator}\\r\\n]*)`, 'y');
const cells = Object.fromEntries([',', ';', '\t'].map((separator) => [separator, cellBefore(separator)]));
const firstCell = cellBefore(separators);

/**
 * Returns the records of comma-, semicolon- or tab-separated text (RFC 4180), blank lines left out. The first separator
 * in a record is that of the whole record, so that a display name can contain the others.
 */
export function recordsOf(text: string): string[][] {
  const input = text.replace(/^\uFEFF/, '');
  const records: string[][] = [];
  let record: string[] = [];
  let cell = firstCell;
  for (let at = 0; at <= input.length; at++) {
    cell.lastIndex = at;
    const [all = '', quoted, plain = ''] = cell.exec(input) ?? [];
    record.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    at += all.length;
    const next = input[at] ?? '';
    if (cell === firstCell) cell = cells[next] ?? firstCell;
    if (cell !== firstCell && cells[next] === cell) continue;
    if (next === '\r' && input[at + 1] === '\n') at++;
    if (record.some((value) => value !== '')) records.push(record);
    [record, cell] = [[], firstCell];
  }
  return records;
}
