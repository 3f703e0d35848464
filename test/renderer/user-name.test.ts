/** Names of new users. */
import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import {
  invalidNameReason,
  localpartOf,
  takesPasswords,
} from '../../renderer/features/users/create/user-name.ts';
import type { Server } from '../../renderer/transport/server.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });

test.each([
  ['ada', 'ada'],
  [' @ada:h.example ', 'ada'],
  ['ada:h.example', 'ada'],
  ['@ada:other.example', 'ada:other.example'],
  ['@ada', 'ada'],
])('%j is the localpart %j', (text, expected) => {
  expect(localpartOf(text, 'h.example')).toBe(expected);
});

const most = 255 - '@:h.example'.length;
test.each<[string, string, string | undefined]>([
  ['all characters', 'a9._=/+-', undefined],
  ['capitals', 'Ada', 'Only a–z, digits and . _ = - / +'],
  ['a foreign server', 'ada:other', 'Only a–z, digits and . _ = - / +'],
  ['dots as a part of a path', 'a/../b', "“.” and “..” aren't allowed between slashes."],
  ['a single dot', '.', "“.” and “..” aren't allowed between slashes."],
  ['the longest name', 'a'.repeat(most), undefined],
  ['a longer one', 'a'.repeat(most + 1), `At most ${most} characters.`],
])('judges %s', (_, name, expected) => {
  expect(invalidNameReason(name, 'h.example')).toBe(expected);
});

test('new users get passwords unless MAS has none', () => {
  const mas = { mas: {} } as Server;
  const offered = (isThere: boolean) => ({ has: () => isThere }) as never;
  expect(takesPasswords({} as Server, offered(false))).toBe(true);
  expect(takesPasswords(mas, offered(true))).toBe(true);
  expect(takesPasswords(mas, offered(false))).toBe(false);
  expect(takesPasswords(mas, undefined)).toBe(true);
});
