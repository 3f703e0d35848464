/** New users from pasted text: names on a line each, or CSV. */
import { i18n } from '@lingui/core';
import { isMail } from '../../../api/user-list.ts';
import { localpartOf, misspelling } from './user-name.ts';

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

export type Pasted = {
  localpart: string;
  displayname: string;
  mail: string;
  /** Why nobody can be made of it, in the person's language. */
  fault: string | undefined;
};

/** Reads what each line means on a server of this name. A header row assigns the columns. */
export function readNames(text: string, server: string): Pasted[] {
  const seen = new Set<string>();
  const [first = [], ...others] = recordsOf(text);
  const header = headerOf(first);
  const places = header ?? { name: 0, displayname: 1, mail: 2 };
  return (header ? others : first.length > 0 ? [first, ...others] : []).map((cells) => {
    const textOf = (column: keyof typeof places) => (cells[places[column]] ?? '').replace(/\s+/g, ' ');
    const [name, displayname, mail] = [textOf('name'), textOf('displayname'), textOf('mail')];
    const localpart = localpartOf(name, server).toLowerCase();
    const isTwice = seen.has(localpart);
    seen.add(localpart);
    const faults = [
      localpart === '' && i18n.t('Missing name'),
      misspelling(localpart, server),
      isTwice && i18n.t('Duplicate name'),
      mail !== '' && !isMail(mail) && i18n.t('Enter a valid email address.'),
    ];
    return { localpart, displayname, mail, fault: faults.find(Boolean) || undefined };
  });
}

const columnNames = {
  name: ['username', 'userid', 'localpart', 'mxid', 'matrixid', 'benutzername', 'name', 'user', 'login'],
  displayname: ['displayname', 'fullname', 'anzeigename', 'name'],
  mail: ['email', 'mail', 'emailaddress', 'mailaddress', 'emailadresse'],
};

/** On their own, these are more likely a header than an account. */
const onlyHeaders = ['username', 'userid', 'localpart', 'mxid', 'matrixid', 'benutzername'];

/** Returns the place of each column, -1 for a missing one; undefined where the record isn't a header. */
function headerOf(record: readonly string[]): Record<keyof typeof columnNames, number> | undefined {
  const cells = record.map((cell) => cell.toLowerCase().replace(/[\s_-]/g, ''));
  const placeOf = (column: keyof typeof columnNames, taken = -1) => {
    const found = columnNames[column].find((known) =>
      cells.some((cell, at) => at !== taken && cell === known),
    );
    return found === undefined ? -1 : cells.findIndex((cell, at) => at !== taken && cell === found);
  };
  const name = placeOf('name');
  const [displayname, mail] = [placeOf('displayname', name), placeOf('mail')];
  const isHeader =
    onlyHeaders.includes(cells[name] ?? '') || (name !== -1 && (displayname !== -1 || mail !== -1));
  return isHeader ? { name, displayname, mail } : undefined;
}
