import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { parseUsers } from '../../renderer/features/users/create/pasted-names.ts';

i18n.load('en', {});
i18n.activate('en');

const read = (text: string) =>
  parseUsers(text, 'x').map(({ localpart, displayname, email, fault }) =>
    fault === undefined ? [localpart, displayname, email] : fault,
  );

test.each([
  [
    'names alone',
    'ada\n\n@bob:x\r\n',
    [
      ['ada', '', ''],
      ['bob', '', ''],
    ],
  ],
  [
    'quoted commas',
    'alpha,"Alpha, the First",alpha@example.org',
    [['alpha', 'Alpha, the First', 'alpha@example.org']],
  ],
  ['doubled quotes', '"gamma","Gamma ""G"" Quoted",g@x.org', [['gamma', 'Gamma "G" Quoted', 'g@x.org']]],
  [
    'quoted line breaks',
    'ada,"Ada\r\nLovelace"\r\nbob',
    [
      ['ada', 'Ada Lovelace', ''],
      ['bob', '', ''],
    ],
  ],
  [
    'a byte order mark and semicolons',
    '\uFEFFada;Ada, Countess;ada@x.org\r\n',
    [['ada', 'Ada, Countess', 'ada@x.org']],
  ],
  [
    'tabs',
    'ada\tAda; Countess\nbob\tBob',
    [
      ['ada', 'Ada; Countess', ''],
      ['bob', 'Bob', ''],
    ],
  ],
  ['quotes within a cell', 'ada,Ada "the" Countess', [['ada', 'Ada "the" Countess', '']]],
  [
    'a quote that nothing closes',
    'ada,"Ada\nbob,Bob',
    [
      ['ada', '"Ada', ''],
      ['bob', 'Bob', ''],
    ],
  ],
  ['a header', 'username,displayname\nada,Ada', [['ada', 'Ada', '']]],
  [
    'a header in another order',
    '"E-Mail";"Password";"User ID";"Name"\na@x.org;secret;ada;Ada',
    [['ada', 'Ada', 'a@x.org']],
  ],
  ['a header of one column', 'User name\nada', [['ada', '', '']]],
  [
    'an account called like a column',
    'name\nmail',
    [
      ['name', '', ''],
      ['mail', '', ''],
    ],
  ],
  ['nothing', ' \n\n', []],
])('reads %s', (_case, text, users) => {
  expect(read(text)).toEqual(users);
});

test('says what is wrong with a line', () => {
  expect(read('ada,Ada,nowhere\nÄda\nbob\nbob')).toEqual([
    'Enter a valid email address.',
    'Only a–z, digits and . _ = - / +',
    ['bob', '', ''],
    'Duplicate name',
  ]);
});
