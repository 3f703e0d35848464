import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { accountTraitsQuery } from '../../renderer/api/account-traits.ts';
import type { Server } from '../../renderer/transport/server.ts';
import {
  patternsIn,
  protectedIn,
  protectedKey,
  protectionOf,
  unusablePattern,
} from '../../shared/team/protected.ts';

const documents = (content: object) =>
  new Map([[protectedKey, { content: content as never, by: '@a:x', at: 1 }]]);
const traits = {
  admins: new Set(['@ada:x']),
  services: new Set(['@bridge_1:x', '@telegram_bot:x']),
  bots: new Set(['@bot:x']),
};

test('without a valid document, admins, application services and bots are protected', () => {
  for (const rule of [protectedIn(new Map()), protectedIn(documents({ patterns: ['*'] }))]) {
    expect(protectionOf('@ada:x', traits, rule)).toEqual({ by: 'admin' });
    expect(protectionOf('@bridge_1:x', traits, rule)).toEqual({ by: 'service' });
    expect(protectionOf('@bot:x', traits, rule)).toEqual({ by: 'bot' });
    expect(protectionOf('@mallory:x', traits, rule)).toBeUndefined();
  }
});

test('the document decides, and its patterns match whole user IDs case-insensitively', () => {
  const rule = protectedIn(
    documents({ patterns: ['@Telegram_*:x', '@carol'], admins: false, application_services: false }),
  );
  expect(protectionOf('@ada:x', traits, rule)).toBeUndefined();
  expect(protectionOf('@bridge_1:x', traits, rule)).toBeUndefined();
  expect(protectionOf('@telegram_bot:x', traits, rule)).toEqual({ by: 'pattern', pattern: '@Telegram_*:x' });
  expect(protectionOf('@telegram_bot:y', traits, rule)).toBeUndefined();
  expect(protectionOf('@carol:x', traits, rule)).toBeUndefined();
});

test("patterns are one per line, and those that can't match are refused", () => {
  expect(patternsIn(' @a_*\n\n@a_*\r\n*:evil.org')).toEqual(['@a_*', '*:evil.org']);
  expect(unusablePattern(['@a_*', '*:evil.org'])).toBeUndefined();
  expect(unusablePattern(['@a_*', 'telegram_*'])).toBe('telegram_*');
  expect(unusablePattern(['@two words:x'])).toBe('@two words:x');
  expect(unusablePattern(['@carol'])).toBe('@carol');
});

/** Returns one user at a time, except for `@broken:x`, and lists one admin. */
const get = async (_schema: unknown, path: string) => {
  if (path.includes('admins=true')) return { users: [{ name: '@ada:x', admin: 1 }] };
  if (path.includes('not_user_type=&') && path.endsWith('from=0'))
    return { users: [{ name: '@help:x', user_type: 'support' }], next_token: '1' };
  if (path.includes('not_user_type=&')) return { users: [{ name: '@beep:x', user_type: 'bot' }] };
  const userId = decodeURIComponent(path.replace(/.*\//, ''));
  if (userId === '@broken:x') throw new Error('no reply');
  return { name: userId, admin: userId === '@ada:x', appservice_id: userId === '@irc:x' ? 'irc' : null };
};
const server = { id: 'a', connection: { userId: '@me:x', baseUrl: 'https://x' }, get } as unknown as Server;
const traitsOf = (...userIds: string[]) =>
  new QueryClient().fetchQuery(accountTraitsQuery(server, new Set(userIds)));

test('accounts are loaded one by one, except remote ones', async () => {
  expect(await traitsOf('@ada:x', '@irc:x', '@broken:y')).toEqual({
    admins: new Set(['@ada:x']),
    services: new Set(['@irc:x']),
    bots: new Set(),
    unchecked: undefined,
  });
});

test('accounts that failed to load or are too many are reported', async () => {
  expect(await traitsOf('@ada:x', '@broken:x')).toMatchObject({ unchecked: 'all' });
  expect(await traitsOf('@irc:x', ...Array.from({ length: 200 }, (_, at) => `@u${at}:x`))).toMatchObject({
    admins: new Set(['@ada:x']),
    services: new Set(),
    bots: new Set(['@beep:x']),
    unchecked: 'services',
  });
});

test('bots among too many accounts are unknown if the server ignores the filter', async () => {
  const listing = async (schema: unknown, path: string) =>
    path.includes('not_user_type') ? { users: [{ name: '@ada:x', user_type: null }] } : get(schema, path);
  const tooMany = new Set(Array.from({ length: 201 }, (_, at) => `@u${at}:x`));
  const query = accountTraitsQuery({ ...server, get: listing } as unknown as Server, tooMany);
  expect(await new QueryClient().fetchQuery(query)).toMatchObject({ bots: new Set(), unchecked: 'bots' });
});
