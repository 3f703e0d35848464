/** Sentences about policies, strikes and details of actions. */
import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { detailText } from '../../renderer/team/detail-words.ts';
import { rungText, stepText, strikesText, weightText } from '../../renderer/team/policy-words.ts';
import type { Policy } from '../../shared/team/policies.ts';
import type { ActiveStrike } from '../../shared/team/strikes.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });

test.each([
  [{ strikes: 1, action: 'warn-user' }, 'Warn', '1 strike: Warn'],
  [{ strikes: 2, action: 'suspend-user', days: 1 }, 'Suspend for 1 day', '2 strikes: Suspend for 1 day'],
  [{ strikes: 3, action: 'lock-user', days: 7 }, 'Lock for 7 days', '3 strikes: Lock for 7 days'],
  [{ strikes: 3, action: 'take-down-user' }, 'Take down', '3 strikes: Take down'],
  [{ strikes: 3, action: 'deactivate-user' }, 'Deactivate', '3 strikes: Deactivate'],
  [{ strikes: 3, action: 'custom' }, 'custom', '3 strikes: custom'],
])('a step of a ladder: %o', (step, text, rung) => {
  expect([stepText(step), rungText(step)]).toEqual([text, rung]);
});

test.each([
  [0, 90, 'No strikes'],
  [1, null, '1 strike, no expiry'],
  [1, 1, '1 strike, expires after 1 day'],
  [2, 90, '2 strikes, expire after 90 days'],
])('a policy of weight %s that expires after %s days', (weight, expires_days, expected) => {
  expect(weightText({ weight, expires_days } as Policy)).toBe(expected);
});

const until = Date.UTC(2030, 5, 15, 12);
test.each<[string, readonly [weight: number, until: number | null][], string]>([
  ['none', [], ''],
  ['one', [[1, until]], '1 strike, expires Jun 15, 2030'],
  ['one of weight 2', [[2, until]], '2 strikes, expire Jun 15, 2030'],
  ['one that stays', [[1, null]], '1 strike, no expiry'],
  [
    'two, of which the first expires next',
    [
      [1, until],
      [2, null],
    ],
    '3 strikes, next expires Jun 15, 2030',
  ],
])('strikes: %s', (_, strikes, expected) => {
  const active = strikes.map(([weight, until]) => ({ weight, until }) as ActiveStrike);
  expect(strikesText(active)).toBe(expected);
});

test.each([
  ['messages: 1, files: 2', '1 message, 2 files'],
  ['erased', 'erased'],
  ['was gone already', 'already deleted'],
  ['not done: 3', 'not done: 3'],
  ['dropped: changed by @bob:h', 'dropped: changed by @bob:h'],
  ['4 deleted', '4 deleted'],
  ['1 sessions', '1 session'],
  ['until tomorrow', 'until tomorrow'],
  ['0.5 per second, 3 at once', '0.5 per second, 3 at once'],
  ['2 media', '2 files'],
  ['2 media, 1 identical files', '2 files, 1 identical copy'],
  ['1 media, not opened since 2026-01-01', '1 file, not accessed since 2026-01-01'],
  [
    '1 media, not opened since 2026-01-01, larger than 5 bytes',
    '1 file, not accessed since 2026-01-01, larger than 5 bytes',
  ],
  ['with one edit', 'with one edit'],
  ['with 3 edits', 'with 3 edits'],
  ['2 added: a, b', '2 added: a, b'],
  ['joined', 'joined'],
  ['joined, added @bob:h', 'joined, added @bob:h'],
  ['made room admin, joined', 'became room admin, joined'],
  ['made room admin, joined, added @bob:h', 'became room admin, joined, added @bob:h'],
  ['anything else', 'anything else'],
])('a detail in the log: %s', (detail, expected) => {
  expect(detailText({ action: 'suspend-user', detail })).toBe(expected);
  // A text that somebody wrote stays as it is.
  expect(detailText({ action: 'warn-user', detail })).toBe(detail);
});
