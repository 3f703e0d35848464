import { expect, test } from 'vitest';
import { lowerBound } from '../../renderer/features/users/related/find-related.ts';
import {
  emailTraits,
  isPrivateAddress,
  mailboxOf,
  noTraits,
  relatedAccounts,
  sharedSigns,
} from '../../renderer/features/users/related/signs.ts';

test('a mailbox is the same with tags, and with dots at Gmail', () => {
  expect(mailboxOf('Mal.Lory+x@Gmail.com')).toBe('mallory@gmail.com');
  expect(mailboxOf('mallory@googlemail.com')).toBe('mallory@gmail.com');
  expect(mailboxOf('mal.lory+1@evil.example')).toBe('mal.lory@evil.example');
  expect(mailboxOf('+1@evil.example')).toBeUndefined();
  expect(mailboxOf('no address')).toBeUndefined();
});

test("domains of common providers aren't a trait", () => {
  expect(emailTraits(['a@gmail.com', 'b+1@evil.example', 'b@evil.example'])).toEqual({
    email: ['a@gmail.com', 'b@evil.example'],
    'email-domain': ['evil.example'],
  });
});

test.each([
  ['127.0.0.1', true],
  ['::ffff:10.0.0.1', true],
  ['172.31.0.9', true],
  ['100.64.1.1', true],
  ['::1', true],
  ['fd00::1', true],
  ['172.32.0.9', false],
  ['110.1.1.1', false],
  ['2001:db8::1', false],
])('%s is a private address: %s', (ip, isPrivate) => {
  expect(isPrivateAddress(ip)).toBe(isPrivate);
});

const found = (user: string, ...signs: Parameters<typeof relatedAccounts>[0][number]['signs']) => ({
  user,
  signs,
});

test('accounts share the values of each kind', () => {
  const own = { ...noTraits, ip: ['203.0.113.7', '203.0.113.7', '198.51.100.1'], agent: ['Element'] };
  const other = { ...noTraits, ip: ['203.0.113.7'], agent: ['Fluffy'], device: ['Element'] };
  expect(sharedSigns(own, other)).toEqual([{ kind: 'ip', value: '203.0.113.7' }]);
});

test('accounts with more strong signs come first; apps, domains and local addresses are weak', () => {
  const rows = relatedAccounts(
    [
      found('weak', { kind: 'agent', value: 'Element' }, { kind: 'ip', value: '10.0.0.1' }),
      found('strong', { kind: 'agent', value: 'Element' }, { kind: 'ip', value: '203.0.113.7' }),
      found('stronger', { kind: 'ip', value: '203.0.113.7' }, { kind: 'file', value: 'aa' }),
    ],
    100,
  );
  expect(rows.map(({ user, isStrong }) => [user, isStrong])).toEqual([
    ['stronger', true],
    ['strong', true],
    ['weak', false],
  ]);
  expect(rows[1]?.signs).toEqual([
    { kind: 'ip', value: '203.0.113.7', isStrong: true, holders: 2 },
    { kind: 'agent', value: 'Element', isStrong: false, holders: 2 },
  ]);
});

test('a sign of many accounts is weak, and a weak one is left out', () => {
  const crowd = Array.from({ length: 11 }, (_, index) =>
    found(`u${index}`, { kind: 'ip', value: '203.0.113.7' }, { kind: 'agent', value: 'Element' }),
  );
  const only = found('x', { kind: 'agent', value: 'Element' });
  const rows = relatedAccounts([...crowd, only], 40);
  expect(rows).toHaveLength(11);
  expect(rows[0]).toMatchObject({ isStrong: false, signs: [{ kind: 'ip', holders: 11 }] });
  // Among more accounts, eleven are few: a wave of accounts from one address.
  expect(relatedAccounts(crowd, 100)[0]).toMatchObject({ isStrong: true });
});

test('the place of a time is found in a list sorted by time', async () => {
  const times = [1, 3, 5, 7, 9];
  const place = (time: number) => lowerBound(times.length, async (at) => (times[at] ?? 0) >= time);
  expect(await Promise.all([0, 1, 4, 9, 10].map(place))).toEqual([0, 0, 2, 4, 5]);
});
