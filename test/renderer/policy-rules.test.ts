/** Policy rules as written by Draupnir, Meowlnir and Mjolnir, and their matches. */
import { expect, test } from 'vitest';
import { matcherOf, readContent, readRules } from '../../renderer/api/policy-lists/policy-matcher.ts';
import { contentOf, hashOf, stateKeyFor } from '../../renderer/api/policy-lists/policy-rules.ts';
import {
  noAcl,
  serversToDeny,
  withDenied,
  withoutDenied,
} from '../../renderer/api/policy-lists/server-acl.ts';
import { matchesGlob } from '../../shared/glob.ts';

const event = (type: string, state_key: string, content: unknown, origin_server_ts = 1) => ({
  type,
  state_key,
  sender: '@bot:lists.example',
  origin_server_ts,
  content,
});

const ban = (entity: string, recommendation = 'm.ban') => ({ entity, recommendation, reason: 'spam' });

test('reads rules of Draupnir, Meowlnir and Mjolnir', async () => {
  const hash = await hashOf('@hidden:evil.example');
  const rules = readRules([
    event('m.policy.rule.user', 'a', ban('@spam*:evil.example'), 5),
    event('m.policy.rule.server', 'b', ban('evil.example', 'org.matrix.msc4204.takedown'), 4),
    event(
      'm.policy.rule.user',
      'c',
      { recommendation: 'm.takedown', 'org.matrix.msc4205.hashes': { sha256: `${hash}=` } },
      3,
    ),
    event('org.matrix.mjolnir.rule.room', 'rule:!r:x', ban('!r:x', 'org.matrix.mjolnir.ban'), 2),
    event('m.room.rule.server', 'd', ban('good.example', 'fi.mau.meowlnir.unban'), 1),
    event('m.policy.rule.user', 'e', ban('@unknown:x', 'com.example.mute'), 0),
    event('m.room.member', '@a:x', { membership: 'join' }),
  ]);
  expect(
    rules.map(({ kind, entity, hash, recommendation }) => [kind, entity ?? hash, recommendation]),
  ).toEqual([
    ['user', '@spam*:evil.example', 'ban'],
    ['server', 'evil.example', 'takedown'],
    ['user', hash, 'takedown'],
    ['room', '!r:x', 'ban'],
    ['server', 'good.example', 'allow'],
    ['user', '@unknown:x', 'other'],
  ]);
});

test('skips removed and malformed rules, and a newer type overrides an older one', () => {
  const rules = readRules([
    event('m.policy.rule.user', 'removed', {}),
    event('m.policy.rule.user', 'odd', { entity: 5, recommendation: 'm.ban' }),
    event('m.policy.rule.user', 'hash', { recommendation: 'm.ban', hashes: { sha256: 'short' } }),
    event('m.policy.rule.user', 'no key', { entity: '@a:x' }),
    'no event',
    event('m.room.rule.user', 'twice', ban('@old:x')),
    event('m.policy.rule.user', 'twice', ban('@new:x')),
    event('m.room.rule.user', 'gone', ban('@gone:x')),
    event('m.policy.rule.user', 'gone', {}),
  ]);
  expect(rules).toHaveLength(1);
  expect(rules[0]).toMatchObject({ entity: '@new:x', types: ['m.policy.rule.user', 'm.room.rule.user'] });
});

test('matches globs as specified, and fast', () => {
  for (const [glob, text, is] of [
    ['*:evil.example', '@a:evil.example', true],
    ['@spam?:x', '@spam1:x', true],
    ['@spam?:x', '@spam12:x', false],
    ['@a.b:x', '@axb:x', false],
    ['*', '', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b', 'a-b-c', false],
  ] as const) {
    expect([glob, text, matchesGlob(glob, text)]).toEqual([glob, text, is]);
  }
  // With backtracking, this takes years.
  expect(matchesGlob(`${'*a'.repeat(60)}b`, 'a'.repeat(255))).toBe(false);
});

test('finds rules by ID, glob and hash, and none for an allowed entity', async () => {
  const hash = await hashOf('!Room:x');
  const { match, needsHash } = matcherOf(
    readRules([
      event('m.policy.rule.user', '1', ban('@a*:x')),
      event('m.policy.rule.user', '2', ban('@ab:x', 'm.takedown')),
      event('m.policy.rule.user', '3', ban('@ally:x', 'org.matrix.mjolnir.allow')),
      event('m.policy.rule.server', '4', ban('EVIL.example')),
      event('m.policy.rule.room', '5', { recommendation: 'm.ban', hashes: { sha256: hash } }),
    ]),
  );
  expect(match('user', '@ab:x').map(({ stateKey }) => stateKey)).toEqual(['2', '1']);
  expect(match('user', '@ally:x')).toEqual([]);
  expect(match('user', '@b:x')).toEqual([]);
  expect(match('server', 'evil.example')).toHaveLength(1);
  expect(match('room', '!Room:x')).toEqual([]);
  expect(match('room', '!Room:x', hash)).toHaveLength(1);
  expect([needsHash('room'), needsHash('user')]).toEqual([true, false]);
});

test('exports imported rules unchanged, with the state keys of Draupnir and Meowlnir', async () => {
  for (const terms of [
    { entity: '@a:x', recommendation: 'ban', reason: 'spam' },
    { hash: await hashOf('@a:x'), recommendation: 'takedown', reason: '' },
  ] as const) {
    expect(readContent(contentOf(terms))).toEqual(terms);
  }
  // printf '@a:xm.ban' | openssl dgst -sha256 -binary | base64
  expect(await stateKeyFor('@a:x', 'ban')).toBe('jNCE/BIn+G99A8ipZOBQ9juEwnqEA8px9iEf2Pjf8v4=');
});

test("a server ACL denies a list's servers, never its own, and keeps existing ones", () => {
  const rules = readRules([
    event('m.policy.rule.server', '1', ban('evil.example')),
    event('m.policy.rule.server', '2', ban('*.Evil.example', 'm.takedown')),
    event('m.policy.rule.server', '3', ban('*ours.example')),
    event('m.policy.rule.server', '4', ban('fine.example')),
    event('m.policy.rule.server', '5', ban('fine.example', 'org.matrix.mjolnir.allow')),
    event('m.policy.rule.server', '6', { recommendation: 'm.ban', hashes: { sha256: 'A'.repeat(43) } }),
    event('m.policy.rule.user', '7', ban('@a:b')),
  ]);
  const { servers, own, hashed } = serversToDeny(rules, 'ours.example:8448');
  expect({ servers, own, hashed }).toEqual({
    servers: ['*.evil.example', 'evil.example'],
    own: ['*ours.example'],
    hashed: 1,
  });
  const before = { ...noAcl, deny: ['other.example', 'evil.example'], extra: 1 };
  const after = withDenied(before, [...servers, '*'], 'ours.example:8448');
  expect(after).toEqual({ ...before, deny: ['other.example', 'evil.example', '*.evil.example'] });
  expect(withDenied(after, servers, 'ours.example')).toBe(after);
  expect(withoutDenied(after, ['*.evil.example'])).toEqual(before);
});

test.each<[string, Parameters<ReturnType<typeof matcherOf>['match']>, number]>([
  ['a server name in any case', ['server', 'Evil.EXAMPLE'], 1],
  ['a server glob in any case', ['server', 'spam.hosting.example'], 1],
  ['a server glob that needs a subdomain', ['server', 'hosting.example'], 0],
  ['a user ID, which has one case', ['user', '@Spam:x'], 1],
  ['a user ID in another case', ['user', '@spam:x'], 0],
  ['a user glob in another case', ['user', '@BOT1:x'], 0],
  ['a room of the same name', ['room', 'evil.example'], 0],
])('matches %s', (_, [kind, entity], expected) => {
  const { match } = matcherOf(
    readRules([
      event('m.policy.rule.server', '1', ban('evil.Example')),
      event('m.policy.rule.server', '2', ban('*.Hosting.example')),
      event('m.policy.rule.user', '3', ban('@Spam:x')),
      event('m.policy.rule.user', '4', ban('@bot?:x')),
    ]),
  );
  expect(match(kind, entity)).toHaveLength(expected);
});
