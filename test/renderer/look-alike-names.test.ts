/** Names that look like another. */
import { expect, test } from 'vitest';
import { UnexpectedEntry } from '../../renderer/api/lenient.ts';
import { findLookAlikes } from '../../renderer/features/users/look-alikes/find-look-alikes.ts';

const user = (name: string, displayname?: string) => ({ name, displayname });
const found = (names: string[], users: readonly object[], userId?: string) =>
  findLookAlikes([{ rows: users as never[] }], { names, userId }).map(({ name }) => name);

test.each([
  ['case', 'Admin', 'ADMIN'],
  ['accents', 'admin', 'ádmïn'],
  ['Cyrillic letters', 'paypal', 'раураl'],
  ['invisible characters', 'admin', 'ad\u200bmin'],
  ['i and l', 'bill', 'blii'],
  ['d and cl', 'dean', 'clean'],
  ['w and vv', 'walter', 'vvalter'],
  ['m and rn', 'Modem', 'rnodern'],
  ['digits', 'bob0', 'b0bo'],
  ['punctuation', 'the.admin', 'the_admin'],
])('ignores differences of %s', (_, name, other) => {
  expect(found([name], [user(`@x:h`, other)], '@self:h')).toEqual(['@x:h']);
  expect(found([other], [user(`@x:h`, name)], '@self:h')).toEqual(['@x:h']);
});

test('compares whole names of a user, and parts of names with a text', () => {
  const users = [user('@admin:h'), user('@admin2:h'), user('@eve:h', 'Admin'), user('@joe:h', 'Joe')];
  expect(found(['admin', 'Joe'], users, '@admin:h')).toEqual(['@eve:h', '@joe:h']);
  expect(found(['admin'], users)).toEqual(['@admin:h', '@admin2:h', '@eve:h']);
});

test('finds names of punctuation alone, nothing by an empty name, and each user once', () => {
  const users = [user('@a:h', '!!!'), new UnexpectedEntry('name', {}), user('@b:h', '???')];
  expect(found(['!!!'], users)).toEqual(['@a:h']);
  expect(found([''], users)).toEqual([]);
  const rows = [user('@a:h', 'Ann')] as never[];
  expect(findLookAlikes([{ rows }, { rows: [...rows] }], { names: ['ann'] })).toHaveLength(1);
});
