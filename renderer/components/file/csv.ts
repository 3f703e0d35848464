/** A record, and the line of the file that it starts on. */
export type CsvRecord = {
  line: number;
  cells: string[];
  /** The quoting breaks RFC 4180. `unclosed`: read as part of the text, up to the end of the line. */
  fault?: 'unclosed' | 'afterQuote';
};

type Delimiter = ',' | ';' | '\t';

const delimiters: readonly Delimiter[] = [',', ';', '\t'];

/**
 * Parses CSV (RFC 4180) with any line break, separated by commas, semicolons or tabs. Skips blank records. Spaces around
 * a quoted cell are ignored.
 */
export function parseCsv(
  text: string,
  delimiter: Delimiter = detectDelimiter(text),
): { records: CsvRecord[]; delimiter: Delimiter } {
  const input = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const plainCell = new RegExp(`[^${delimiter}\\r\\n]*`, 'y');
  const records: CsvRecord[] = [];
  let record: CsvRecord = { line: 1, cells: [] };
  let line = 1;
  let at = 0;

  function readPlain(): string {
    plainCell.lastIndex = at;
    const [cell = ''] = plainCell.exec(input) ?? [];
    at += cell.length;
    return cell;
  }

  function readCell(): string {
    const quote = skipSpaces(input, at);
    if (input[quote] !== '"') return readPlain();
    const end = closingQuote(input, quote);
    if (end === -1) {
      record.fault ??= 'unclosed';
      return readPlain();
    }
    const cell = input.slice(quote + 1, end).replaceAll('""', '"');
    line += countLineBreaks(cell);
    at = skipSpaces(input, end + 1);
    const rest = readPlain();
    if (rest !== '') record.fault ??= 'afterQuote';
    return cell + rest;
  }

  while (at <= input.length) {
    record.cells.push(readCell());
    if (input[at] === delimiter) {
      at++;
      continue;
    }
    if (record.cells.some((cell) => cell.trim() !== '')) records.push(record);
    at += input.startsWith('\r\n', at) ? 2 : 1;
    line++;
    record = { line, cells: [] };
  }
  return { records, delimiter };
}

/** Returns the most frequent separator of the first record that has one; of equal ones, the first in that record. */
export function detectDelimiter(text: string): Delimiter {
  const counts = new Map<Delimiter, number>();
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (character === '"') {
      const end = closingQuote(text, at);
      if (end !== -1) at = end;
    } else if (delimiters.includes(character as Delimiter)) {
      counts.set(character as Delimiter, (counts.get(character as Delimiter) ?? 0) + 1);
    } else if ((character === '\n' || character === '\r') && counts.size > 0) break;
  }
  const [first] = [...counts].sort(([, one], [, other]) => other - one);
  return first?.[0] ?? ',';
}

/** Returns the index of the quote that closes the one at `start`, or -1. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}

function skipSpaces(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ') at++;
  return at;
}

const countLineBreaks = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0;
