import { i18n } from '@lingui/core';
import { isEmail } from '../../../api/user-list.ts';
import { invalidNameReason, localpartOf } from './user-name.ts';

const separators = ',;\\t';
/** An unclosed quote is part of its cell: it mustn't swallow the lines below. */
const cellBefore = (separator: string) =>
  new RegExp(`[ ]*"((?:[^"]|"")*)"[ ]*(?=[${separator}]|\\r?\\n|$)|([^${separator}\\r\\n]*)`, 'y');
const cells = Object.fromEntries([',', ';', '\t'].map((separator) => [separator, cellBefore(separator)]));
const firstCell = cellBefore(separators);

/**
 * Parses comma-, semicolon- or tab-separated text (RFC 4180) and skips blank lines. The first separator in a record
 * applies to the whole record, so a display name can contain the others.
 */
function recordsOf(text: string): string[][] {
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

export type NewUser = {
  localpart: string;
  displayname: string;
  email: string;
  /** Why this user can't be created, translated. */
  fault: string | undefined;
};

/** Parses a user per line: names, or CSV whose header row, if any, assigns the columns. */
export function parseUsers(text: string, server: string): NewUser[] {
  const seen = new Set<string>();
  const [first = [], ...others] = recordsOf(text);
  const header = headerOf(first);
  const columns = header ?? { name: 0, displayname: 1, email: 2 };
  return (header ? others : first.length > 0 ? [first, ...others] : []).map((cells) => {
    const textOf = (column: keyof typeof columns) => (cells[columns[column]] ?? '').replace(/\s+/g, ' ');
    const [name, displayname, email] = [textOf('name'), textOf('displayname'), textOf('email')];
    const localpart = localpartOf(name, server).toLowerCase();
    const isDuplicate = seen.has(localpart);
    seen.add(localpart);
    const faults = [
      localpart === '' && i18n.t('Missing name'),
      invalidNameReason(localpart, server),
      isDuplicate && i18n.t('Duplicate name'),
      email !== '' && !isEmail(email) && i18n.t('Enter a valid email address.'),
    ];
    return { localpart, displayname, email, fault: faults.find(Boolean) || undefined };
  });
}

const columnNames = {
  name: ['username', 'userid', 'localpart', 'mxid', 'matrixid', 'benutzername', 'name', 'user', 'login'],
  displayname: ['displayname', 'fullname', 'anzeigename', 'name'],
  email: ['email', 'mail', 'emailaddress', 'mailaddress', 'emailadresse'],
};

/** Headers even as the only column: unlikely as user names. */
const headerOnlyNames = ['username', 'userid', 'localpart', 'mxid', 'matrixid', 'benutzername'];

/** Returns each column's index, or -1 if missing; undefined if the record isn't a header. */
function headerOf(record: readonly string[]): Record<keyof typeof columnNames, number> | undefined {
  const cells = record.map((cell) => cell.toLowerCase().replace(/[\s_-]/g, ''));
  const indexOf = (column: keyof typeof columnNames, taken = -1) =>
    columnNames[column]
      .map((alias) => cells.findIndex((cell, index) => index !== taken && cell === alias))
      .find((index) => index !== -1) ?? -1;
  const name = indexOf('name');
  const [displayname, email] = [indexOf('displayname', name), indexOf('email')];
  const isHeader =
    headerOnlyNames.includes(cells[name] ?? '') || (name !== -1 && (displayname !== -1 || email !== -1));
  return isHeader ? { name, displayname, email } : undefined;
}
