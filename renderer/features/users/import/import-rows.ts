/** Reads the rows of an import, and determines the effect of each. */
import { i18n } from '@lingui/core';
import { isEmail } from '../../../api/user-list.ts';
import type { CsvRecord } from '../../../components/file/csv.ts';
import { invalidNameReason, localpartOf } from '../create/user-name.ts';
import type { Assignment, ImportField } from './import-columns.ts';

/** Fields that are missing or empty in the file aren't changed. */
export type ImportRow = {
  /** In the file, from 1. */
  line: number;
  /** Empty if the name is missing. */
  userId: string;
  localpart: string;
  displayname?: string;
  password?: string;
  admin?: boolean;
  email?: string;
  /** International, digits only. */
  phone?: string;
  externalId?: { provider: string; id: string };
  /** Null for a regular user. */
  userType?: string | null;
  /** Translated. A row with faults isn't sent. */
  faults: readonly string[];
};

type RowLimits = {
  /** The server's name. */
  server: string;
  /** Whether users can have passwords. */
  hasPasswords: boolean;
  /** Whether a separate service has the accounts, which knows no phone numbers. */
  isDelegated: boolean;
};

/** Reads records without the header. */
export function readRows(
  records: readonly CsvRecord[],
  assignment: Assignment,
  limits: RowLimits,
): ImportRow[] {
  const columns = new Map(assignment.flatMap((field, index) => (field ? [[field, index] as const] : [])));
  const firstLines = new Map<string, number>();
  return records.map((record) => {
    const cellOf = (field: ImportField) => record.cells[columns.get(field) ?? -1] ?? '';
    const row = readRow(record, cellOf, limits);
    const keys: [string, (line: number) => string][] = [
      [row.localpart && `name ${row.localpart}`, (line) => i18n.t('Same name as line {line}', { line })],
      [row.email ? `email ${row.email}` : '', (line) => i18n.t('Same email as line {line}', { line })],
      [row.phone ? `phone ${row.phone}` : '', (line) => i18n.t('Same phone as line {line}', { line })],
      [
        row.externalId ? `id ${row.externalId.provider}:${row.externalId.id}` : '',
        (line) => i18n.t('Same external ID as line {line}', { line }),
      ],
    ];
    const duplicates = keys.flatMap(([key, faultOf]) => {
      if (key === '') return [];
      const first = firstLines.get(key);
      if (first !== undefined) return [faultOf(first)];
      firstLines.set(key, record.line);
      return [];
    });
    return duplicates.length > 0 ? { ...row, faults: [...row.faults, ...duplicates] } : row;
  });
}

function readRow(
  { line, fault }: CsvRecord,
  cellOf: (field: ImportField) => string,
  { server, hasPasswords, isDelegated }: RowLimits,
): ImportRow {
  const textOf = (field: ImportField) => unguarded(cellOf(field)).replace(/\s+/g, ' ').trim();
  const name = textOf('name');
  const localpart = localpartOf(name, server).toLowerCase();
  const isForeign = /^@[^:]*:/.test(name) && !name.toLowerCase().endsWith(`:${server.toLowerCase()}`);
  const [displayname, email] = [textOf('displayname'), textOf('email').toLowerCase()];
  // Spaces can be part of a password.
  const password = cellOf('password').trim() === '' ? '' : cellOf('password');
  const admin = readFlag(textOf('admin'));
  const phone = readPhone(textOf('phone'));
  const externalId = readExternalId(textOf('externalId'));
  const userType = readUserType(textOf('userType'));
  const faults = [
    fault === 'unclosed' && i18n.t('Missing closing quote'),
    fault === 'afterQuote' && i18n.t('Text after a closing quote'),
    name === '' && i18n.t('Missing name'),
    isForeign ? i18n.t('Not a user ID of {server}', { server }) : invalidNameReason(localpart, server),
    admin === null && i18n.t('Server admin: enter yes or no'),
    email !== '' && !isEmail(email) && i18n.t('Invalid email'),
    phone === null && i18n.t('Phone: enter the number with its country code'),
    externalId === null && i18n.t('External ID: enter provider:ID'),
    password !== '' && !hasPasswords && i18n.t('This server has no passwords. Ignore the column.'),
    phone && isDelegated && i18n.t("This server doesn't support phone numbers. Ignore the column."),
  ].filter((each) => typeof each === 'string');
  return {
    line,
    userId: localpart === '' ? '' : `@${localpart}:${server}`,
    localpart,
    ...(displayname && { displayname }),
    ...(password && { password }),
    ...(typeof admin === 'boolean' && { admin }),
    ...(email && { email }),
    ...(phone && { phone }),
    ...(externalId && { externalId }),
    ...(userType !== undefined && { userType }),
    faults,
  };
}

/** Removes the apostrophe that exports put before text that spreadsheets would run as a formula. */
const unguarded = (cell: string) => cell.replace(/^\s*'(?=[=+\-@|%])/, '');

const yes = new Set(['yes', 'y', 'true', '1', 'x', 'ja', 'j', 'wahr', 'admin']);
const no = new Set(['no', 'n', 'false', '0', '-', 'nein', 'falsch']);

/** Undefined if empty, null if unreadable. */
function readFlag(text: string): boolean | null | undefined {
  const word = text.toLowerCase();
  if (word === '') return undefined;
  return yes.has(word) ? true : no.has(word) ? false : null;
}

/** Servers keep phone numbers as digits with the country code (E.164). */
function readPhone(text: string): string | null | undefined {
  if (text === '') return undefined;
  const digits = text
    .replace(/\(0\)/g, '')
    .replace(/[\s().\-/]/g, '')
    .replace(/^(\+|00)/, '');
  return /^[1-9]\d{6,14}$/.test(digits) ? digits : null;
}

function readExternalId(text: string): { provider: string; id: string } | null | undefined {
  if (text === '') return undefined;
  const [, provider, id] = /^([^:]+):(.+)$/.exec(text) ?? [];
  return provider && id ? { provider: provider.trim(), id: id.trim() } : null;
}

/** Servers can be configured to have further types. */
function readUserType(text: string): string | null | undefined {
  const word = text.toLowerCase();
  if (word === '') return undefined;
  return ['user', 'regular', 'regular user', 'none', 'null', 'normal'].includes(word) ? null : word;
}

/** The server's account with a name. `refusal`: the reason why the name can't be used. */
export type ExistingUser = { isDeactivated: boolean } | { refusal: string };
export type ExistingUsers = ReadonlyMap<string, ExistingUser>;

/** The handling of existing users. `stop`: nothing is imported if there is one. */
export type Conflict = 'skip' | 'update' | 'stop';

export type RowPlan = { does: 'create' | 'update' | 'skip' | 'nothing'; faults: readonly string[] };

/** @param own the signed-in user, who is never changed by an import */
export function planRow(row: ImportRow, existing: ExistingUsers, conflict: Conflict, own: string): RowPlan {
  const known = existing.get(row.userId);
  if (row.faults.length > 0) return { does: 'nothing', faults: row.faults };
  if (known && 'refusal' in known) return { does: 'nothing', faults: [known.refusal] };
  if (!known) return { does: 'create', faults: [] };
  if (conflict === 'skip') return { does: 'skip', faults: [] };
  if (conflict === 'stop') return { does: 'nothing', faults: [i18n.t('User exists')] };
  if (row.userId === own) return { does: 'nothing', faults: [i18n.t("Your own account can't be imported")] };
  if (known.isDeactivated) return { does: 'nothing', faults: [i18n.t('Deactivated account')] };
  return changedFields(row).length > 0 ? { does: 'update', faults: [] } : { does: 'skip', faults: [] };
}

/** The fields of an existing user that a row sets. */
const changedFields = (row: ImportRow): ImportField[] =>
  (['displayname', 'password', 'admin', 'email', 'phone', 'externalId', 'userType'] as const).filter(
    (field) => row[field] !== undefined,
  );
