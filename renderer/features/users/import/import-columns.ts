import { i18n } from '@lingui/core';

export const importFields = [
  'name',
  'displayname',
  'password',
  'admin',
  'email',
  'phone',
  'externalId',
  'userType',
] as const;
export type ImportField = (typeof importFields)[number];

export const fieldNames = (): Record<ImportField, string> => ({
  name: i18n.t('User ID'),
  displayname: i18n.t('Display name'),
  password: i18n.t('Password'),
  admin: i18n.t('Server admin'),
  email: i18n.t('Email'),
  phone: i18n.t('Phone'),
  externalId: i18n.t('External ID'),
  userType: i18n.t('User type'),
});

/** Usual headers, in lower case without spaces and punctuation; the more specific ones first. */
const spellings: Record<ImportField, readonly string[]> = {
  name: [
    'userid',
    'username',
    'localpart',
    'mxid',
    'matrixid',
    'benutzername',
    'benutzerid',
    'nutzername',
    'nutzerid',
    'loginname',
    'anmeldename',
    'kennung',
    'login',
    'uid',
    'user',
    'nutzer',
    'benutzer',
    'id',
    'name',
  ],
  displayname: ['displayname', 'fullname', 'anzeigename', 'vollername', 'vorundnachname', 'realname', 'name'],
  password: ['password', 'passwort', 'kennwort', 'initialpassword', 'pass'],
  admin: ['admin', 'isadmin', 'serveradmin', 'administrator'],
  email: ['email', 'emailaddress', 'mail', 'mailaddress', 'emailadresse', 'mailadresse'],
  phone: [
    'phone',
    'phonenumber',
    'mobile',
    'mobilephone',
    'msisdn',
    'telephone',
    'telefon',
    'telefonnummer',
    'handy',
    'mobil',
  ],
  externalId: ['externalid', 'externeid', 'ssoid', 'idpid', 'sso', 'subject'],
  userType: ['usertype', 'accounttype', 'nutzertyp', 'benutzertyp', 'kontotyp', 'type', 'typ'],
};

/** Headers even as the only column: unlikely as user names. */
const unmistakable = ['userid', 'username', 'localpart', 'mxid', 'matrixid', 'benutzername', 'nutzername'];

/** The field of each column; undefined for ignored columns. */
export type Assignment = readonly (ImportField | undefined)[];

const normalize = (cell: string) => cell.toLowerCase().replace(/[\s_\-.:()]/g, '');

/** Assigns each field to the column whose header fits it best. */
export function assignByHeader(header: readonly string[]): Assignment {
  const names = header.map(normalize);
  const assignment: (ImportField | undefined)[] = names.map(() => undefined);
  for (const field of importFields) {
    const column = spellings[field]
      .map((spelling) => names.findIndex((name, index) => name === spelling && !assignment[index]))
      .find((index) => index !== -1);
    if (column !== undefined) assignment[column] = field;
  }
  return assignment;
}

/** Without a header, the first three columns. */
const assignByPosition = (columns: number): Assignment =>
  Array.from({ length: columns }, (_, index) => (['name', 'displayname', 'email'] as const)[index]);

export const assign = (first: readonly string[], columns: number, hasHeader: boolean): Assignment => {
  if (!hasHeader) return assignByPosition(columns);
  const named = assignByHeader(first);
  return Array.from({ length: columns }, (_, index) => named[index]);
};

/** Whether the first record names columns. */
export function isHeader(first: readonly string[]): boolean {
  const assignment = assignByHeader(first);
  if (!assignment.includes('name')) return false;
  return (
    assignment.filter((field) => field !== undefined).length > 1 ||
    first.some((cell) => unmistakable.includes(normalize(cell)))
  );
}
