import { saveFile } from '../../../components/file/file-sink.ts';
import { type FileRow, fileTypes, headerLine, rowLine } from '../../../components/file/table-file.ts';
import type { ImportRun } from './import-store.ts';

const columns = ['name', 'user_id', 'result', 'password', 'error', 'line'];

/** Formats a row as CSV. The password is never escaped against formulas, so that it stays valid. */
export const resultLine = (row: FileRow): string => rowLine('csv', columns, row, ['password']);

/** Returns all rows of the imported file in its order, also those that weren't sent. */
export function resultRows({
  rows,
  unsent,
  results,
}: Pick<ImportRun, 'rows' | 'unsent' | 'results'>): FileRow[] {
  const sent = rows.map(({ line, localpart, userId }) => {
    const { outcome = 'not started', password = null, error = null } = results.get(line) ?? {};
    return { name: localpart, user_id: userId, result: outcome, password, error, line };
  });
  const others = unsent.map(({ row: { line, localpart, userId }, does, faults }) => ({
    name: localpart,
    user_id: userId,
    result: does === 'skip' ? 'skipped' : 'not imported',
    password: null,
    error: faults.join('; ') || null,
    line,
  }));
  return [...sent, ...others].sort((a, b) => a.line - b.line);
}

/** Saves results and generated passwords as CSV. Returns false if the user cancelled the dialog. */
export async function saveResults(run: ImportRun, inShell: boolean): Promise<boolean> {
  const date = new Date().toISOString().slice(0, 10);
  const isSaved = await saveFile(`user-import-${date}.csv`, fileTypes.csv, inShell, async (write) => {
    await write(headerLine('csv', columns));
    for (const row of resultRows(run)) await write(resultLine(row));
    return true;
  });
  return isSaved === true;
}

/** Decodes text as UTF-8 or UTF-16 with a byte order mark, and otherwise as Windows-1252, which spreadsheets still write. */
export function decodeText(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
