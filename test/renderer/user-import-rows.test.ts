import { i18n } from '@lingui/core';
import { QueryClient } from '@tanstack/react-query';
import { array, assert, constantFrom, property, string, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { detectDelimiter, parseCsv } from '../../renderer/components/file/csv.ts';
import { existingUsersQuery } from '../../renderer/features/users/import/existing-users.ts';
import { assign, assignByHeader, isHeader } from '../../renderer/features/users/import/import-columns.ts';
import { type Conflict, planRow, readRows } from '../../renderer/features/users/import/import-rows.ts';
import { decodeText, resultLine, resultRows } from '../../renderer/features/users/import/result-file.ts';
import { ok, replyingServer } from './replying-server.ts';

i18n.load('en', {});
i18n.activate('en');

const cellsOf = (text: string) => parseCsv(text).records.map(({ cells }) => cells);

test.each([
  ['only names', 'ada\n\n@bob:x\r\n', [['ada'], ['@bob:x']]],
  ['quoted commas', 'a,"Alpha, the First",a@x.org', [['a', 'Alpha, the First', 'a@x.org']]],
  ['doubled quotes', '"g","Gamma ""G"" Quoted"', [['g', 'Gamma "G" Quoted']]],
  ['spaces around quotes', 'a, "B, C" ,d', [['a', 'B, C', 'd']]],
  ['quoted line breaks', 'ada,"Ada\r\nLovelace"\r\nbob', [['ada', 'Ada\r\nLovelace'], ['bob']]],
  ['a byte order mark and semicolons', '\uFEFFada;Ada, Countess;x\r\n', [['ada', 'Ada, Countess', 'x']]],
  [
    'tabs',
    'ada\tAda; Countess\nbob\tBob',
    [
      ['ada', 'Ada; Countess'],
      ['bob', 'Bob'],
    ],
  ],
  [
    'line breaks of old Macs',
    'ada,A\rbob,B',
    [
      ['ada', 'A'],
      ['bob', 'B'],
    ],
  ],
  ['quotes within a cell', 'ada,Ada "the" Countess', [['ada', 'Ada "the" Countess']]],
  ['records of separators', ',,\nada,,\n', [['ada', '', '']]],
  ['nothing', ' \n\n', []],
])('reads %s', (_case, text, records) => {
  expect(cellsOf(text)).toEqual(records);
});

test('an unclosed quote is text and consumes no further lines', () => {
  expect(parseCsv('ada,"Ada"by,x').records).toEqual([
    { line: 1, cells: ['ada', 'Adaby', 'x'], fault: 'afterQuote' },
  ]);
  expect(parseCsv('ada,"Ada\nbob,Bob').records).toEqual([
    { line: 1, cells: ['ada', '"Ada'], fault: 'unclosed' },
    { line: 2, cells: ['bob', 'Bob'] },
  ]);
});

test('line numbers count line breaks within quotes', () => {
  expect(parseCsv('a,"1\r\n2\n3"\n\nb').records.map(({ line }) => line)).toEqual([1, 5]);
});

test('any RFC 4180 output is read back unchanged', () => {
  const cell = string({ unit: constantFrom('a', '"', ',', ';', '\t', '\n', '\r', ' ', 'é') });
  const delimiter = constantFrom(',' as const, ';' as const, '\t' as const);
  assert(
    property(
      tuple(array(array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), delimiter),
      ([records, by]) => {
        const text = records
          .map((cells) => cells.map((each) => `"${each.replaceAll('"', '""')}"`).join(by))
          .join('\r\n');
        const kept = records.filter((cells) => cells.some((each) => each.trim() !== ''));
        expect(parseCsv(text, by).records.map(({ cells }) => cells)).toEqual(kept);
      },
    ),
  );
});

test('no text breaks the parser or takes long', { timeout: 10_000 }, () => {
  assert(
    property(string({ unit: constantFrom('"', ',', ';', '\n', '\r', 'a', ' ') }), (text) => {
      const { records } = parseCsv(text);
      expect(records.every(({ cells }) => cells.length > 0)).toBe(true);
    }),
  );
  parseCsv(`${'"'.repeat(999_999)}\n${',"'.repeat(500_000)}`);
});

test('the separator is the most frequent one of the first record with any', () => {
  expect(detectDelimiter('name\na;"b,c,d";e')).toBe(';');
  expect(detectDelimiter('a\tb, c')).toBe('\t');
  expect(detectDelimiter('a')).toBe(',');
});

test.each([
  ['username,displayname,email', ['name', 'displayname', 'email']],
  ['E-Mail;Passwort;Benutzername;Name', ['email', 'password', 'name', 'displayname']],
  [
    'id,displayname,password,is_guest,admin,deactivated',
    ['name', 'displayname', 'password', undefined, 'admin', undefined],
  ],
  ['Name,E-Mail', ['name', 'email']],
  ['User ID,External ID,User type,Telefon', ['name', 'externalId', 'userType', 'phone']],
])('the header %s assigns the columns', (header, fields) => {
  const [first = []] = cellsOf(header);
  expect(isHeader(first)).toBe(true);
  expect([...assignByHeader(first)]).toEqual([...fields]);
});

test("names that resemble a column aren't a header", () => {
  expect(isHeader(['name'])).toBe(false);
  expect(isHeader(['ada', 'Ada', 'a@x'])).toBe(false);
  expect(isHeader(['username'])).toBe(true);
  expect(assign(['ada', 'Ada'], 2, false)).toEqual(['name', 'displayname']);
});

const limits = { server: 'x', hasPasswords: true, isDelegated: false };
function read(text: string, more: Partial<typeof limits> = {}) {
  const { records } = parseCsv(text);
  const [first = { cells: [] }, ...others] = records;
  return readRows(others, assignByHeader(first.cells), { ...limits, ...more });
}

test('reads every field of a row', () => {
  const [row] = read(
    "user id,name,password,admin,email,phone,external id,user type\n'@Ada:x,'=Ada  L.,  pass ,ja,Ada@X.org,+49 (0)170-123 456,oidc:a:1,Bot",
  );
  expect(row).toEqual({
    line: 2,
    userId: '@ada:x',
    localpart: 'ada',
    displayname: '=Ada L.',
    password: '  pass ',
    admin: true,
    email: 'ada@x.org',
    phone: '49170123456',
    externalId: { provider: 'oidc', id: 'a:1' },
    userType: 'bot',
    faults: [],
  });
});

test('names every fault of a row', () => {
  const text = [
    'username,admin,email,phone,external id,password',
    'ada,maybe,nowhere,0170 1234567,oidc,',
    '@bob:other,,,,,',
    ',,a@x.org,,,',
    'eve,,,,,secret',
    'Eve,,A@x.org,,,',
  ].join('\n');
  expect(read(text, { hasPasswords: false }).map(({ line, faults }) => [line, ...faults])).toEqual([
    [
      2,
      'Server admin: enter yes or no',
      'Invalid email',
      'Phone: enter the number with its country code',
      'External ID: enter provider:ID',
    ],
    [3, 'Not a user ID of x'],
    [4, 'Missing name'],
    [5, 'This server has no passwords. Ignore the column.'],
    [6, 'Same name as line 5', 'Same email as line 4'],
  ]);
});

test("a row's action depends on existing users and the chosen mode", () => {
  const rows = read('username,name\nnew,N\nold,O\nempty,\nme,M\ngone,G\nlocked,L');
  const existing = new Map([
    ['@old:x', { isDeactivated: false }],
    ['@empty:x', { isDeactivated: false }],
    ['@me:x', { isDeactivated: false }],
    ['@gone:x', { isDeactivated: true }],
    ['@locked:x', { refusal: 'Reserved' }],
  ]);
  const plan = (conflict: Conflict) => rows.map((row) => planRow(row, existing, conflict, '@me:x').does);
  expect(plan('skip')).toEqual(['create', 'skip', 'skip', 'skip', 'skip', 'nothing']);
  expect(plan('update')).toEqual(['create', 'update', 'skip', 'nothing', 'nothing', 'nothing']);
  expect(plan('stop')).toEqual(['create', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing']);
});

test('files of older spreadsheets are read', () => {
  const bytes = (...all: number[]) => new Uint8Array(all).buffer;
  expect(decodeText(bytes(0x4a, 0xfc, 0x72))).toBe('Jür');
  expect(decodeText(bytes(0x4a, 0xc3, 0xbc))).toBe('Jü');
  expect(decodeText(bytes(0xff, 0xfe, 0x4a, 0x00))).toBe('J');
  expect(decodeText(bytes())).toBe('');
});

test.each(['=pass', '+pass', '-pass', '@pass', '|pass', 'pass;=x', "'pass"])(
  'a result file leaves the password %s unchanged',
  (password) => {
    const line = resultLine({ name: 'karen', user_id: '@karen:x', result: 'created', password });
    const cell = password.startsWith("'") ? `"${password}"` : password;
    expect(line).toBe(`karen,"'@karen:x",created,${cell},,\r\n`);
  },
);

test('the result file lists all rows, also those that were skipped or had problems', () => {
  const [old, newUser, twice, nameless] = read('username,email\nold,\nnew,\nnew,nowhere\n,a@x.org');
  if (!newUser || !old || !twice || !nameless) throw new Error('rows missing');
  const rows = resultRows({
    rows: [{ ...newUser, does: 'create' }],
    unsent: [
      { row: old, does: 'skip', faults: [] },
      ...[twice, nameless].map((row) => ({ row, does: 'nothing' as const, faults: row.faults })),
    ],
    results: new Map([[newUser.line, { outcome: 'created', password: 'secret' }]]),
  });
  expect(
    rows.map(({ name, result, password, error, line }) => [name, result, password, error, line]),
  ).toEqual([
    ['old', 'skipped', null, null, 2],
    ['new', 'created', 'secret', null, 3],
    ['new', 'not imported', null, 'Invalid email; Same name as line 3', 4],
    ['', 'not imported', null, 'Missing name', 5],
  ]);
});

test('more than a hundred users are looked up in the list, with deactivated and locked ones', async () => {
  const users = [{ name: '@u1:x', deactivated: true }, { name: '@u2:x', locked: true }, { name: '@other:x' }];
  const { server, requests } = replyingServer(() => ok({ users, total: 3 }));
  const ids = Array.from({ length: 101 }, (_, index) => `@u${index}:x`);
  const found = await new QueryClient().fetchQuery(existingUsersQuery(server, ids));
  expect([...found]).toEqual([
    ['@u1:x', { isDeactivated: true }],
    ['@u2:x', { isDeactivated: false }],
  ]);
  const { searchParams } = new URL(requests.at(-1)?.path ?? '', 'https://x');
  expect(Object.fromEntries(searchParams)).toMatchObject({ deactivated: 'true', locked: 'true' });
});
