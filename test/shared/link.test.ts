import { expect, test } from 'vitest';
import { type Linked, linkAmong, linkTo, readLink } from '../../shared/link.ts';

const shown: [string, Linked][] = [
  ['example.org', { kind: 'report', id: 12 }],
  ['example.org:8448', { kind: 'user', userId: '@alice:example.org' }],
  ['[::1]:8008', { kind: 'user', userId: '@a/b=?#%2e:other.example:8448' }],
  ['localhost', { kind: 'room', roomId: '!abc:example.org' }],
  ['localhost', { kind: 'room', roomId: '!of-a-newer-version_0123' }],
  ['localhost', { kind: 'room', roomId: `!${'a'.repeat(254)}` }],
];

test.each(shown)('a link to %s %o leads there', (server, what) => {
  expect(readLink(linkTo(server, what))).toEqual({ server, shown: what });
});

test.each([
  ['upper and lower case outside of IDs', 'GATEHOUSE://Example.ORG/Report/12'],
  ['a slash at the end, which some systems add', 'gatehouse://example.org/report/12/'],
])("%s don't matter", (_, link) => {
  expect(readLink(link)).toEqual({ server: 'example.org', shown: { kind: 'report', id: 12 } });
});

test.each([
  ['nothing', ''],
  ['only the scheme', 'gatehouse:'],
  ['no server', 'gatehouse:///report/1'],
  ['another scheme', 'https://example.org/report/1'],
  ['a script', 'javascript:alert(1)'],
  ['a script behind the scheme', 'gatehouse:javascript:alert(1)'],
  ['a script as the server', 'gatehouse://javascript:alert(1)/report/1'],
  ['a user of the server', 'gatehouse://me@example.org/report/1'],
  ['a user and a password', 'gatehouse://me:secret@example.org/report/1'],
  ['an address as the server', 'gatehouse://https://evil.example/report/1'],
  ['dots', 'gatehouse://example.org/../report/1'],
  ['dots in the place of a number', 'gatehouse://example.org/report/..'],
  ['dots that are encoded', 'gatehouse://example.org/report/%2e%2e%2f1'],
  ['a path behind a number', 'gatehouse://example.org/report/1/delete'],
  ['an action', 'gatehouse://example.org/delete/1'],
  ['a query', 'gatehouse://example.org/report/1?do=delete'],
  ['a fragment', 'gatehouse://example.org/report/1#x'],
  ['an invalid number', 'gatehouse://example.org/report/1e3'],
  ['zero', 'gatehouse://example.org/report/0'],
  ['a negative number', 'gatehouse://example.org/report/-1'],
  ['a number that is too large to be exact', `gatehouse://example.org/report/${'9'.repeat(16)}`],
  ['encoding that is broken', 'gatehouse://example.org/user/%zz'],
  ['an invalid user', 'gatehouse://example.org/user/alice'],
  ['a user with markup and spaces', 'gatehouse://example.org/user/%40%3Cb%3E%20x%3Aexample.org'],
  ['a line break', 'gatehouse://example.org/user/%40a%0A%3Aexample.org'],
  ['a null byte', 'gatehouse://example.org/room/!a%00'],
  ['letters that only look the same', 'gatehouse://example.org/user/%40%D0%B0lice%3Aexample.org'],
  ['an alias of a room', 'gatehouse://example.org/room/%23room%3Aexample.org'],
  ['a server with spaces', 'gatehouse://example org/report/1'],
  ['a server that is encoded', 'gatehouse://%65xample.org/report/1'],
  ['an argument for a program', 'gatehouse://example.org/report/1" --inspect="0.0.0.0:1'],
  ['far too much', `gatehouse://example.org/user/%40${'a'.repeat(100_000)}%3Aexample.org`],
  ['an ID that is too long', `gatehouse://example.org/room/!${'a'.repeat(255)}`],
])('%s opens nothing', (_, link) => {
  expect(readLink(link)).toBe(undefined);
});

test.each([
  [['gatehouse', '--hidden'], undefined],
  [['gatehouse', 'gatehouse://a/report/1', '--', 'Gatehouse:nothing'], 'Gatehouse:nothing'],
])('the last link among %j is %s', (args, link) => {
  expect(linkAmong(args)).toBe(link);
});
